/// An expression of JavaScript.
indirect enum ScriptNode: Hashable {
    case name(String)
    case number(String)
    case text(String)
    case template([String], [ScriptNode])
    case regex(String, flags: String)
    case array([ScriptNode])
    case object([ScriptMember])
    case member(ScriptNode, String)
    case index(ScriptNode, ScriptNode)
    case call(ScriptNode, [ScriptNode])
    case function(ScriptFunction)
    /// Also `?.`, around what it is asked of.
    case unary(String, ScriptNode)
    case binary(String, ScriptNode, ScriptNode)
    /// `=`, `+=`, `++`, `delete`: what changes something.
    case assign(String, ScriptNode, ScriptNode)
    /// What nobody reads, by its parts.
    case other([ScriptNode])
}

struct ScriptMember: Hashable {
    /// `nil` for one that only a program knows.
    var name: String?
    var value: ScriptNode
}

struct ScriptFunction: Hashable {
    var parameters: [ScriptNode]
    var body: [ScriptStatement]
    /// Calling it runs it: it is no generator.
    var runs = true
}

struct ScriptStatement: Hashable {
    var kind: Kind
    /// Where it stands, in scalars of the script.
    var range: Range<Int>

    indirect enum Kind: Hashable {
        case declare(isVar: Bool, [Declarator])
        case function(String, ScriptFunction)
        case expression(ScriptNode)
        case condition(ScriptNode, [ScriptStatement], otherwise: [ScriptStatement]?)
        case block([ScriptStatement])
        /// `return`, `throw`.
        case leave(ScriptNode?)
        /// What nobody reads, by its parts: loops, `try`, `switch`.
        case other([ScriptNode], [ScriptStatement])
    }

    struct Declarator: Hashable {
        /// A name, or a pattern as a literal.
        var target: ScriptNode
        var value: ScriptNode?
    }
}

/// Reads JavaScript (ECMA-262, sections 13 to 15), without classes.
struct ScriptParser {
    private let tokens: [ScriptToken]
    private var position = 0
    private var depth = 0

    private static let nesting = 60

    /// - Throws: for what isn't JavaScript, or has something in it that isn't read here.
    static func statements(_ scalars: [Unicode.Scalar]) throws(ScriptError) -> [ScriptStatement] {
        var parser = ScriptParser(tokens: try ScriptLexer.tokens(scalars))
        var statements: [ScriptStatement] = []
        while parser.token != nil { statements += try parser.statement() }
        return statements
    }

    private init(tokens: [ScriptToken]) { self.tokens = tokens }

    // MARK: Tokens

    private var token: ScriptToken? { position < tokens.count ? tokens[position] : nil }

    private func isSign(_ sign: String, at offset: Int = 0) -> Bool {
        position + offset < tokens.count && tokens[position + offset].kind == .sign(sign)
    }

    private func isWord(_ word: String, at offset: Int = 0) -> Bool {
        position + offset < tokens.count && tokens[position + offset].kind == .word(word)
    }

    private func breaks(at offset: Int) -> Bool { position + offset < tokens.count && tokens[position + offset].isAfterBreak }

    private mutating func take(_ sign: String) -> Bool {
        guard isSign(sign) else { return false }
        position += 1
        return true
    }

    private mutating func takeWord(_ word: String) -> Bool {
        guard isWord(word) else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ sign: String) throws(ScriptError) {
        guard take(sign) else { throw ScriptError() }
    }

    private mutating func word() throws(ScriptError) -> String {
        guard case .word(let word)? = token?.kind else { throw ScriptError() }
        position += 1
        return word
    }

    private mutating func deeper<Value>(
        _ read: (inout ScriptParser) throws(ScriptError) -> Value
    ) throws(ScriptError) -> Value {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.nesting else { throw ScriptError() }
        return try read(&self)
    }

    // MARK: Statements

    /// - Returns: none for a semicolon.
    private mutating func statement() throws(ScriptError) -> [ScriptStatement] {
        if take(";") { return [] }
        let start = position
        let kind = try deeper { parser throws(ScriptError) in try parser.kind() }
        return [ScriptStatement(kind: kind, range: tokens[start].range.lowerBound..<tokens[position - 1].range.upperBound)]
    }

