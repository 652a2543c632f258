/// An expression of JavaScript, as far as it can say something of a response.
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
    /// Its body, in tokens. Calling a generator doesn't run it.
    case function(hasParameters: Bool, runs: Bool, body: Range<Int>)
    /// `!`, `-`, `+`, `typeof`, or `?.` around the value that it is applied to.
    case unary(String, ScriptNode)
    case binary(String, ScriptNode, ScriptNode)

    /// `a`, `b` of `a && b`.
    var conjuncts: [ScriptNode] {
        if case .binary("&&", let left, let right) = self { left.conjuncts + right.conjuncts } else { [self] }
    }
}

struct ScriptMember: Hashable {
    var name: String
    var value: ScriptNode
}

struct ScriptStatement {
    var kind: Kind
    var tokens: Range<Int>

    enum Kind {
        /// A name, or a map as a pattern, and its value.
        case declare([(target: ScriptNode, value: ScriptNode?)])
        case assign(ScriptNode, ScriptNode)
        case expression(ScriptNode)
        /// Without `else`.
        case condition(ScriptNode, inside: Range<Int>)
        case block(Range<Int>)
        case other
    }
}

/// Takes a script apart: statements of the forms that tests have, and others by where they end.
struct ScriptReader {
    let tokens: [ScriptToken]
    /// By the place of a bracket, that of the other one of the pair.
    let partners: [Int: Int]
    private var position = 0
    private var end = 0
    private var depth = 0
    private static let nesting = 60

    /// - Throws: where brackets don't match.
    init(_ tokens: [ScriptToken]) throws(ScriptError) {
        self.tokens = tokens
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
        self.partners = partners
        end = tokens.count
    }

    /// Of a script that can't be read.
    static let empty = ScriptReader()

    private init() {
        tokens = []
        partners = [:]
    }

    func statements(in range: Range<Int>) -> [ScriptStatement] {
        var reader = self
        (reader.position, reader.end) = (range.lowerBound, range.upperBound)
        var statements: [ScriptStatement] = []
        while reader.position < reader.end {
            if !reader.consume(";") { statements.append(reader.statement()) }
        }
        return statements
    }

    // MARK: Tokens

    private func sign(at offset: Int = 0) -> String? { position + offset < end ? tokens[position + offset].sign : nil }
    private func word(at offset: Int = 0) -> String? { position + offset < end ? tokens[position + offset].word : nil }

    private mutating func consume(_ sign: String) -> Bool {
        guard self.sign() == sign else { return false }
        position += 1
        return true
    }

    private mutating func expect(_ sign: String) throws(ScriptError) {
        guard consume(sign) else { throw ScriptError() }
    }

    private mutating func name() throws(ScriptError) -> String {
        guard let word = word() else { throw ScriptError() }
        position += 1
        return word
    }

    // MARK: Statements

    private mutating func statement() -> ScriptStatement {
        let start = position
        depth += 1
        defer { depth -= 1 }
        do throws(ScriptError) {
            guard depth < Self.nesting else { throw ScriptError() }
            let kind = try kind()
            return ScriptStatement(kind: kind, tokens: start..<position)
        } catch {
            position = start
            skip()
            return ScriptStatement(kind: .other, tokens: start..<position)
        }
    }

    private mutating func kind() throws(ScriptError) -> ScriptStatement.Kind {
        if sign() == "{", let close = partners[position] {
            defer { position = close + 1 }
            return .block(position + 1..<close)
        }
        switch word() {
        case "var", "let", "const":
            position += 1
            var declared: [(ScriptNode, ScriptNode?)] = []
            repeat {
                let target = sign() == "{" ? try object() : .name(try name())
                declared.append((target, consume("=") ? try expression() : nil))
            } while consume(",")
            try finish()
            return .declare(declared)
        case "if":
            position += 1
            try expect("(")
            let condition = try expression()
            try expect(")")
            let start = position
            let inside: Range<Int>
            if sign() == "{", let close = partners[position] {
                inside = start + 1..<close
                position = close + 1
            } else {
                inside = start..<statement().tokens.upperBound
            }
            guard word() != "else" else { throw ScriptError() }
            return .condition(condition, inside: inside)
        default:
            let node = try expression()
            if consume("=") {
                let value = try expression()
                try finish()
                return .assign(node, value)
            }
            try finish()
            return .expression(node)
        }
    }

    /// A semicolon, or what stands for one (ECMA-262, section 12.10).
    private mutating func finish() throws(ScriptError) {
        if consume(";") || position >= end || tokens[position].isAfterBreak { return }
        throw ScriptError()
    }

    /// Past a statement that isn't read.
    private mutating func skip() {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.nesting else { return position = end }
        switch word() {
        case "if":
            skipBrackets(behind: 1)
            skip()
            guard word() == "else" else { break }
            position += 1
            skip()
        case "for", "while", "with":
            skipBrackets(behind: word(at: 1) == "await" ? 2 : 1)
            skip()
        case "do":
            position += 1
            skip()
            skipBrackets(behind: 1)
            _ = consume(";")
        case "switch":
            skipBrackets(behind: 1)
            skipBrackets()
        case "try":
            skipBrackets(behind: 1)
            if word() == "catch" {
                skipBrackets(behind: 1)
                if sign() == "{" { skipBrackets() }
            }
            if word() == "finally" { skipBrackets(behind: 1) }
        case "function", "class",
            "async" where word() != "async" || word(at: 1) == "function":
            while position < end, sign() != "{" { skipBrackets() }
            skipBrackets()
        case nil where sign() == "{": skipBrackets()
        case _? where sign(at: 1) == ":":
            position += 2
            skip()
        default: skipExpression { $0 == ";" }
        }
        if tokens.indices.contains(position - 1), tokens[position - 1].sign != ";" { _ = consume(";") }
    }

