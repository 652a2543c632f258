import RequestCollections

/// Expressions of a script: they are read and evaluated at once.
extension TestScript {
    // MARK: Tokens

    func sign(at offset: Int = 0) -> String? { position + offset < end ? tokens[position + offset].sign : nil }
    func word(at offset: Int = 0) -> String? { position + offset < end ? tokens[position + offset].word : nil }

    mutating func consume(_ sign: String) -> Bool {
        guard self.sign() == sign else { return false }
        position += 1
        return true
    }

    mutating func expect(_ sign: String) throws(ScriptError) { guard consume(sign) else { throw ScriptError() } }

    mutating func name() throws(ScriptError) -> String {
        guard let word = word() else { throw ScriptError() }
        position += 1
        return word
    }

    /// By the place of a bracket, that of the other one of the pair.
    ///
    /// - Throws: where brackets don't match.
    static func partners(_ tokens: [ScriptToken]) throws(ScriptError) -> [Int: Int] {
        var partners: [Int: Int] = [:]
        var open: [Int] = []
        for (index, token) in tokens.enumerated() {
            guard let sign = token.sign else { continue }
            if ["(", "[", "{"].contains(sign) { open.append(index) }
            guard let start = [")": "(", "]": "[", "}": "{"][sign] else { continue }
            guard let last = open.popLast(), tokens[last].sign == start else { throw ScriptError() }
            (partners[last], partners[index]) = (index, last)
        }
        guard open.isEmpty else { throw ScriptError() }
        return partners
    }

    // MARK: Operators

    private static let levels = [
        ["||", "??"], ["&&"], ["===", "==", "!==", "!="], ["<", ">", "<=", ">="], ["+", "-"], ["*", "/", "%"],
    ]

    /// - Parameter level: of the operators that bind least.
    mutating func expression(_ level: Int = 0) throws(ScriptError) -> ScriptValue {
        guard level < Self.levels.count else { return try unary() }
        var left = try expression(level + 1)
        while let sign = sign(), Self.levels[level].contains(sign) {
            position += 1
            let before = needs
            let right = try expression(level + 1)
            switch sign {
            case "&&", "||", "??":
                // Maybe the right side isn't evaluated.
                needs = before
                isHarmless = false
                left = sign == "??" ? .unknown : .binary(sign, left, right)
            case "+":
                // Numbers are added up.
                left = left.name == nil && right.name == nil ? .unknown : joined(["", "", ""], [left, right])
            case "-", "*", "/", "%": left = .unknown
            default: left = .binary(sign, left, right)
            }
        }
        return left
    }

    private mutating func unary() throws(ScriptError) -> ScriptValue {
        depth += 1
        defer { depth -= 1 }
        guard depth < 60 else { throw ScriptError() }
        let operation = word() == "typeof" ? "typeof" : sign()
        guard let operation, ["!", "-", "+", "typeof"].contains(operation) else { return try operand() }
        position += 1
        let inner = try unary()
        switch (operation, inner) {
        case ("!", _): return .not(inner)
        // Zero has a sign in JavaScript.
        case ("-", .literal(.number(let digits))) where digits != "0" && !digits.hasPrefix("-"):
            return .literal(.number("-\(digits)"))
        case ("typeof", _) where inner.path != nil: return .typeOf(inner)
        default: return .unknown
        }
    }

    // MARK: Members and calls

    private mutating func operand() throws(ScriptError) -> ScriptValue {
        var value = try primary()
        while true {
            let isOptional = consume("?.")
            if consume("[") {
                let key = try expression()
                try expect("]")
                value = index(value, key, isOptional)
            } else if sign() == "(" {
                value = call(value, try list(to: ")"))
            } else if isOptional || consume(".") {
                value = member(value, try name(), isOptional)
            } else {
                break
            }
        }
        switch value {
        case .member: isHarmless = false
        case .builtin: isHarmless = isHarmless && value.isResponse
        default: break
        }
        return value
    }

    mutating func member(_ value: ScriptValue, _ name: String, _ isOptional: Bool) -> ScriptValue {
        switch value {
        case .json(let path):
            if !isOptional { needs.paths.insert(path) }
            return name == "length" ? .length(path) : ScriptValue.part(name, of: path)
        case .builtin where value.isResponse && ["to", "not"].contains(name): return .assertion(value, [.init(name: name)])
        case .builtin(let path): return Self.known["\(path).\(name)"] ?? .builtin("\(path).\(name)")
        case .assertion(let subject, let links): return .assertion(subject, links + [.init(name: name)])
        case _ where value.isKnown: return .member(value, name)
        default:
            isHarmless = false
            return .unknown
        }
    }

