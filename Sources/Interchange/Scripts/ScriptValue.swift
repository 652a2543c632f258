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

    enum Step: Hashable, Sendable {
        case name(String)
        case index(Int)
    }

    /// Whether it may be a list or map, or a part of one, which others may change.
    var isShared: Bool { path != nil }

    var isType: Bool { if case .typeOf = self { true } else { false } }

    /// Whether a response has it.
    var isSubject: Bool {
        switch self {
        case .json, .length, .keys, .body, .status, .time, .size, .header, .hasHeader, .typeOf: true
        case .response, .literal, .text, .regex, .undefined, .unknown: false
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

    /// What a variable takes it from.
    var source: CaptureSource? {
        switch self {
        case .length(let path): return .filter("\(Self.filter(path)) | length")
        case .time, .size, .typeOf: return nil
        case .header(let name): return .header(name)
        default: return expectation(.exists).map { CaptureSource($0.subject) }
        }
    }

    func expectation(_ matcher: Matcher) -> ExpectationDefinition? {
        switch self {
        case .json(let path): .init(.filter(Self.filter(path)), matcher, location: .none)
        case .length(let path): .init(.filter(Self.filter(path)), .length(matcher), location: .none)
        case .keys(let path): .init(.filter("\(Self.filter(path)) | keys"), matcher, location: .none)
        case .body: .init(.body, matcher, location: .none)
        case .status: .init(.status, matcher, location: .none)
        case .size: .init(.size, matcher, location: .none)
        case .time: .init(.time("total"), matcher, location: .none)
        case .header(let name): .init(.header(name.lowercased()), matcher, location: .none)
        case .typeOf(let inner): inner.expectation(matcher)
        case .response, .literal, .text, .regex, .undefined, .unknown, .hasHeader: nil
        }
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

// MARK: Expressions

extension TestScript {
    static let expects: Set<String> = ["pm.expect", "insomnia.expect", "expect", "chai.expect"]

    private static let stores = ["pm", "insomnia"].flatMap { program in
        ["environment", "globals", "collectionVariables", "variables", "baseEnvironment"].map { "\(program).\($0)" }
    }

    private static func functions(_ name: String, _ others: String...) -> Set<String> {
        Set(stores.map { "\($0).\(name)" } + others)
    }

    static let setters = functions(
        "set", "postman.setEnvironmentVariable", "postman.setGlobalVariable", "bru.setVar", "bru.setEnvVar", "bru.setGlobalEnvVar",
        "client.global.set", "insomnia.setEnvironmentVariable")
    private static let getters = functions(
        "get", "postman.getEnvironmentVariable", "postman.getGlobalVariable", "bru.getVar", "bru.getEnvVar", "bru.getGlobalEnvVar",
        "client.global.get", "insomnia.getEnvironmentVariable")
    private static let removers = functions(
        "unset", "postman.clearEnvironmentVariable", "postman.clearGlobalVariable", "bru.deleteVar", "bru.deleteEnvVar",
        "client.global.clear")
    private static let clearers = functions(
        "clear", "postman.clearEnvironmentVariables", "postman.clearGlobalVariables", "bru.deleteAllVars", "client.global.clearAll")

    /// Whether a function changes all variables of the collection, or that which its first argument names; `nil`: none.
    static func change(of path: String) -> Bool? {
        if setters.contains(path) || removers.contains(path) { return false }
        return clearers.contains(path) ? true : nil
    }

    private static let known: [String: ScriptValue] = {
        var known: [String: ScriptValue] = [
            "responseBody": .body, "responseCode.code": .status, "responseTime": .time, "res.status": .status,
            "res.body": .json([]),
            "response.status": .status, "response.body": .json([]), "res.responseTime": .time, "undefined": .undefined,
            "null": .literal(.null), "true": .literal(.boolean(true)), "false": .literal(.boolean(false)), "res": .response,
        ]
        for program in ["pm", "insomnia"] {
            known["\(program).response"] = .response
            known["\(program).response.code"] = .status
            known["\(program).response.responseTime"] = .time
            known["\(program).response.responseSize"] = .size
        }
        return known
    }()

    /// What an expression alone stands for; `nil` for one that isn't read.
    static func value(of text: String) -> ScriptValue? {
        guard let tokens = try? ScriptLexer.tokens(Array(text.utf8)), let reader = try? ScriptReader(tokens),
            let statement = reader.statements(in: tokens.indices).first, statement.tokens == tokens.indices,
            case .expression(let node) = statement.kind
        else { return nil }
        return TestScript("").value(node)
    }

    func value(_ node: ScriptNode) -> ScriptValue {
        switch node {
        case .text(let text): return .literal(.string(text))
        case .number(let digits): return Self.number(digits).map(ScriptValue.literal) ?? .unknown
        case .unary("-", .number(let digits)):
            // Zero has a sign in JavaScript.
            guard case .number(let digits)? = Self.number(digits), digits != "0" else { return .unknown }
            return .literal(.number("-\(digits)"))
        case .unary("?.", let inner): return value(inner)
        case .regex(let pattern, let flags):
            return ScriptPattern.translated(pattern, flags: flags).map { .regex($0, ignoringCase: flags == "i") } ?? .unknown
        case .unary("typeof", let inner): return value(inner).path == nil ? .unknown : .typeOf(value(inner))
        case .template(let texts, let nodes): return joined(texts, nodes.map(value))
        case .binary("+", let left, let right):
            let values = [value(left), value(right)]
            // Numbers are added up.
            let isText = values.contains { if case .literal(.string) = $0 { true } else { false } }
            return isText ? joined(["", "", ""], values) : .unknown
        case .array, .object: return literal(node).map(ScriptValue.literal) ?? .unknown
        case .name(let name): return named(name) ?? Self.known[name] ?? .unknown
        case .member(let inner, let name):
            if let path = builtin(node), let known = Self.known[path] { return known }
            switch (value(inner), name) {
            case (.json(let path), "length"): return .length(path)
            case (.json(let path), _): return Self.part(name, of: path)
            case (.response, "code"): return .status
            case (.response, "responseTime"): return .time
            case (.response, "responseSize"): return .size
            default: return .unknown
            }
        case .index(let inner, let key):
            switch (value(inner), value(key)) {
            case (.json(let path), .literal(.string(let name))): return Self.part(name, of: path)
            case (.json(let path), .literal(.number(let digits))):
                return Int(digits).flatMap { $0 < 0 ? nil : .json(path + [.index($0)]) } ?? .unknown
            default: return .unknown
            }
        case .call(let callee, let arguments): return call(callee, arguments)
        case .function, .unary, .binary: return .unknown
        }
    }

    /// In the form in which JavaScript shows it.
    private static func number(_ digits: String) -> JSONValue? {
        guard digits.wholeMatch(of: /(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][+-]?[0-9]+)?/) != nil, let number = Double("0\(digits)"),
            number < 1e15
        else { return nil }
        if number == number.rounded() { return .number("\(Int(number))") }
        let text = "\(number)"
        return text.contains("e") ? nil : .number(text)
    }

    private func literal(_ node: ScriptNode) -> JSONValue? {
        switch node {
        case .array(let nodes):
            let values = nodes.compactMap(literal)
            return values.count == nodes.count ? .array(values) : nil
        case .object(let members):
            let parts = members.compactMap { member -> JSONValue.Member? in
                guard member.name != "__proto__", !member.name.contains("{{") else { return nil }
                return literal(member.value).map { JSONValue.Member(name: member.name, value: $0) }
            }
            return parts.count == members.count && Set(parts.map(\.name)).count == parts.count ? .object(parts) : nil
        default: if case .literal(let value) = value(node) { return value } else { return nil }
        }
    }

    /// Every object of JavaScript has these.
    private static let inherited: Set<String> = [
        "constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
        "__proto__",
        "length",
    ]

    static func part(_ name: String, of path: [ScriptValue.Step]) -> ScriptValue {
        inherited.contains(name) || Int(name) != nil ? .unknown : .json(path + [.name(name)])
    }

    private func call(_ callee: ScriptNode, _ arguments: [ScriptNode]) -> ScriptValue {
        func name() -> String? {
            if arguments.count == 1, case .literal(.string(let text)) = value(arguments[0]) { text } else { nil }
        }
        switch builtin(callee) {
        case "JSON.parse": return arguments.count == 1 && value(arguments[0]) == .body ? .json([]) : .unknown
        case "pm.response.headers.get", "insomnia.response.headers.get", "postman.getResponseHeader", "response.headers.valueOf",
            "res.getHeader":
            return name().map(ScriptValue.header) ?? .unknown
        case "pm.response.headers.has", "insomnia.response.headers.has": return name().map(ScriptValue.hasHeader) ?? .unknown
        case "res.getBody" where arguments.isEmpty: return .json([])
        case "res.getStatus": return .status
        case "res.getResponseTime": return .time
        case let path? where Self.getters.contains(path):
            guard let name = name().map(VariableName.make), !isChanged(name) else { return .unknown }
            return .text("{{\(name)}}")
        default: break
        }
        guard case .member(let inner, let method) = callee, value(inner) == .response, arguments.isEmpty else { return .unknown }
        return method == "json" ? .json([]) : method == "text" ? .body : .unknown
    }

    /// Texts with values between them; `texts` has one more than `values`.
    private func joined(_ texts: [String], _ values: [ScriptValue]) -> ScriptValue {
        let parts = zip(texts.map { ScriptValue.literal(.string($0)) }, values + [.literal(.string(""))]).flatMap { [$0, $1] }
        var plain = ""
        var template = ""
        var isTemplate = false
        for part in parts {
            switch part {
            case .literal(.string(let text)), .literal(.number(let text)):
                plain += text
                template += TemplateText(text).text
            case .text(let text):
                template += text
                isTemplate = true
            default: return .unknown
            }
        }
        return isTemplate ? .text(template) : .literal(.string(plain))
    }
}