    private mutating func skipBrackets(behind count: Int = 0) {
        position = min(position + count, end)
        guard position < end else { return }
        position = max(partners[position] ?? position, position) + 1
    }

    private mutating func skipExpression(to isEnd: (String?) -> Bool) {
        let start = position
        while position < end, !isEnd(sign()) {
            if position > start, tokens[position].isAfterBreak, !continues { return }
            skipBrackets()
        }
    }

    /// Whether a statement goes on behind the line break in front of the token.
    private var continues: Bool {
        let (last, next) = (tokens[position - 1], tokens[position])
        if let sign = next.sign, !["++", "--", "!", "~", "{", "}"].contains(sign) { return true }
        if let sign = last.sign { return ![")", "]", "}", "++", "--"].contains(sign) }
        return ["in", "instanceof"].contains(next.word)
            || last.word.map { $0 != "return" && $0 != "throw" && ScriptLexer.operators.contains($0) } == true
    }

    // MARK: Expressions

    private static let levels = [
        ["||", "??"], ["&&"], ["===", "==", "!==", "!="], ["<", ">", "<=", ">="], ["+", "-"], ["*", "/", "%"],
    ]

    private mutating func expression(_ level: Int = 0) throws(ScriptError) -> ScriptNode {
        guard level < Self.levels.count else { return try unary() }
        if level == 0 { depth += 1 }
        defer { if level == 0 { depth -= 1 } }
        guard depth < Self.nesting else { throw ScriptError() }
        var left = try expression(level + 1)
        while let sign = sign(), Self.levels[level].contains(sign) {
            position += 1
            left = .binary(sign, left, try expression(level + 1))
        }
        return left
    }

    private mutating func unary() throws(ScriptError) -> ScriptNode {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.nesting else { throw ScriptError() }
        let operation = word() == "typeof" ? "typeof" : sign()
        guard let operation, ["!", "-", "+", "typeof"].contains(operation) else { return try calls(try primary()) }
        position += 1
        return .unary(operation, try unary())
    }

    private mutating func calls(_ inner: ScriptNode) throws(ScriptError) -> ScriptNode {
        var node = inner
        while true {
            if consume(".") {
                node = .member(node, try name())
            } else if consume("[") {
                node = .index(node, try expression())
                try expect("]")
            } else if sign() == "(" {
                node = .call(node, try list(to: ")"))
            } else if consume("?.") {
                node = .unary("?.", node)
                if word() != nil { node = .member(node, try name()) }
            } else {
                return node
            }
        }
    }

    /// With the bracket at its start.
    private mutating func list(to close: String) throws(ScriptError) -> [ScriptNode] {
        position += 1
        var items: [ScriptNode] = []
        while !consume(close) {
            items.append(try expression())
            if !consume(","), sign() != close { throw ScriptError() }
        }
        return items
    }

    private static let reserved: Set<String> = [
        "for", "while", "do", "try", "switch", "return", "throw", "break", "continue", "class", "import", "export", "if", "else",
        "case", "default", "catch", "finally", "in", "instanceof", "var", "const", "enum", "with", "super", "debugger", "extends",
        "new", "await", "yield", "delete", "void",
    ]

    private mutating func primary() throws(ScriptError) -> ScriptNode {
        guard position < end else { throw ScriptError() }
        if let function = function() { return function }
        let token = tokens[position]
        switch token.kind {
        case .sign("["): return .array(try list(to: "]"))
        case .sign("{"): return try object()
        case .sign("("):
            position += 1
            let node = try expression()
            try expect(")")
            return node
        case .sign: throw ScriptError()
        default: position += 1
        }
        switch token.kind {
        case .word(let word):
            guard !Self.reserved.contains(word) else { throw ScriptError() }
            return .name(word)
        case .number(let digits): return .number(digits)
        case .text(let text): return .text(text)
        case .regex(let pattern, let flags): return .regex(pattern, flags: flags)
        case .template(let texts, let insides):
            var nodes: [ScriptNode] = []
            for inside in insides {
                var reader = try ScriptReader(inside)
                reader.depth = depth
                nodes.append(try reader.expression())
                guard reader.position == reader.end else { throw ScriptError() }
            }
            return .template(texts, nodes)
        case .sign: throw ScriptError()
        }
    }

    /// Names and texts with values, and names alone.
    private mutating func object() throws(ScriptError) -> ScriptNode {
        try expect("{")
        var members: [ScriptMember] = []
        while !consume("}") {
            let name: String
            switch tokens[position].kind {
            case .word(let word): name = word
            case .text(let text): name = text
            default: throw ScriptError()
            }
            position += 1
            let isShort = sign() == "," || sign() == "}"
            if !isShort { try expect(":") }
            members.append(ScriptMember(name: name, value: isShort ? .name(name) : try expression()))
            if !consume(","), sign() != "}" { throw ScriptError() }
        }
        return .object(members)
    }

    /// `function (…) {…}`, `(…) => …` and `x => …`; `nil` where none begins.
    private mutating func function() -> ScriptNode? {
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
}