    private mutating func index(_ value: ScriptValue, _ key: ScriptValue, _ isOptional: Bool) -> ScriptValue {
        guard case .json(let path) = value else {
            isHarmless = false
            return .unknown
        }
        if !isOptional { needs.paths.insert(path) }
        switch key {
        case .literal(.string(let name)): return ScriptValue.part(name, of: path)
        case .literal(.number(let digits)): if let index = Int(digits), index >= 0 { return .json(path + [.index(index)]) }
        default: break
        }
        isHarmless = false
        return .unknown
    }

    private mutating func call(_ callee: ScriptValue, _ arguments: [ScriptValue]) -> ScriptValue {
        switch callee {
        case .builtin(let path): if let value = call(path, arguments) { return value }
        case .assertion(let subject, var links):
            guard let last = links.indices.last, links[last].arguments == nil else { break }
            links[last].arguments = arguments
            return .assertion(subject, links)
        case .json(let path):
            if case .name("includes")? = path.last, arguments.count == 1 {
                return .contains(.json(path.dropLast()), arguments[0])
            }
        case .member(let inner, let method):
            if arguments.count == 1, method == "includes" || method == "has" && inner == .body {
                return .contains(inner, arguments[0])
            }
        default: break
        }
        isHarmless = false
        return .unknown
    }

    /// - Returns: `nil` for what nobody knows.
    private mutating func call(_ path: String, _ arguments: [ScriptValue]) -> ScriptValue? {
        let name = arguments.count == 1 ? arguments[0].name : nil
        switch path {
        case "pm.response.json", "res.json", "res.getBody", "JSON.parse":
            guard path == "JSON.parse" ? arguments == [.body] : arguments.isEmpty else { return nil }
            needs.parses = true
            return .json([])
        case "pm.response.text", "res.text": return arguments.isEmpty ? .body : nil
        case "res.getStatus": return .status
        case "res.getResponseTime": return .time
        case "pm.response.headers.get", "postman.getResponseHeader", "response.headers.valueOf", "res.getHeader":
            return name.map(ScriptValue.header)
        case "pm.response.headers.has": return name.map(ScriptValue.hasHeader)
        case "Array.isArray": return arguments.count == 1 ? .isArray(arguments[0]) : nil
        // Harmless, but nobody knows its text.
        case "JSON.stringify": return .unknown
        case "pm.expect", "expect", "chai.expect": return arguments.first.map { .assertion($0, []) }
        case _ where Self.talks.contains(path) || Self.tests.contains(path):
            return isHarmless ? .call(path, arguments) : nil
        case "client.assert": return .call(path, arguments)
        case _ where Self.setters.contains(path): return .call(path, arguments)
        case _ where Self.getters.contains(path):
            guard let name = name.map(VariableName.make), !isChanged(name) else { return nil }
            return .text("{{\(name)}}")
        default: return nil
        }
    }

    static let talks: Set<String> = [
        "console.log", "console.info", "console.error", "console.warn", "console.table", "client.log", "console.clear",
    ]
    static let tests: Set<String> = ["pm.test", "test", "client.test", "it", "bru.test"]

    private static func functions(_ name: String, _ others: String...) -> Set<String> {
        let stores = ["environment", "globals", "collectionVariables", "variables", "baseEnvironment"]
        return Set(stores.map { "pm.\($0).\(name)" } + others)
    }

    static let setters = functions(
        "set", "postman.setEnvironmentVariable", "postman.setGlobalVariable", "bru.setVar", "bru.setEnvVar", "bru.setGlobalEnvVar",
        "client.global.set", "pm.setEnvironmentVariable")
    private static let getters = functions(
        "get", "postman.getEnvironmentVariable", "postman.getGlobalVariable", "bru.getVar", "bru.getEnvVar", "bru.getGlobalEnvVar",
        "client.global.get", "pm.getEnvironmentVariable")
    static let removers = functions(
        "unset", "postman.clearEnvironmentVariable", "postman.clearGlobalVariable", "bru.deleteVar", "bru.deleteEnvVar",
        "client.global.clear")
    static let clearers = functions(
        "clear", "postman.clearEnvironmentVariables", "postman.clearGlobalVariables", "bru.deleteAllVars", "client.global.clearAll")

    private static let known: [String: ScriptValue] = [
        "responseBody": .body, "responseCode.code": .status, "responseTime": .time, "undefined": .undefined,
        "null": .literal(.null), "true": .literal(.boolean(true)), "false": .literal(.boolean(false)), "insomnia": .builtin("pm"),
        "response.status": .status, "response.body": .json([]),
        "res.status": .status, "res.body": .json([]), "res.responseTime": .time,
        "pm.response.code": .status, "pm.response.responseTime": .time, "pm.response.responseSize": .size,
    ]

    // MARK: Values

