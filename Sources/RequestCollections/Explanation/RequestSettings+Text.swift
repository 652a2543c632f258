import NetworkLayer

extension RequestSettings {
    /// All settings by key path, in the format's order.
    package static let keys = [
        "timeouts.connect", "timeouts.idle", "timeouts.attempt", "timeouts.operation", "retry", "retry.attempts", "retry.on",
        "retry.backoff.first", "retry.backoff.factor", "retry.backoff.max", "retry.backoff.jitter", "retry.retry-after",
        "redirects.follow", "redirects.max", "redirects.keep-auth", "tls.verify", "tls.ca", "tls.certificate", "tls.key",
        "tls.passphrase", "tls.pins", "tls.min-version", "tls.max-version", "tls.ciphers", "http", "compression", "proxy",
        "resolve", "unix-socket", "expect-continue", "cookie-jar",
        "response.keep",
        "response.limit", "response.hash", "priority",
    ]

    /// A setting as a file may write it; `nil` when nothing is said.
    package func text(of key: String) -> String? {
        switch key {
        case "timeouts.connect": Self.text(timeouts.connect)
        case "timeouts.idle": Self.text(timeouts.idle)
        case "timeouts.attempt": Self.text(timeouts.attempt)
        case "timeouts.operation": Self.text(timeouts.operation)
        case "retry": retry.isOn.map { $0 ? "on" : "none" }
        case "retry.attempts": retry.attempts.map(String.init)
        case "retry.on": retry.conditions.map { $0.joined(separator: ", ") }
        case "retry.backoff.first": retry.first.map(DurationText.format)
        case "retry.backoff.factor": retry.factor.map { factor in Int64(exactly: factor).map { "\($0)" } ?? "\(factor)" }
        case "retry.backoff.max": retry.longest.map(DurationText.format)
        case "retry.backoff.jitter": retry.jitter?.rawValue
        case "retry.retry-after": retry.honoursRetryAfter.map { $0 ? "honour" : "ignore" }
        case "redirects.follow": followRedirects.flatMap(RedirectText.format)
        case "redirects.max": maxRedirects.map(String.init)
        case "redirects.keep-auth": keepAuth.map(RedirectText.format)
        case "tls.verify": verifiesTLS.map(String.init)
        case "tls.ca": authorities
        case "tls.certificate": certificate
        case "tls.key": self.key
        case "tls.passphrase": passphrase.map(Self.hidden)
        case "tls.pins": pins.map { $0.joined(separator: ", ") }
        case "tls.min-version": minimumTLSVersion?.rawValue
        case "tls.max-version": maximumTLSVersion?.rawValue
        case "tls.ciphers": ciphers.map { $0.joined(separator: ", ") }
        case "http": httpVersion?.rawValue
        case "compression": compression.map(String.init)
        case "proxy": proxy.map { $0.isEmpty ? "none" : $0 }
        case "resolve": resolve.map { $0.joined(separator: ", ") }
        case "unix-socket": unixSocket
        case "cookie-jar": cookieJar.map { $0.isEmpty ? "none" : $0 }
        case "expect-continue": expectContinue.map(String.init)
        case "response.keep": keepResponse?.rawValue
        case "response.limit": responseLimit.map(ByteCountText.format)
        case "response.hash": responseHash?.rawValue
        case "priority": priority.flatMap(PriorityText.format)
        default: nil
        }
    }

    private static func text(_ limit: Limit?) -> String? {
        switch limit {
        case nil: nil
        case .never: "never"
        case .after(let duration): DurationText.format(duration)
        }
    }

    /// The templates of a text that is secret; what stands between them is in nobody's way but a reader's.
    package static func hidden(_ text: String) -> String { text.hasPrefix("{{") && text.hasSuffix("}}") ? text : Redactor.mask }

    /// What holds when no level says anything: the network layer's own settings.
    package static var library: RequestSettings {
        let configuration = RequestConfiguration()
        func limit(_ duration: Duration?) -> Limit { duration.map(Limit.after) ?? .never }
        var settings = RequestSettings()
        settings.timeouts.connect = limit(configuration.timeouts.connect)
        settings.timeouts.idle = limit(configuration.timeouts.idle)
        settings.timeouts.attempt = limit(configuration.timeouts.attempt)
        settings.timeouts.operation = limit(configuration.timeouts.operation)
        settings.retry.isOn = false
        settings.followRedirects = configuration.redirects.policy
        settings.maxRedirects = configuration.redirects.limit
        settings.keepAuth = configuration.redirects.keepCredentials
        settings.verifiesTLS = configuration.transport.tls.verifies
        settings.httpVersion = configuration.transport.httpVersion
        settings.compression = configuration.transport.acceptsCompression
        settings.expectContinue = configuration.transport.expectsContinue
        settings.keepResponse = .memory
        settings.priority = .normal
        return settings
    }
}
