import RequestCollections

/// What an expression of a test script stands for.
indirect enum ScriptValue: Hashable, Sendable {
    case response
    /// A part of the body.
    case json([Step])
    /// How long a part of the body is.
    case length([Step])
    case body, status, time, size
    case header(String)
    case cookie(String)
    case literal(JSONValue)
    /// With templates in it.
    case text(String)
    case regex(String, ignoringCase: Bool)
    case typeOf(ScriptValue)
    case undefined
    case unknown

    enum Step: Hashable, Sendable {
        case name(String)
        case index(Int)
    }

    /// Whether a response has it.
    var isSubject: Bool {
        switch self {
        case .json, .length, .body, .status, .time, .size, .header, .cookie, .typeOf: true
        case .response, .literal, .text, .regex, .undefined, .unknown: false
        }
    }

    /// What a variable takes it from.
    var source: CaptureSource? {
        switch self {
        case .json(let path): .filter(Self.filter(path))
        case .length(let path): .filter("\(Self.filter(path)) | length")
        case .body: .body
        case .status: .status
        case .header(let name): .header(name)
        case .cookie(let name): .cookie(name)
        case .time, .size, .response, .literal, .text, .regex, .typeOf, .undefined, .unknown: nil
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

    func expectation(_ matcher: Matcher) -> ExpectationDefinition? {
        let subject: ExpectationSubject
        var matcher = matcher
        switch self {
        case .json(let path): subject = .filter(Self.filter(path))
        case .length(let path):
            subject = .filter(Self.filter(path))
            matcher = .length(matcher)
        case .body: subject = .body
        case .status: subject = .status
        case .size: subject = .size
        case .time: subject = .time("total")
        case .header(let name): subject = .header(name.lowercased())
        case .cookie(let name): subject = .cookie(name)
        case .typeOf(let inner): return inner.expectation(matcher)
        case .response, .literal, .text, .regex, .undefined, .unknown: return nil
        }
        return ExpectationDefinition(subject, matcher, location: .none)
    }

    /// In jq's language: `.items[0].id`, `.["a b"]`.
    static func filter(_ path: [Step]) -> String {
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
