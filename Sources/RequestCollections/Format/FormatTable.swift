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

/// What may stand behind a key.
indirect enum FormatShape: Sendable {
    /// Any scalar but `null`, with templates.
    case text
    /// Text that isn't a number, `true` or `false`, with templates.
    case name
    /// The same for people only: braces mean nothing in it.
    case prose
    /// The name of an environment variable.
    case environmentVariable
    case integer
    case boolean
    /// `200ms 3s 1m 1h`, more than nothing, or `never`.
    case timeout
    case duration
    /// A duration, or `100ms..2s`.
    case durationRange
    /// A port, or the first and the last one: `8000-8010`.
    case ports
    /// A number in a range, that may have a point.
    case number(ClosedRange<Double>)
    /// A whole number in a range.
    case count(ClosedRange<Int>)
    /// What a request is tried again after: `503`, `5xx`, `timeout`.
    case retryTrigger
    /// What a value of the response must be.
    case matcher(MatcherKind)
    /// A matcher for the body's text, or a map of filters with a matcher each.
    case bodyMatcher
    /// Bytes, with `B KB MB GB KiB MiB GiB` or without.
    case byteCount
    case oneOf([String])
    /// A map of named values; `null` removes, a list repeats, `{ value:, enabled: }` can be off.
    case rows
    /// A map of the parts of a multipart body.
    case parts
    case list(FormatShape)
    /// A text or list that has something in it.
    case notEmpty(FormatShape)
    /// What a capture takes: see ``CaptureSource``.
    case captureSource
    /// What is done to a value: one step, or a list of them.
    case steps
    /// Named values whose names templates can use.
    case variables(FormatShape)
    /// What variables must be: a map of them, with `any` for a list of such maps.
    case conditions
    /// A variable and what it goes through, the long form of that, or a list of either.
    case loop(FormatTable)
    case named(FormatShape)
    case keys(FormatTable)
    case either([FormatShape])
    /// Folders and requests by name.
    case nodes
    case anything
}
