/// Expressions, and functions in them.
extension ScriptParser {
    /// With commas in it.
    mutating func sequence() throws(ScriptError) -> ScriptNode {
        var node = try expression()
        while consume(",") { node = .binary(",", node, try expression()) }
        return node
    }

    static let assignments: Set<String> = [
        "=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "&&=", "||=", "??=",
    ]

    mutating func expression() throws(ScriptError) -> ScriptNode {
        try deeper { parser throws(ScriptError) in
            if let function = try parser.arrow() { return function }
            if parser.consumeWord("yield") {
                _ = parser.consume("*")
                return .other(parser.isEnd || parser.isSign(")") ? [] : [try parser.expression()])
            }
            let left = try parser.binary(0)
            if parser.consume("?") {
                let one = try parser.expression()
                try parser.expect(":")
                return .other([left, one, try parser.expression()])
            }
            guard case .sign(let sign)? = parser.token?.kind, Self.assignments.contains(sign) else { return left }
            parser.position += 1
            return .assign(sign, left, try parser.expression())
        }
    }

    static let levels = [
        ["||", "??"], ["&&"], ["|"], ["^"], ["&"], ["===", "==", "!==", "!="], ["<", ">", "<=", ">=", "in", "instanceof"],
        ["<<", ">>", ">>>"], ["+", "-"], ["*", "/", "%"], ["**"],
    ]

    mutating func binary(_ level: Int) throws(ScriptError) -> ScriptNode {
        guard level < Self.levels.count else { return try unary() }
        var left = try binary(level + 1)
        while let sign = operatorSign, Self.levels[level].contains(sign) {
            position += 1
            left = .binary(sign, left, try binary(level + 1))
        }
        return left
    }

    var operatorSign: String? {
        switch token?.kind {
        case .sign(let sign), .word(let sign): sign
        default: nil
        }
    }

    mutating func unary() throws(ScriptError) -> ScriptNode {
        try deeper { parser throws(ScriptError) in
            switch parser.token?.kind {
            case .sign(let sign) where ["!", "-", "+", "~"].contains(sign):
                parser.position += 1
                return .unary(sign, try parser.unary())
            case .sign(let sign) where ["++", "--"].contains(sign):
                parser.position += 1
                return .assign(sign, try parser.unary(), .number("1"))
            case .word("delete"):
                parser.position += 1
                return .assign("delete", try parser.unary(), .number("0"))
            case .word(let word) where ["typeof", "void", "await"].contains(word):
                parser.position += 1
                return .unary(word, try parser.unary())
            default: return try parser.postfix()
            }
        }
    }

    mutating func postfix() throws(ScriptError) -> ScriptNode {
        let node = try calls(try primary(), called: true)
        if !breaks(at: 0), isSign("++") || isSign("--") {
            position += 1
            return .assign("++", node, .number("1"))
        }
        return node
    }

    /// - Parameter called: `false` behind `new`, whose brackets are its own.
    mutating func calls(_ node: ScriptNode, called: Bool) throws(ScriptError) -> ScriptNode {
        var node = node
        while true {
            if consume(".") {
                node = .member(node, try word())
            } else if consume("[") {
                node = .index(node, try sequence())
                try expect("]")
            } else if called, isSign("(") {
                node = .call(node, try list(from: "(", to: ")"))
            } else if called, consume("?.") {
                node = .unary("?.", node)
                if case .word(let name)? = token?.kind {
                    position += 1
                    node = .member(node, name)
                }
            } else if case .template? = token?.kind {
                // A function is called with it.
                node = .call(.other([node]), [try primary()])
            } else {
                return node
            }
        }
    }

    mutating func list(from open: String, to close: String) throws(ScriptError) -> [ScriptNode] {
        try expect(open)
        var items: [ScriptNode] = []
        while !consume(close) {
            if consume("...") {
                items.append(.other([try expression()]))
            } else if isSign(","), open == "[" {
                items.append(.other([]))
            } else {
                items.append(try expression())
            }
            if !consume(","), !isSign(close) { throw ScriptError() }
        }
        return items
    }

    static let reserved: Set<String> = [
        "for", "while", "do", "try", "switch", "return", "throw", "break", "continue", "class", "import", "export", "if", "else",
        "case", "default", "catch", "finally", "in", "instanceof", "var", "const", "enum", "with", "super", "debugger", "extends",
    ]