    private mutating func kind() throws(ScriptError) -> ScriptStatement.Kind {
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
            guard takeWord("while") else { throw ScriptError() }
            let head = try head()
            _ = take(";")
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

    private mutating func expressionStatement() throws(ScriptError) -> ScriptStatement.Kind {
        let node = try sequence()
        try end()
        return .expression(node)
    }

    private mutating func head() throws(ScriptError) -> ScriptNode {
        try expect("(")
        let node = try sequence()
        try expect(")")
        return node
    }

    private mutating func condition() throws(ScriptError) -> ScriptStatement.Kind {
        position += 1
        let condition = try head()
        let inside = try statement()
        return .condition(condition, inside, otherwise: takeWord("else") ? try statement() : nil)
    }

    private mutating func declaration() throws(ScriptError) -> ScriptStatement.Kind {
        let isVar = try word() == "var"
        var declarators: [ScriptStatement.Declarator] = []
        repeat {
            let target = isSign("{") || isSign("[") ? try primary() : .name(try word())
            declarators.append(.init(target: target, value: take("=") ? try expression() : nil))
        } while take(",")
        return .declare(isVar: isVar, declarators)
    }

    private mutating func loop() throws(ScriptError) -> ScriptStatement.Kind {
        position += 1
        _ = takeWord("await")
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
        if takeWord("of") || takeWord("in") {
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

    private mutating func cases() throws(ScriptError) -> ScriptStatement.Kind {
        position += 1
        var nodes = [try head()]
        var inside: [ScriptStatement] = []
        try expect("{")
        while !take("}") {
            if takeWord("case") {
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

    private mutating func attempt() throws(ScriptError) -> ScriptStatement.Kind {
        position += 1
        var inside = try block()
        if takeWord("catch") {
            if take("(") {
                _ = try primary()
                try expect(")")
            }
            inside += try block()
        }
        if takeWord("finally") { inside += try block() }
        return .other([], inside)
    }

    private mutating func functionStatement() throws(ScriptError) -> ScriptStatement.Kind {
        _ = takeWord("async")
        position += 1
        let isGenerator = take("*")
        let name = try word()
        return .function(name, try functionRest(isGenerator: isGenerator))
    }

    private var isEnd: Bool { token == nil || isSign(";") || isSign("}") || breaks(at: 0) }

    /// A semicolon, or what stands for one (ECMA-262, section 12.10).
    private mutating func end() throws(ScriptError) {
        if take(";") || isEnd { return }
        throw ScriptError()
    }

    private mutating func block() throws(ScriptError) -> [ScriptStatement] {
        try expect("{")
        var statements: [ScriptStatement] = []
        while !take("}") {
            guard token != nil else { throw ScriptError() }
            statements += try statement()
        }
        return statements
    }

    // MARK: Expressions

    /// With commas in it.
    private mutating func sequence() throws(ScriptError) -> ScriptNode {
        var node = try expression()
        while take(",") { node = .binary(",", node, try expression()) }
        return node
    }

    private static let assignments: Set<String> = [
        "=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", ">>>=", "&=", "|=", "^=", "&&=", "||=", "??=",
    ]

    private mutating func expression() throws(ScriptError) -> ScriptNode {
        try deeper { parser throws(ScriptError) in
            if let function = try parser.arrow() { return function }
            if parser.takeWord("yield") {
                _ = parser.take("*")
                return .other(parser.isEnd || parser.isSign(")") ? [] : [try parser.expression()])
            }
            let left = try parser.binary(0)
            if parser.take("?") {
                let one = try parser.expression()
                try parser.expect(":")
                return .other([left, one, try parser.expression()])
            }
            guard case .sign(let sign)? = parser.token?.kind, Self.assignments.contains(sign) else { return left }
            parser.position += 1
            return .assign(sign, left, try parser.expression())
        }
    }

    private static let levels = [
        ["||", "??"], ["&&"], ["|"], ["^"], ["&"], ["===", "==", "!==", "!="], ["<", ">", "<=", ">=", "in", "instanceof"],
        ["<<", ">>", ">>>"], ["+", "-"], ["*", "/", "%"], ["**"],
    ]

    private mutating func binary(_ level: Int) throws(ScriptError) -> ScriptNode {
        guard level < Self.levels.count else { return try unary() }
        var left = try binary(level + 1)
        while let sign = operatorSign, Self.levels[level].contains(sign) {
            position += 1
            left = .binary(sign, left, try binary(level + 1))
        }
        return left
    }

    private var operatorSign: String? {
        switch token?.kind {
        case .sign(let sign), .word(let sign): sign
        default: nil
        }
    }

    private mutating func unary() throws(ScriptError) -> ScriptNode {
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

    private mutating func postfix() throws(ScriptError) -> ScriptNode {
        let node = try calls(try primary(), called: true)
        if !breaks(at: 0), isSign("++") || isSign("--") {
            position += 1
            return .assign("++", node, .number("1"))
        }
        return node
    }

    /// - Parameter called: `false` behind `new`, whose brackets are its own.
    private mutating func calls(_ node: ScriptNode, called: Bool) throws(ScriptError) -> ScriptNode {
        var node = node
        while true {
            if take(".") {
                node = .member(node, try word())
            } else if take("[") {
                node = .index(node, try sequence())
                try expect("]")
            } else if called, isSign("(") {
                node = .call(node, try list(from: "(", to: ")"))
            } else if called, take("?.") {
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

    private mutating func list(from open: String, to close: String) throws(ScriptError) -> [ScriptNode] {
        try expect(open)
        var items: [ScriptNode] = []
        while !take(close) {
            if take("...") {
                items.append(.other([try expression()]))
            } else if isSign(","), open == "[" {
                items.append(.other([]))
            } else {
                items.append(try expression())
            }
            if !take(","), !isSign(close) { throw ScriptError() }
        }
        return items
    }

    private static let reserved: Set<String> = [
        "for", "while", "do", "try", "switch", "return", "throw", "break", "continue", "class", "import", "export", "if", "else",
        "case", "default", "catch", "finally", "in", "instanceof", "var", "const", "enum", "with", "super", "debugger", "extends",
    ]

    private mutating func primary() throws(ScriptError) -> ScriptNode {
        guard let token else { throw ScriptError() }
        switch token.kind {
        case .word(let word) where word == "function" || word == "async" && isWord("function", at: 1):
            _ = takeWord("async")
            position += 1
            let isGenerator = take("*")
            if case .word? = self.token?.kind { position += 1 }
            return .function(try functionRest(isGenerator: isGenerator))
        case .word("new"):
            position += 1
            if take(".") {
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

    private mutating func object() throws(ScriptError) -> ScriptNode {
        try expect("{")
        var members: [ScriptMember] = []
        while !take("}") {
            members.append(try member())
            if !take(","), !isSign("}") { throw ScriptError() }
        }
        return .object(members)
    }

    private mutating func member() throws(ScriptError) -> ScriptMember {
        if take("...") { return ScriptMember(name: nil, value: try expression()) }
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
        if take(":") { return ScriptMember(name: name, value: try expression()) }
        guard let shorthand else { throw ScriptError() }
        // `{ a = 1 }`, where it is a pattern.
        let value = ScriptNode.name(shorthand)
        return ScriptMember(name: name, value: take("=") ? .assign("=", value, try expression()) : value)
    }

    private func isEndOfKey(at offset: Int) -> Bool {
        [":", ",", "}", "(", "="].contains { isSign($0, at: offset) }
    }

    // MARK: Functions

    private mutating func functionRest(isGenerator: Bool) throws(ScriptError) -> ScriptFunction {
        let parameters = try list(from: "(", to: ")")
        return ScriptFunction(parameters: parameters, body: try block(), runs: !isGenerator)
    }

    /// `(…) => …` and `x => …`; `nil` where none begins.
    private mutating func arrow() throws(ScriptError) -> ScriptNode? {
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

    private func isArrow(behind start: Int) -> Bool {
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
