import RequestCollections

/// What an expression of a test script stands for.
indirect enum ScriptValue: Hashable, Sendable {
    /// A part of the body.
    case json([Step])
    /// How long a part of the body is.
    case length([Step])
    /// The names in a part of the body.
    case keys([Step])
    case body, status, time, size
    case header(String)
    /// Whether there is such a header.
    case hasHeader(String)
    case literal(JSONValue)
    /// With templates in it.
    case text(String)
    case regex(String, ignoringCase: Bool)
    case typeOf(ScriptValue)
    case undefined

    // What is true or false.
    case not(ScriptValue)
    /// `===`, `<`, `&&` and so on.
    case binary(String, ScriptValue, ScriptValue)
    case contains(ScriptValue, ScriptValue)
    case isArray(ScriptValue)

    // What has no value by itself.
    /// Something that the program brings along, by its name with dots: `pm.environment`.
    case builtin(String)
    /// A method of a value.
    case member(ScriptValue, String)
    /// Its body, in tokens. Calling a generator doesn't run it.
    case function(hasParameters: Bool, runs: Bool, body: Range<Int>)
    /// A call that is a statement, of something that the program brings along.
    case call(String, [ScriptValue])
    /// `expect(…)`, and what stands behind it.
    case assertion(ScriptValue, [Link])
    case unknown

    enum Step: Hashable, Sendable {
        case name(String)
        case index(Int)
    }

    struct Link: Hashable, Sendable {
        var name: String
        /// `nil` for a word that isn't called.
        var arguments: [ScriptValue]?
    }

    static let response = ScriptValue.builtin("pm.response")

    var isResponse: Bool { self == .response || self == .builtin("res") }

    /// Whether it has a value that a variable keeps.
    var isKnown: Bool {
        switch self {
        case .member, .function, .call, .assertion, .unknown: false
        case .builtin: isResponse
        default: true
        }
    }

    /// Whether a response has it.
    var isSubject: Bool {
        switch self {
        case .json, .length, .keys, .body, .status, .time, .size, .header, .hasHeader, .typeOf: true
        default: false
        }
    }

    /// Whether it is true or false, whatever the response.
    var isTest: Bool {
        switch self {
        case .binary(let sign, let left, let right): !["&&", "||"].contains(sign) || left.isTest && right.isTest
        case .not, .contains, .isArray, .hasHeader: true
        default: false
        }
    }

    /// Where in the body it is.
    var path: [Step]? {
        switch self {
        case .json(let path), .length(let path), .keys(let path): path
        case .typeOf(let inner): inner.path
        default: nil
        }
    }

    /// What it is compared with; texts may have templates.
    var json: JSONValue? {
        switch self {
        case .literal(let value): value.mapTexts { TemplateText($0).text }
        case .text(let text): .string(text)
        default: nil
        }
    }

    /// A text without templates.
    var name: String? { if case .literal(.string(let text)) = self { text } else { nil } }

    /// What a variable takes it from.
    var source: CaptureSource? {
        switch self {
        case .length(let path): .filter("\(Self.filter(path)) | length")
        case .time, .size, .typeOf: nil
        case .header(let name): .header(name)
        default: subject.map { CaptureSource($0) }
        }
    }

    var subject: ExpectationSubject? {
        switch self {
        case .json(let path), .length(let path): .filter(Self.filter(path))
        case .keys(let path): .filter("\(Self.filter(path)) | keys")
        case .body: .body
        case .status: .status
        case .size: .size
        case .time: .time("total")
        case .header(let name): .header(name.lowercased())
        case .typeOf(let inner): inner.subject
        default: nil
        }
    }

    func expectation(_ matcher: Matcher) -> ExpectationDefinition? {
        let matcher = if case .length = self { Matcher.length(matcher) } else { matcher }
        return subject.map { ExpectationDefinition($0, matcher, location: .none) }
    }

    /// A part of the body; what every object of JavaScript has isn't.
    static func part(_ name: String, of path: [Step]) -> ScriptValue {
        let inherited = [
            "constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
            "__proto__", "length",
        ]
        return inherited.contains(name) || Int(name) != nil ? .unknown : .json(path + [.name(name)])
    }

    /// In jq's language: `.items[0].id`, `.["a b"]`.
    private static func filter(_ path: [Step]) -> String {
        var filter = ""
        for step in path {
            switch step {
            case .name(let name) where name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil: filter += ".\(name)"
            case .name(let name): filter += "\(filter.isEmpty ? "." : "")[\(JSONValue.string(name).text(pretty: false))]"
            case .index(let index): filter += "\(filter.isEmpty ? "." : "")[\(index)]"
            }
        }
        return filter.isEmpty ? "." : filter
    }
}

/// That a value is what it must be.
struct ScriptClaim: Hashable {
    var value: ScriptValue
    var matcher: Matcher

    init(_ value: ScriptValue, _ matcher: Matcher) {
        self.value = value
        self.matcher = matcher
    }
}

/// What a script reads of the body: where that isn't there, JavaScript ends it with an error.
struct ScriptNeeds {
    /// Neither missing nor null.
    var paths: Set<[ScriptValue.Step]> = []
    /// The body is JSON.
    var parses = false

    /// - Parameter guards: what was asked before, and is there.
    mutating func add(_ other: ScriptNeeds, behind guards: [[ScriptValue.Step]] = []) {
        parses = parses || other.parses
        paths.formUnion(other.paths.filter { path in !guards.contains { $0.starts(with: path) } })
    }
}
