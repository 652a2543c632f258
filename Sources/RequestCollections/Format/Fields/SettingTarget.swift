import NetworkLayer

/// What the settings of a request are set into: first of all the network layer's own standard.
struct SettingTarget: Hashable, Sendable {
    /// All but what is said about retries.
    var configuration = RequestConfiguration()
    var priority = Priority.normal
    var delay: DelaySetting?
    var savesResponse: String?
    /// Nothing that is sent depends on it.
    var graphQLSchema: String?
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

/// A key among the settings of a request or of defaults: a setting, a map of settings, or either.
final class SettingNode: Sendable {
    let name: String
    let field: SettingField?
    /// What stands in its map; none where it takes no map.
    let children: [SettingNode]
    /// Those at and below it.
    let fields: [SettingField]

    private init(key: String) {
        name = key.split(separator: ".").last.map(String.init) ?? key
        field = SettingField[key]
        children = Self.nodes(in: key + ".")
        fields = (field.map { [$0] } ?? []) + children.flatMap(\.fields)
    }

    /// The keys of a request and of defaults that are settings, in the format's order.
    static let all = nodes(in: "")

    static func named(_ name: String) -> SettingNode? { byName[name] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    private static func nodes(in prefix: String) -> [SettingNode] {
        var keys: [String] = []
        for field in SettingField.all where field.key.hasPrefix(prefix) {
            let key = prefix + field.key.dropFirst(prefix.count).prefix { $0 != "." }
            if !keys.contains(key) { keys.append(key) }
        }
        return keys.map { SettingNode(key: $0) }
    }
}

extension FormatTable {
    /// The same keys in a request and in defaults.
    static let settings = SettingNode.all.map { $0.formatKey(in: "") }
}

extension SettingNode {
    fileprivate func formatKey(in prefix: String) -> FormatKey {
        guard !children.isEmpty else { return FormatKey(name, field?.shape ?? .anything, field?.help ?? "", field) }
        let key = prefix + name
        let map = FormatShape.keys(FormatTable(name, children.map { $0.formatKey(in: key + ".") }))
        return FormatKey(name, field.map { .either([$0.shape, map]) } ?? map, Self.helps[key] ?? "", field)
    }
}