    mutating func primary() throws(ScriptError) -> ScriptNode {
        guard let token else { throw ScriptError() }
        switch token.kind {
        case .word(let word) where word == "function" || word == "async" && isWord("function", at: 1):
            _ = consumeWord("async")
            position += 1
            let isGenerator = consume("*")
            if case .word? = self.token?.kind { position += 1 }
            return .function(try functionRest(isGenerator: isGenerator))
        case .word("new"):
            position += 1
            if consume(".") {
                _ = try word()
                return .other([])
            }
            let callee = try calls(try primary(), called: false)
            return .other([.call(callee, isSign("(") ? try list(from: "(", to: ")") : [])])
        case .word(let word):
            guard !Self.reserved.contains(word) else { throw ScriptError() }
            position += 1
            return .name(word)
        case .number(let digits):
            position += 1
            return .number(digits)
        case .text(let text):
            position += 1
            return .text(text)
        case .regex(let pattern, let flags):
            position += 1
            return .regex(pattern, flags: flags)
        case .template(let texts, let insides):
            position += 1
            var nodes: [ScriptNode] = []
            for inside in insides {
                var parser = ScriptParser(tokens: inside)
                parser.depth = depth
                nodes.append(try parser.sequence())
                guard parser.token == nil else { throw ScriptError() }
            }
            return .template(texts, nodes)
        case .sign("["): return .array(try list(from: "[", to: "]"))
        case .sign("("): return try head()
        case .sign("{"): return try object()
        case .sign: throw ScriptError()
        }
    }

    mutating func object() throws(ScriptError) -> ScriptNode {
        try expect("{")
        var members: [ScriptMember] = []
        while !consume("}") {
            members.append(try member())
            if !consume(","), !isSign("}") { throw ScriptError() }
        }
        return .object(members)
    }

    mutating func member() throws(ScriptError) -> ScriptMember {
        if consume("...") { return ScriptMember(name: nil, value: try expression()) }
        // `get x() {…}`, `async x() {…}`, `*x() {…}`.
        var isPlain = true
        while isSign("*") || ["get", "set", "async"].contains(where: { isWord($0) }) && !isEndOfKey(at: 1) {
            position += 1
            isPlain = false
        }
        var name: String?
        var shorthand: String?
        switch token?.kind {
        case .word(let word):
            name = word
            shorthand = word
            position += 1
        case .text(let text):
            name = text
            position += 1
        case .number: position += 1
        default:
            try expect("[")
            _ = try expression()
            try expect("]")
        }
        if isSign("(") {
            return ScriptMember(name: isPlain ? name : nil, value: .function(try functionRest(isGenerator: true)))
        }
        if consume(":") { return ScriptMember(name: name, value: try expression()) }
        guard let shorthand else { throw ScriptError() }
        // `{ a = 1 }`, where it is a pattern.
        let value = ScriptNode.name(shorthand)
        return ScriptMember(name: name, value: consume("=") ? .assign("=", value, try expression()) : value)
    }

    func isEndOfKey(at offset: Int) -> Bool {
        [":", ",", "}", "(", "="].contains { isSign($0, at: offset) }
    }

    // MARK: Functions

    mutating func functionRest(isGenerator: Bool) throws(ScriptError) -> ScriptFunction {
        let parameters = try list(from: "(", to: ")")
        return ScriptFunction(parameters: parameters, body: try block(), runs: !isGenerator)
    }

    /// `(…) => …` and `x => …`; `nil` where none begins.
    mutating func arrow() throws(ScriptError) -> ScriptNode? {
        let offset = isWord("async") && !breaks(at: 1) ? 1 : 0
        var parameters: [ScriptNode]
        if isSign("(", at: offset), isArrow(behind: position + offset) {
            position += offset
            parameters = try list(from: "(", to: ")")
        } else if position + offset < tokens.count, case .word(let name) = tokens[position + offset].kind,
            isSign("=>", at: offset + 1)
        {
            position += offset + 1
            parameters = [.name(name)]
        } else {
            return nil
        }
        try expect("=>")
        if isSign("{") { return .function(ScriptFunction(parameters: parameters, body: try block())) }
        let first = position
        let node = try expression()
        let range = tokens[first].range.lowerBound..<tokens[position - 1].range.upperBound
        return .function(
            ScriptFunction(parameters: parameters, body: [ScriptStatement(kind: .expression(node), range: range)]))
    }

    func isArrow(behind start: Int) -> Bool {
        var open = 0
        for index in start..<tokens.count {
            guard case .sign(let sign) = tokens[index].kind else { continue }
            if ["(", "[", "{"].contains(sign) { open += 1 }
            if [")", "]", "}"].contains(sign) { open -= 1 }
            if open == 0 { return index + 1 < tokens.count && tokens[index + 1].kind == .sign("=>") }
        }
        return false
    }
}
