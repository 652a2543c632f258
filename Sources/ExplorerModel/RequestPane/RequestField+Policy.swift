import NetworkLayer
package import RequestCollections

extension RequestField.Policy {
    /// The texts to choose from; `nil`: a text to type.
    package var choices: [String]? {
        switch self {
        case .connectTimeout, .idleTimeout, .attemptTimeout, .operationTimeout, .maxRedirects, .authorities, .certificate, .key,
            .passphrase, .ciphers, .attempts, .retryConditions, .firstWait, .factor, .longestWait:
            nil
        case .retries: ["on", "off"]
        case .jitter: RetryBackoff.Jitter.allCases.map(\.rawValue)
        case .retryAfter: ["honour", "ignore"]
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
        case .retries, .attempts, .retryConditions, .firstWait, .factor, .longestWait, .jitter, .retryAfter: "retry"
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
        case .retries: settings.retry.isOn.map { $0 ? "on" : "off" }
        case .attempts: settings.retry.attempts.map(String.init)
        case .retryConditions: settings.retry.conditions.map { $0.joined(separator: ", ") }
        case .firstWait: settings.retry.first.map { Self.text(.after($0)) }
        case .factor: settings.retry.factor.map { "\($0)" }
        case .longestWait: settings.retry.longest.map { Self.text(.after($0)) }
        case .jitter: settings.retry.jitter?.rawValue
        case .retryAfter: settings.retry.honoursRetryAfter.map { $0 ? "honour" : "ignore" }
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
        let rules = RetryRules()
        settings.retry.isOn = false
        settings.retry.attempts = rules.attempts
        settings.retry.first = rules.backoff.first
        settings.retry.factor = rules.backoff.factor
        settings.retry.longest = rules.backoff.max
        settings.retry.jitter = rules.backoff.jitter
        settings.retry.honoursRetryAfter = true
        settings.httpVersion = configuration.transport.httpVersion
        settings.compression = configuration.transport.acceptsCompression
        settings.priority = .normal
        return text(in: settings) ?? ""
    }

    /// - Parameter text: an empty one leaves it to the defaults again.
    package func set(_ text: String, in settings: inout RequestSettings) throws(InvalidFieldText) {
        let isEmpty = text.isEmpty
        defer {
            // Whoever says how it is tried again wants it to be.
            if group == "retry", self != .retries, !isEmpty { settings.retry.isOn = true }
        }
        switch self {
        case .retries: settings.retry = isEmpty ? RetrySettings() : settings.retry.switched(on: text == "on")
        case .attempts:
            guard let count = Int(text), (1...100).contains(count) else {
                if isEmpty { settings.retry.attempts = nil; return }
                throw InvalidFieldText(message: "\"\(text)\" is not a number of attempts: write 1, 3, 5 …; the first one counts")
            }
            settings.retry.attempts = count
        case .retryConditions:
            let words = text.split { $0 == "," || $0 == " " }.map(String.init)
            if let wrong = words.first(where: { RetryCondition($0) == nil }) {
                throw InvalidFieldText(
                    message: "\"\(wrong)\" is nothing to try again on: write 503, 5xx, timeout, connection, dns …")
            }
            settings.retry.conditions = words.isEmpty ? nil : words
        case .firstWait: settings.retry.first = isEmpty ? nil : try Self.wait(text)
        case .longestWait: settings.retry.longest = isEmpty ? nil : try Self.wait(text)
        case .factor:
            guard let factor = Double(text), factor >= 1 else {
                if isEmpty { settings.retry.factor = nil; return }
                throw InvalidFieldText(message: "\"\(text)\" is not a factor: write 1, 1.5, 2 …")
            }
            settings.retry.factor = factor
        case .jitter: settings.retry.jitter = isEmpty ? nil : RetryBackoff.Jitter(rawValue: text)
        case .retryAfter: settings.retry.honoursRetryAfter = isEmpty ? nil : text == "honour"
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

    private static func wait(_ text: String) throws(InvalidFieldText) -> Duration {
        guard let duration = try limit(text).duration else {
            throw InvalidFieldText(message: "a wait has an end: write 200ms, 1.5s, 3s, 1m")
        }
        return duration
    }

    private static func limit(_ text: String) throws(InvalidFieldText) -> RequestSettings.Limit {
        if text == "never" { return .never }
        guard let duration = DurationText.parse(text) else {
            throw InvalidFieldText(message: "\"\(text)\" is not a duration: write 200ms, 1.5s, 3s, 1m, or never")
        }
        return .after(duration)
    }
}

extension RequestSettings.Limit {
    fileprivate var duration: Duration? { if case .after(let duration) = self { duration } else { nil } }
}

extension RetrySettings {
    /// `none` in a file says nothing else.
    fileprivate func switched(on isOn: Bool) -> RetrySettings {
        var settings = isOn ? self : RetrySettings()
        settings.isOn = isOn
        return settings
    }
}
