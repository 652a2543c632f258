import RequestCollections

/// What an expression of a test script stands for.
indirect enum ScriptValue: Hashable, Sendable {
    case response
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
    case unknown

    /// Whether it may be a list or map, or a part of one, which others may change.
    var isShared: Bool {
        switch self {
        case .json, .length, .keys: true
        case .typeOf(let inner): inner.isShared
        default: false
        }
    }

    enum Step: Hashable, Sendable {
        case name(String)
        case index(Int)
    }

    /// Whether a response has it.
    var isSubject: Bool {
        switch self {
        case .json, .length, .keys, .body, .status, .time, .size, .header, .hasHeader, .typeOf: true
        case .response, .literal, .text, .regex, .undefined, .unknown: false
        }
    }

    /// What a variable takes it from.
    var source: CaptureSource? {
        switch self {
        case .json(let path): .filter(Self.filter(path))
        case .length(let path): .filter("\(Self.filter(path)) | length")
        case .keys(let path): .filter("\(Self.filter(path)) | keys")
        case .body: .body
        case .status: .status
        case .header(let name): .header(name)
        case .time, .size, .response, .literal, .text, .regex, .typeOf, .undefined, .unknown, .hasHeader: nil
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

    func expectation(_ matcher: Matcher) -> ExpectationDefinition? {
        let subject: ExpectationSubject
        var matcher = matcher
        switch self {
        case .json(let path): subject = .filter(Self.filter(path))
        case .length(let path):
            subject = .filter(Self.filter(path))
            matcher = .length(matcher)
        case .keys(let path): subject = .filter("\(Self.filter(path)) | keys")
        case .body: subject = .body
        case .status: subject = .status
        case .size: subject = .size
        case .time: subject = .time("total")
        case .header(let name): subject = .header(name.lowercased())
        case .typeOf(let inner): return inner.expectation(matcher)
        case .response, .literal, .text, .regex, .undefined, .unknown, .hasHeader: return nil
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
