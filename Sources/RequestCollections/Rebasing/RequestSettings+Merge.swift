import NetworkLayer

/// A setting that is merged by itself. What is in no such entry is merged with the rest of the request, as a whole.
struct MergeableSetting: Sendable {
    /// As ``RequestSettings/keys`` has it.
    var name: String
    var isSame: @Sendable (RequestSettings, RequestSettings) -> Bool
    var copy: @Sendable (_ from: RequestSettings, _ to: inout RequestSettings) -> Void

    init<Value: Equatable & SendableMetatype>(_ name: String, _ setting: any WritableKeyPath<RequestSettings, Value?> & Sendable) {
        self.name = name
        isSame = { $0[keyPath: setting] == $1[keyPath: setting] }
        copy = { $1[keyPath: setting] = $0[keyPath: setting] }
    }
}

extension RequestSettings {
    static let mergeable: [MergeableSetting] = [
        .init("timeouts.connect", \.timeouts.connect), .init("timeouts.idle", \.timeouts.idle),
        .init("timeouts.attempt", \.timeouts.attempt), .init("timeouts.operation", \.timeouts.operation),
        .init("retry", \.retry.isOn), .init("retry.attempts", \.retry.attempts), .init("retry.on", \.retry.conditions),
        .init("retry.backoff.first", \.retry.first), .init("retry.backoff.factor", \.retry.factor),
        .init("retry.backoff.max", \.retry.longest), .init("retry.backoff.jitter", \.retry.jitter),
        .init("retry.retry-after", \.retry.honoursRetryAfter), .init("redirects.follow", \.followRedirects),
        .init("redirects.max", \.maxRedirects), .init("redirects.keep-auth", \.keepAuth), .init("tls.verify", \.verifiesTLS),
        .init("tls.ca", \.authorities), .init("tls.certificate", \.certificate), .init("tls.key", \.key),
        .init("tls.passphrase", \.passphrase), .init("tls.pins", \.pins), .init("tls.min-version", \.minimumTLSVersion),
        .init("tls.max-version", \.maximumTLSVersion), .init("tls.ciphers", \.ciphers), .init("http", \.httpVersion),
        .init("compression", \.compression), .init("proxy", \.proxy), .init("resolve", \.resolve),
        .init("unix-socket", \.unixSocket), .init("expect-continue", \.expectContinue), .init("cookie-jar", \.cookieJar),
        .init("response.keep", \.keepResponse), .init("response.limit", \.responseLimit), .init("response.hash", \.responseHash),
        .init("priority", \.priority),
    ]
}
