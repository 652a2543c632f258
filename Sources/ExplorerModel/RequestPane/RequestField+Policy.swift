import NetworkLayer
package import RequestCollections

extension RequestField.Policy {
    /// The texts to choose from; `nil`: a text to type.
    package var choices: [String]? {
        switch self {
        case .connectTimeout, .idleTimeout, .attemptTimeout, .operationTimeout, .maxRedirects, .authorities, .certificate, .key,
            .passphrase, .ciphers:
            nil
        case .followRedirects: ["always", "same-host", "never"]
        case .keepAuth: ["same-origin", "same-host", "always"]
        case .verifiesTLS, .compression: ["yes", "no"]
        case .httpVersion: ["auto", "1.1", "2", "2-prior-knowledge"]
        case .priority: Self.priorities.map(\.name)
        case .minimumTLS, .maximumTLS: TLSVersion.allCases.map(\.rawValue)
        }
    }

    /// The group it is listed under.
    package var group: String {
        switch self {
        case .connectTimeout, .idleTimeout, .attemptTimeout, .operationTimeout: "timeouts"
        case .followRedirects, .maxRedirects, .keepAuth: "redirects"
        case .verifiesTLS, .authorities, .certificate, .key, .passphrase, .minimumTLS, .maximumTLS, .ciphers: "tls"
        case .httpVersion, .compression: "http"
        case .priority: "queue"
        }
    }

    /// What may be shown of a text: a pass phrase that isn't a template is masked.
    package func shown(_ text: String) -> String { self == .passphrase ? RequestSettings.hidden(text) : text }

    /// As the file would say it; `nil`: these settings leave it to others.
    package func text(in settings: RequestSettings) -> String? {
        switch self {
        case .connectTimeout: settings.timeouts.connect.map(Self.text)
        case .idleTimeout: settings.timeouts.idle.map(Self.text)
        case .attemptTimeout: settings.timeouts.attempt.map(Self.text)
        case .operationTimeout: settings.timeouts.operation.map(Self.text)
        case .followRedirects: settings.followRedirects.map { $0 == .sameHost ? "same-host" : $0.rawValue }
        case .maxRedirects: settings.maxRedirects.map(String.init)
        case .keepAuth: settings.keepAuth.map(Self.text)
        case .verifiesTLS: settings.verifiesTLS.map { $0 ? "yes" : "no" }
        case .authorities: settings.authorities
        case .certificate: settings.certificate
        case .key: settings.key
        case .passphrase: settings.passphrase
        case .minimumTLS: settings.minimumTLSVersion?.rawValue
        case .maximumTLS: settings.maximumTLSVersion?.rawValue
        case .ciphers: settings.ciphers.map { $0.joined(separator: ", ") }
        case .httpVersion: settings.httpVersion?.rawValue
        case .compression: settings.compression.map { $0 ? "yes" : "no" }
        case .priority:
            settings.priority.map { priority in Self.priorities.first { $0.priority == priority }?.name ?? "\(priority.rawValue)" }
        }
    }

    /// What the library does when nobody says anything.
    package var libraryText: String {
        let configuration = RequestConfiguration()
        var settings = RequestSettings()
        settings.timeouts.connect = configuration.timeouts.connect.map { .after($0) } ?? .never
        settings.timeouts.idle = configuration.timeouts.idle.map { .after($0) } ?? .never
        settings.timeouts.attempt = configuration.timeouts.attempt.map { .after($0) } ?? .never
        settings.timeouts.operation = configuration.timeouts.operation.map { .after($0) } ?? .never
        settings.followRedirects = configuration.redirects.policy
        settings.maxRedirects = configuration.redirects.limit
        settings.keepAuth = configuration.redirects.keepCredentials
        settings.verifiesTLS = configuration.transport.tls.verifies
        settings.httpVersion = configuration.transport.httpVersion
        settings.compression = configuration.transport.acceptsCompression
        settings.priority = .normal
        return text(in: settings) ?? ""
    }

    /// - Parameter text: an empty one leaves it to the defaults again.
    package func set(_ text: String, in settings: inout RequestSettings) throws(InvalidFieldText) {
        let isEmpty = text.isEmpty
        switch self {
        case .connectTimeout: settings.timeouts.connect = isEmpty ? nil : try Self.limit(text)
        case .idleTimeout: settings.timeouts.idle = isEmpty ? nil : try Self.limit(text)
        case .attemptTimeout: settings.timeouts.attempt = isEmpty ? nil : try Self.limit(text)
        case .operationTimeout: settings.timeouts.operation = isEmpty ? nil : try Self.limit(text)
        case .maxRedirects:
            guard let count = Int(text), count >= 0 else {
                if isEmpty { settings.maxRedirects = nil; return }
                throw InvalidFieldText(message: "\"\(text)\" is not a number of redirects: write 0, 5, 20 …")
            }
            settings.maxRedirects = count
        case .followRedirects:
            settings.followRedirects =
                isEmpty ? nil : text == "same-host" ? .sameHost : RedirectConfiguration.Policy(rawValue: text)
        case .keepAuth:
            settings.keepAuth = isEmpty ? nil : RedirectConfiguration.CredentialScope.allCases.first { Self.text($0) == text }
        case .verifiesTLS: settings.verifiesTLS = isEmpty ? nil : text == "yes"
        case .authorities: settings.authorities = isEmpty ? nil : text
        case .certificate: settings.certificate = isEmpty ? nil : text
        case .key: settings.key = isEmpty ? nil : text
        case .passphrase: settings.passphrase = isEmpty ? nil : text
        case .minimumTLS: settings.minimumTLSVersion = isEmpty ? nil : TLSVersion(rawValue: text)
        case .maximumTLS: settings.maximumTLSVersion = isEmpty ? nil : TLSVersion(rawValue: text)
        case .ciphers:
            settings.ciphers = isEmpty ? nil : text.split(whereSeparator: { $0 == "," || $0 == " " || $0 == ":" }).map(String.init)
        case .httpVersion: settings.httpVersion = isEmpty ? nil : HTTPVersionPreference(rawValue: text)
        case .compression: settings.compression = isEmpty ? nil : text == "yes"
        case .priority: settings.priority = isEmpty ? nil : Self.priorities.first { $0.name == text }?.priority
        }
    }

    private static let priorities: [(name: String, priority: Priority)] = [
        ("very-low", .veryLow), ("low", .low), ("normal", .normal), ("high", .high), ("very-high", .veryHigh),
    ]

    private static func text(_ scope: RedirectConfiguration.CredentialScope) -> String {
        switch scope {
        case .sameOrigin: "same-origin"
        case .sameHost: "same-host"
        case .always: "always"
        }
    }

    private static func text(_ limit: RequestSettings.Limit) -> String {
        switch limit {
        case .never: "never"
        case .after(let duration): DurationText.format(duration)
        }
    }

    private static func limit(_ text: String) throws(InvalidFieldText) -> RequestSettings.Limit {
        if text == "never" { return .never }
        guard let duration = DurationText.parse(text) else {
            throw InvalidFieldText(message: "\"\(text)\" is not a duration: write 200ms, 1.5s, 3s, 1m, or never")
        }
        return .after(duration)
    }
}
