import NetworkLayer

/// What the settings of a request are set into: first of all the network layer's own standard.
struct SettingTarget: Hashable, Sendable {
    /// All but what is said about retries.
    var configuration = RequestConfiguration()
    var priority = Priority.normal
    var delay: DelaySetting?
    var savesResponse: String?
    /// As the file says it; the empty name is that of no jar.
    var cookieJar: String? {
        didSet { configuration.cookies = CookieConfiguration(jarChoice) }
    }
    var retries = false
    /// Means something only with ``retries``.
    var rules = RetryRules()

    /// How the request is sent.
    var complete: RequestConfiguration {
        var configuration = configuration
        if retries { configuration.retry = [rules] }
        return configuration
    }
}

// The network layer's values as the format says them.

extension SettingTarget {
    var keepsResponse: RequestSettings.KeepResponse {
        get {
            switch configuration.consumption {
            case .none: .none
            case .memory, .stream: .memory
            case .file, .download: .file
            }
        }
        set {
            switch newValue {
            case .memory: configuration.consumption = SettingTarget().configuration.consumption
            case .file: configuration.consumption = .file(directory: nil)
            case .none: configuration.consumption = .none
            }
        }
    }

    /// Bytes.
    var responseLimit: Int? {
        get { configuration.limits.bodyBytes.map { Int($0) } }
        set { configuration.limits.bodyBytes = newValue.map { Int64($0) } }
    }

    var jarChoice: CookieJarChoice {
        guard let cookieJar else { return .unsaid }
        return cookieJar.isEmpty ? .refused : .named(cookieJar)
    }

    var passphrase: String? {
        get { configuration.transport.tls.passphrase?.text }
        set { configuration.transport.tls.passphrase = newValue.map { Passphrase($0) } }
    }

    /// Bytes in a second; what is sent and what is received have the same.
    var rate: Int? {
        get { configuration.transport.wire.receiveRate.map { Int($0) } }
        set {
            configuration.transport.wire.receiveRate = newValue.map { Int64($0) }
            configuration.transport.wire.sendRate = configuration.transport.wire.receiveRate
        }
    }

    var keepsPost: [String] {
        get { configuration.redirects.postingStatuses.sorted().map(String.init) }
        set { configuration.redirects.postingStatuses = Set(newValue.compactMap { Int($0) }) }
    }

    /// As ``RetryCondition`` reads them.
    var retryTriggers: [String] {
        get { rules.on.map(\.description).sorted() }
        set { rules.on = Set(newValue.compactMap { RetryCondition($0) }) }
    }

    var honoursRetryAfter: Bool {
        get { rules.retryAfter != .ignore }
        set { rules.retryAfter = newValue ? .honour() : .ignore }
    }
}

extension Duration? {
    /// A timeout of the network layer, where `nil` is never.
    var limit: RequestSettings.Limit? {
        get { map { .after($0) } ?? .never }
        set {
            switch newValue {
            case nil, .never: self = nil
            case .after(let duration): self = duration
            }
        }
    }
}
