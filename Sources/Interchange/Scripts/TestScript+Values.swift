import RequestCollections

extension TestScript {
    static let expects: Set<String> = ["pm.expect", "insomnia.expect", "expect", "chai.expect"]

    static let setters: Set<String> = Set(
        stores.map { "\($0).set" } + [
            "postman.setEnvironmentVariable", "postman.setGlobalVariable", "bru.setVar", "bru.setEnvVar", "bru.setGlobalEnvVar",
            "client.global.set", "insomnia.setEnvironmentVariable",
        ])

    private static let stores = ["pm", "insomnia"].flatMap { program in
        ["environment", "globals", "collectionVariables", "variables", "baseEnvironment"].map { "\(program).\($0)" }
    }

    private static let getters: Set<String> = Set(
        stores.map { "\($0).get" } + [
            "postman.getEnvironmentVariable", "postman.getGlobalVariable", "bru.getVar", "bru.getEnvVar", "bru.getGlobalEnvVar",
            "client.global.get", "insomnia.getEnvironmentVariable",
        ])

    private static let removers: Set<String> = Set(
        stores.map { "\($0).unset" } + [
            "postman.clearEnvironmentVariable", "postman.clearGlobalVariable", "bru.deleteVar", "bru.deleteEnvVar",
            "client.global.clear",
        ])

    private static let clearers: Set<String> = Set(
        stores.map { "\($0).clear" } + [
            "postman.clearEnvironmentVariables", "postman.clearGlobalVariables", "bru.deleteAllVars", "client.global.clearAll",
        ])

    /// Whether a function changes all variables of the collection, or that which its first argument names; `nil`: none.
    static func change(of path: String) -> Bool? {
        if setters.contains(path) || removers.contains(path) { return false }
        return clearers.contains(path) ? true : nil
    }

    private static let known: [String: ScriptValue] = {
        var known: [String: ScriptValue] = [
            "responseBody": .body, "responseCode.code": .status, "responseTime": .time, "res.status": .status,
            "res.body": .json([]), "response.status": .status, "response.body": .json([]), "res.responseTime": .time,
            "undefined": .undefined, "null": .literal(.null), "true": .literal(.boolean(true)),
            "false": .literal(.boolean(false)), "res": .response,
        ]
        for program in ["pm", "insomnia"] {
            known["\(program).response"] = .response
            known["\(program).response.code"] = .status
            known["\(program).response.responseTime"] = .time
            known["\(program).response.responseSize"] = .size
        }
        return known
    }()

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
            return values.contains(where: \.isText) ? joined(["", "", ""], values) : .unknown
        case .array, .object: return Self.literal(node, self).map(ScriptValue.literal) ?? .unknown
        case .name(let name): return named(name) ?? Self.known[name] ?? .unknown
        case .member(let inner, let name): return member(inner, name, of: node)
        case .index(let inner, let key):
            switch (value(inner), value(key)) {
            case (.json(let path), .literal(.string(let name))): return Self.part(name, of: path)
            case (.json(let path), .literal(.number(let digits))):
                return Int(digits).flatMap { $0 < 0 ? nil : .json(path + [.index($0)]) } ?? .unknown
            default: return .unknown
            }
        case .call(let callee, let arguments): return call(callee, arguments)
        default: return .unknown
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

    private static func literal(_ node: ScriptNode, _ script: TestScript) -> JSONValue? {
        switch node {
        case .array(let nodes):
            let values = nodes.compactMap { literal($0, script) }
            return values.count == nodes.count ? .array(values) : nil
        case .object(let members):
            let parts = members.compactMap { member -> JSONValue.Member? in
                guard let name = member.name, name != "__proto__", !name.contains("{{") else { return nil }
                return literal(member.value, script).map { JSONValue.Member(name: name, value: $0) }
            }
            return parts.count == members.count && Set(parts.map(\.name)).count == parts.count ? .object(parts) : nil
        default: if case .literal(let value) = script.value(node) { return value } else { return nil }
        }
    }

    private func member(_ inner: ScriptNode, _ name: String, of node: ScriptNode) -> ScriptValue {
        if let path = builtin(node), let known = Self.known[path] { return known }
        switch value(inner) {
        case .json(let path): return name == "length" ? .length(path) : Self.part(name, of: path)
        case .response:
            return switch name {
            case "code": .status
            case "responseTime": .time
            case "responseSize": .size
            default: .unknown
            }
        default: return .unknown
        }
    }

    /// Every object of JavaScript has these.
    private static let inherited: Set<String> = [
        "constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
        "__proto__", "length",
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

extension ScriptValue {
    fileprivate var isText: Bool {
        switch self {
        case .literal(.string): true
        default: false
        }
    }
}
