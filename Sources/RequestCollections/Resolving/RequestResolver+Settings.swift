import FoundationEssentials
import NetworkLayer

extension RequestResolver {
    mutating func configuration() throws(ResolutionError) -> (RequestConfiguration, Priority) {
        var configuration = RequestConfiguration()
        try setTimeouts(&configuration.timeouts)
        if let policy = setting(\.followRedirects, "redirects.follow")?.value { configuration.redirects.policy = policy }
        if let limit = setting(\.maxRedirects, "redirects.max")?.value { configuration.redirects.limit = limit }
        if let scope = setting(\.keepAuth, "redirects.keep-auth")?.value { configuration.redirects.keepCredentials = scope }
        switch setting(\.keepResponse, "response.keep")?.value {
        case .memory, nil: break
        case .file: configuration.consumption = .file(directory: nil)
        case .some(.none): configuration.consumption = .none
        }
        if let limit = setting(\.responseLimit, "response.limit")?.value { configuration.limits.bodyBytes = Int64(limit) }
        if let hash = setting(\.responseHash, "response.hash")?.value { configuration.hash = hash }
        if let rules = retry().rules { configuration.retry = [rules] }
        if let jar = try text(\.cookieJar, "cookie-jar"), !jar.isEmpty {
            configuration.cookies = CookieConfiguration(acceptance: .always, sends: true, jar: jar)
        }
        try setTransport(&configuration.transport)
        return (configuration, setting(\.priority, "priority")?.value ?? .normal)
    }

    /// The levels' retries, merged key by key.
    private mutating func retry() -> RetrySettings {
        var retry = RetrySettings()
        retry.isOn = setting(\.retry.isOn, "retry")?.value
        retry.attempts = setting(\.retry.attempts, "retry.attempts")?.value
        retry.conditions = setting(\.retry.conditions, "retry.on")?.value
        retry.first = setting(\.retry.first, "retry.backoff.first")?.value
        retry.factor = setting(\.retry.factor, "retry.backoff.factor")?.value
        retry.longest = setting(\.retry.longest, "retry.backoff.max")?.value
        retry.jitter = setting(\.retry.jitter, "retry.backoff.jitter")?.value
        retry.honoursRetryAfter = setting(\.retry.honoursRetryAfter, "retry.retry-after")?.value
        return retry
    }

    private mutating func setTimeouts(_ timeouts: inout Timeouts) throws(ResolutionError) {
        timeouts.shortest = .zero
        func duration(_ limit: RequestSettings.Limit) -> Duration? {
            switch limit {
            case .after(let duration): duration
            case .never: nil
            }
        }
        if let limit = setting(\.timeouts.connect, "timeouts.connect")?.value { timeouts.connect = duration(limit) }
        if let limit = setting(\.timeouts.idle, "timeouts.idle")?.value { timeouts.idle = duration(limit) }
        if let limit = setting(\.timeouts.attempt, "timeouts.attempt")?.value { timeouts.attempt = duration(limit) }
        if let limit = setting(\.timeouts.operation, "timeouts.operation")?.value { timeouts.operation = duration(limit) }
    }