    /// With the bracket at its start.
    private mutating func list(to close: String) throws(ScriptError) -> [ScriptValue] {
        position += 1
        var items: [ScriptValue] = []
        while !consume(close) {
            items.append(try expression())
            if case .call? = items.last { isHarmless = false }
            if case .assertion? = items.last { isHarmless = false }
            if !consume(","), sign() != close { throw ScriptError() }
        }
        return items
    }

    private static let reserved = Set(
        """
        for while do try switch return throw break continue class import export if else case default catch finally in instanceof var const \
        enum with super debugger extends new await yield delete void
        """.split(separator: " ").map(String.init))

    private mutating func primary() throws(ScriptError) -> ScriptValue {
        if let function = function() { return function }
        guard position < end else { throw ScriptError() }
        let token = tokens[position]
        switch token.kind {
        case .sign("["):
            let items = try list(to: "]")
            let literals = items.compactMap { if case .literal(let value) = $0 { value } else { nil } }
            return literals.count == items.count ? .literal(.array(literals)) : .unknown
        case .sign("{"): return try object()
        case .sign("("):
            position += 1
            let value = try expression()
            try expect(")")
            return value
        case .sign: throw ScriptError()
        default: position += 1
        }
        switch token.kind {
        case .word(let word):
            guard !Self.reserved.contains(word) else { throw ScriptError() }
            return named(word) ?? Self.known[word] ?? .builtin(word)
        case .number(let digits): return Self.number(digits)
        case .text(let text): return .literal(.string(text))
        case .regex(let pattern, let flags):
            return ScriptPattern.translated(pattern, flags: flags).map { .regex($0, ignoringCase: flags == "i") } ?? .unknown
        case .template(let texts, let insides):
            var values: [ScriptValue] = []
            for inside in insides {
                var script = self
                (script.tokens, script.partners) = (inside, try Self.partners(inside))
                (script.position, script.end) = (0, inside.count)
                values.append(try script.expression())
                guard script.position == script.end else { throw ScriptError() }
                (needs, isHarmless) = (script.needs, script.isHarmless)
            }
            return joined(texts, values)
        case .sign: throw ScriptError()
        }
    }

    /// Names and texts with values, and names alone.
    private mutating func object() throws(ScriptError) -> ScriptValue {
        try expect("{")
        var members: [JSONValue.Member] = []
        var isLiteral = true
        while !consume("}") {
            let name: String
            switch position < end ? tokens[position].kind : .sign("") {
            case .word(let word): name = word
            case .text(let text): name = text
            default: throw ScriptError()
            }
            if ![",", "}"].contains(sign(at: 1)) {
                position += 1
                try expect(":")
            }
            guard case .literal(let value) = try expression(), name != "__proto__", !name.contains("{{"),
                !members.contains(where: { $0.name == name })
            else {
                isLiteral = false
                if !consume(","), sign() != "}" { throw ScriptError() }
                continue
            }
            members.append(.init(name: name, value: value))
            if !consume(","), sign() != "}" { throw ScriptError() }
        }
        return isLiteral ? .literal(.object(members)) : .unknown
    }

    /// `function (…) {…}`, `(…) => …` and `x => …`; `nil` where none begins.
    private mutating func function() -> ScriptValue? {
        let offset = word() == "async" ? 1 : 0
        var place = position + offset
        func sign(_ place: Int) -> String? { place < end ? tokens[place].sign : nil }
        var runs = true
        if word(at: offset) == "function" {
            place += 1
            if sign(place) == "*" { (runs, place) = (false, place + 1) }
            if place < end, tokens[place].word != nil { place += 1 }
            guard sign(place) == "(", let close = partners[place], sign(close + 1) == "{", let last = partners[close + 1] else {
                return nil
            }
            position = last + 1
            return .function(hasParameters: close > place + 1, runs: runs, body: close + 2..<last)
        }
        let close = sign(place) == "(" ? partners[place] ?? place : place
        guard place < end, close > place || tokens[place].word != nil, sign(close + 1) == "=>" else { return nil }
        let hasParameters = close != place + 1
        position = close + 2
        if sign(position) == "{", let last = partners[position] {
            defer { position = last + 1 }
            return .function(hasParameters: hasParameters, runs: runs, body: position + 1..<last)
        }
        let start = position
        skipExpression { [",", ")", "]", "}", ";"].contains($0) }
        return .function(hasParameters: hasParameters, runs: runs, body: start..<position)
    }

    /// In the form in which JavaScript shows it.
    private static func number(_ digits: String) -> ScriptValue {
        guard digits.wholeMatch(of: /(0|[1-9][0-9]*)?(\.[0-9]*)?([eE][+-]?[0-9]+)?/) != nil, let number = Double("0\(digits)"),
            number < 1e15
        else { return .unknown }
        if number == number.rounded() { return .literal(.number("\(Int(number))")) }
        let text = "\(number)"
        return text.contains("e") ? .unknown : .literal(.number(text))
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
