/// A key of the collection format.
///
/// One table, ``FormatTable``, feeds the checks of the reader, their sentences, and what is generated from the format.
struct FormatKey: Sendable {
    let name: String
    let takes: FormatShape
    /// What it does, for people who write collections.
    let doc: String

    init(_ name: String, _ takes: FormatShape, _ doc: String) {
        self.name = name
        self.takes = takes
        self.doc = doc
    }
}

/// The keys of one kind of map.
final class FormatTable: Sendable {
    /// As in "key of a request".
    let subject: String
    let keys: [FormatKey]
    private let byName: [String: FormatKey]

    init(_ subject: String, _ keys: [FormatKey]) {
        self.subject = subject
        self.keys = keys
        byName = Dictionary(keys.map { ($0.name, $0) }) { first, _ in first }
    }

    subscript(_ name: String) -> FormatKey? { byName[name] }

    /// Whether a value is a map without an unknown key.
    func knowsAllKeys(of node: YAMLNode) -> Bool {
        node.pairs?.allSatisfy { $0.key.text.flatMap { byName[$0] } != nil } ?? false
    }
}
