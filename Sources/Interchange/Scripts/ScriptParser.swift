/// Reads JavaScript (ECMA-262, sections 13 to 15), without classes.
struct ScriptParser {
    let tokens: [ScriptToken]
    var position = 0
    var depth = 0

    static let nesting = 60

    /// - Throws: for what isn't JavaScript, or has something in it that isn't read here.
    static func statements(_ scalars: [Unicode.Scalar]) throws(ScriptError) -> [ScriptStatement] {
        var parser = ScriptParser(tokens: try ScriptLexer.tokens(scalars))
        var statements: [ScriptStatement] = []
        while parser.token != nil { statements += try parser.statement() }
        return statements
    }

    init(tokens: [ScriptToken]) { self.tokens = tokens }

    // MARK: Tokens

    var token: ScriptToken? { position < tokens.count ? tokens[position] : nil }

    func isSign(_ sign: String, at offset: Int = 0) -> Bool {
        position + offset < tokens.count && tokens[position + offset].kind == .sign(sign)
    }

    func isWord(_ word: String, at offset: Int = 0) -> Bool {
        position + offset < tokens.count && tokens[position + offset].kind == .word(word)
    }

    func breaks(at offset: Int) -> Bool { position + offset < tokens.count && tokens[position + offset].isAfterBreak }

    mutating func consume(_ sign: String) -> Bool {
        guard isSign(sign) else { return false }
        position += 1
        return true
    }

    mutating func consumeWord(_ word: String) -> Bool {
        guard isWord(word) else { return false }
        position += 1
        return true
    }

    mutating func expect(_ sign: String) throws(ScriptError) {
        guard consume(sign) else { throw ScriptError() }
    }

    mutating func word() throws(ScriptError) -> String {
        guard case .word(let word)? = token?.kind else { throw ScriptError() }
        position += 1
        return word
    }

    mutating func deeper<Value>(
        _ read: (inout ScriptParser) throws(ScriptError) -> Value
    ) throws(ScriptError) -> Value {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.nesting else { throw ScriptError() }
        return try read(&self)
    }

    // MARK: Statements

    /// - Returns: none for a semicolon.
    mutating func statement() throws(ScriptError) -> [ScriptStatement] {
        if consume(";") { return [] }
        let start = position
        let kind = try deeper { parser throws(ScriptError) in try parser.kind() }
        return [ScriptStatement(kind: kind, range: tokens[start].range.lowerBound..<tokens[position - 1].range.upperBound)]
    }

    mutating func kind() throws(ScriptError) -> ScriptStatement.Kind {
        if isSign("{") { return .block(try block()) }
        guard case .word(let word)? = token?.kind else { return try expressionStatement() }
        switch word {
        case "var", "let", "const":
            let kind = try declaration()
            try end()
            return kind
        case "if": return try condition()
        case "for": return try loop()
        case "while":
            position += 1
            let head = try head()
            return .other([head], try statement())
        case "do":
            position += 1
            let body = try statement()
            guard consumeWord("while") else { throw ScriptError() }
            let head = try head()
            _ = consume(";")
            return .other([head], body)
        case "switch": return try cases()
        case "try": return try attempt()
        case "return", "throw":
            position += 1
            let value = isEnd ? nil : try sequence()
            try end()
            return .leave(value)
        case "break", "continue":
            position += 1
            if !isEnd { _ = try self.word() }
            try end()
            return .other([], [])
        case "function": return try functionStatement()
        case "async" where isWord("function", at: 1) && !breaks(at: 1): return try functionStatement()
        case "class", "import", "export", "with": throw ScriptError()
        default:
            guard isSign(":", at: 1) else { return try expressionStatement() }
            position += 2
            return .other([], try statement())
        }
    }

    mutating func expressionStatement() throws(ScriptError) -> ScriptStatement.Kind {
        let node = try sequence()
        try end()
        return .expression(node)
    }

    mutating func head() throws(ScriptError) -> ScriptNode {
        try expect("(")
        let node = try sequence()
        try expect(")")
        return node
    }

    mutating func condition() throws(ScriptError) -> ScriptStatement.Kind {
        position += 1
        let condition = try head()
        let inside = try statement()
        return .condition(condition, inside, otherwise: consumeWord("else") ? try statement() : nil)
    }

    mutating func declaration() throws(ScriptError) -> ScriptStatement.Kind {
        let isVar = try word() == "var"
        var declarators: [ScriptStatement.Declarator] = []
        repeat {
            let target = isSign("{") || isSign("[") ? try primary() : .name(try word())
            declarators.append(.init(target: target, value: consume("=") ? try expression() : nil))
        } while consume(",")
        return .declare(isVar: isVar, declarators)
    }

    mutating func loop() throws(ScriptError) -> ScriptStatement.Kind {
        position += 1
        _ = consumeWord("await")
        try expect("(")
        var nodes: [ScriptNode] = []
        var inside: [ScriptStatement] = []
        if isWord("var") || isWord("let") || isWord("const") {
            let start = position
            inside.append(ScriptStatement(kind: try declaration(), range: tokens[start].range))
        } else if !isSign(";") {
            let first = try sequence()
            if case .binary("in", let target, let whole) = first {
                nodes.append(.assign("=", target, whole))
            } else {
                nodes.append(isWord("of") ? .assign("=", first, first) : first)
            }
        }
        if consumeWord("of") || consumeWord("in") {
            nodes.append(try sequence())
        } else if !isSign(")") {
            try expect(";")
            if !isSign(";") { nodes.append(try sequence()) }
            try expect(";")
            if !isSign(")") { nodes.append(try sequence()) }
        }
        try expect(")")
        return .other(nodes, inside + (try statement()))
    }

    mutating func cases() throws(ScriptError) -> ScriptStatement.Kind {
        position += 1
        var nodes = [try head()]
        var inside: [ScriptStatement] = []
        try expect("{")
        while !consume("}") {
            if consumeWord("case") {
                nodes.append(try sequence())
                try expect(":")
            } else if isWord("default"), isSign(":", at: 1) {
                position += 2
            } else {
                inside += try statement()
            }
        }
        return .other(nodes, inside)
    }

    mutating func attempt() throws(ScriptError) -> ScriptStatement.Kind {
        position += 1
        var inside = try block()
        if consumeWord("catch") {
            if consume("(") {
                _ = try primary()
                try expect(")")
            }
            inside += try block()
        }
        if consumeWord("finally") { inside += try block() }
        return .other([], inside)
    }

    mutating func functionStatement() throws(ScriptError) -> ScriptStatement.Kind {
        _ = consumeWord("async")
        position += 1
        let isGenerator = consume("*")
        let name = try word()
        return .function(name, try functionRest(isGenerator: isGenerator))
    }

    var isEnd: Bool { token == nil || isSign(";") || isSign("}") || breaks(at: 0) }

    /// A semicolon, or what stands for one (ECMA-262, section 12.10).
    mutating func end() throws(ScriptError) {
        if consume(";") || isEnd { return }
        throw ScriptError()
    }

    mutating func block() throws(ScriptError) -> [ScriptStatement] {
        try expect("{")
        var statements: [ScriptStatement] = []
        while !consume("}") {
            guard token != nil else { throw ScriptError() }
            statements += try statement()
        }
        return statements
    }
}
