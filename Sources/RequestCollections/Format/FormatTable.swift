/// A key of the collection format.
///
/// One table, ``FormatTable``, feeds the checks of the reader, their sentences, and what is generated from the format.
struct FormatKey: Sendable {
    let name: String
    let takes: FormatShape
    /// What it does, for people who write collections.
    let doc: String
    /// Everything else that is known about a setting.
    let setting: SettingField?

    init(_ name: String, _ takes: FormatShape, _ doc: String, _ setting: SettingField? = nil) {
        self.name = name
        self.takes = takes
        self.doc = doc
        self.setting = setting
    }
}

/// What must be of the keys of a map together.
enum FormatRule: Hashable, Sendable {
    case required([String])
    /// Exactly one of these keys must be there.
    case exactlyOne(of: [String])
    case atMostOne(of: [String])
    case notEmpty
    /// Where the first key has such a value (`nil`: it is absent), the other keys are required.
    case requiredBy(String, [String?: [String]])
}

/// The keys of one kind of map.
final class FormatTable: Sendable {
    /// As in "key of a request".
    let subject: String
    let keys: [FormatKey]
    /// What else must be, beside the shape of each value. The reader says it in its own words, the schema by these.
    let rules: [FormatRule]
    private let byName: [String: FormatKey]

    convenience init(_ subject: String, _ keys: [FormatKey], _ rules: FormatRule...) { self.init(subject, keys, rules: rules) }

    init(_ subject: String, _ keys: [FormatKey], rules: [FormatRule]) {
        self.subject = subject
        self.keys = keys
        self.rules = rules
        byName = Dictionary(keys.map { ($0.name, $0) }) { first, _ in first }
    }

    subscript(_ name: String) -> FormatKey? { byName[name] }

    /// Whether a value is a map without an unknown key.
    func knowsAllKeys(of node: YAMLNode) -> Bool {
        node.pairs?.allSatisfy { $0.key.text.flatMap { byName[$0] } != nil } ?? false
    }
}