    private mutating func setTransport(_ options: inout TransportOptions) throws(ResolutionError) {
        if let version = setting(\.httpVersion, "http")?.value { options.httpVersion = version }
        if let compression = setting(\.compression, "compression")?.value { options.acceptsCompression = compression }
        if let expects = setting(\.expectContinue, "expect-continue")?.value { options.expectsContinue = expects }
        options.proxy = try proxy() ?? options.proxy
        options.unixSocket = try path(\.unixSocket, "unix-socket") ?? options.unixSocket
        if let (values, level) = setting(\.resolve, "resolve") { options.resolve = try texts(values, level, "resolve") }
        if let verifies = setting(\.verifiesTLS, "tls.verify")?.value { options.tls.verifies = verifies }
        options.tls.authorities = try readable(\.authorities, "tls.ca") ?? options.tls.authorities
        options.tls.certificate = try readable(\.certificate, "tls.certificate") ?? options.tls.certificate
        options.tls.key = try readable(\.key, "tls.key") ?? options.tls.key
        if let (values, level) = setting(\.pins, "tls.pins") {
            options.tls.pins = []
            for pin in try texts(values, level, "tls.pins") {
                // What is no key is a file beside the one that names it.
                let isKey = pin.hasPrefix("sha256//")
                let file = isKey ? pin : try readable(joined(level.directory, pin), "tls.pins", at: level.places["tls.pins"])
                options.tls.pins.append(file)
            }
        }
        options.tls.passphrase = try text(\.passphrase, "tls.passphrase").map(Passphrase.init) ?? options.tls.passphrase
        if let version = setting(\.minimumTLSVersion, "tls.min-version")?.value { options.tls.minimumVersion = version }
        if let version = setting(\.maximumTLSVersion, "tls.max-version")?.value { options.tls.maximumVersion = version }
        if let (values, level) = setting(\.ciphers, "tls.ciphers") { options.tls.ciphers = try texts(values, level, "tls.ciphers") }
    }

    /// The nearest level's value.
    mutating func setting<Value>(
        _ setting: KeyPath<RequestSettings, Value?>, _ key: String
    ) -> (value: Value, level: Level)? {
        for level in levels.reversed() {
            guard let value = level.settings[keyPath: setting] else { continue }
            origins.append(ValueOrigin(.setting(key), from: level.source, at: level.places[key]))
            return (value, level)
        }
        return nil
    }

    private mutating func text(_ setting: KeyPath<RequestSettings, String?>, _ key: String) throws(ResolutionError) -> String? {
        guard let (value, level) = self.setting(setting, key) else { return nil }
        return try scope.text(value, at: level.places[key]).text
    }

    private mutating func proxy() throws(ResolutionError) -> String? {
        guard let (value, level) = setting(\.proxy, "proxy") else { return nil }
        let text = try scope.text(value, at: level.places["proxy"])
        let hasScheme = text.text.firstRange(of: "://") != nil
        try checkAddress(hasScheme || text.isAllSecret ? text : "http://" + text, at: level.places["proxy"] ?? definition.location)
        secrets.note(text.labels, in: .proxy, to: URL(international: text.text).flatMap { Origin($0) })
        return text.text
    }

    private mutating func texts(_ values: [String], _ level: Level, _ key: String) throws(ResolutionError) -> [String] {
        var texts: [String] = []
        for value in values { texts.append(try scope.text(value, at: level.places[key]).text) }
        return texts
    }

    /// As ``path(_:_:)``, of a file or directory that is there: else libcurl would find out in the middle, and call it a failure of TLS.
    private mutating func readable(
        _ setting: KeyPath<RequestSettings, String?>, _ key: String
    ) throws(ResolutionError) -> String? {
        guard let path = try path(setting, key) else { return nil }
        return try readable(path, key, at: self.setting(setting, key)?.level.places[key])
    }

    /// - Returns: the path without links; as it is written, where it isn't read.
    private mutating func readable(_ path: String, _ key: String, at place: SourceLocation?) throws(ResolutionError) -> String {
        guard let file = scope.file(path, as: .certificate, for: key, at: place) else { return path }
        // Who only looks at the request may do so on a machine that can't send it.
        guard !scope.sources.showsPlaceholders else { return path }
        do throws(CollectionFileError) {
            try file.checkReadable()
        } catch {
            throw ResolutionError(.file, "`\(key)`: \(error)", at: place)
        }
        return file.path
    }

    /// Relative to the file in which it stands.
    private mutating func path(_ setting: KeyPath<RequestSettings, String?>, _ key: String) throws(ResolutionError) -> String? {
        guard let (value, level) = self.setting(setting, key) else { return nil }
        return joined(level.directory, try scope.text(value, at: level.places[key]).text)
    }
}
