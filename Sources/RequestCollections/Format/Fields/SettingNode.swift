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
