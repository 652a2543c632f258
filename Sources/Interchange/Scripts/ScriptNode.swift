/// An expression of JavaScript.
indirect enum ScriptNode: Hashable {
    case name(String)
    case number(String)
    case text(String)
    case template([String], [ScriptNode])
    case regex(String, flags: String)
    case array([ScriptNode])
    case object([String])
    case member(ScriptNode, String)
    case index(ScriptNode, ScriptNode)
    case call(ScriptNode, [ScriptNode])
    case function([ScriptStatement])
    case unary(String, ScriptNode)
    case binary(String, ScriptNode, ScriptNode)
    case assign(ScriptNode, ScriptNode)
}

struct ScriptStatement: Hashable {
    var kind: Kind
    /// Where it stands, in scalars of the script.
    var range: Range<Int>

    indirect enum Kind: Hashable {
        case declare(String, ScriptNode)
        case expression(ScriptNode)
        case condition(ScriptNode, [ScriptStatement])
        case block([ScriptStatement])
        /// What isn't read: loops, functions, conditions with two branches.
        case unknown
    }
}

/// Reads the JavaScript that test scripts are made of. A statement that has something else in it is `unknown`; the next one is read again.
struct ScriptParser {
    private let tokens: [ScriptToken]
    private var position = 0
    private var depth = 0

    private static let nesting = 60

    /// - Throws: for what isn't made of tokens of JavaScript.
    static func statements(_ scalars: [Unicode.Scalar]) throws(ScriptError) -> [ScriptStatement] {
        var parser = ScriptParser(tokens: try ScriptLexer.tokens(scalars))
        var statements: [ScriptStatement] = []
        while parser.position < parser.tokens.count {
            statements += parser.statement()
            // A bracket that nothing opened.
            if let token = parser.token, [")", "]", "}"].contains(where: { token.kind == .sign($0) }) {
                statements.append(ScriptStatement(kind: .unknown, range: token.range))
                parser.position += 1
            }
        }
        return statements
    }

    private init(tokens: [ScriptToken]) { self.tokens = tokens }

    // MARK: Tokens

    private var token: ScriptToken? { position < tokens.count ? tokens[position] : nil }

    private func isSign(_ sign: String, at offset: Int = 0) -> Bool {
        position + offset < tokens.count && tokens[position + offset].kind == .sign(sign)
    }

    private func isWord(_ word: String) -> Bool { token?.kind == .word(word) }

    private mutating func take(_ sign: String) -> Bool {
        guard isSign(sign) else { return false }
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

    // MARK: Statements

    private mutating func statement() -> [ScriptStatement] {
        if take(";") { return [] }
        let start = position
        do throws(ScriptError) {
            let kinds = try kinds()
            guard position > start else { throw ScriptError() }
            return kinds.map { ScriptStatement(kind: $0, range: range(from: start)) }
        } catch {
            position = start
            skip()
            guard position > start else { return [] }
            return [ScriptStatement(kind: .unknown, range: range(from: start))]
        }
    }

    private func range(from start: Int) -> Range<Int> {
        tokens[start].range.lowerBound..<tokens[max(start, position - 1)].range.upperBound
    }

    private mutating func kinds() throws(ScriptError) -> [ScriptStatement.Kind] {
        if isSign("{") { return [.block(try block())] }
        switch token?.kind {
        case .word("var"), .word("let"), .word("const"): return try declarations()
        case .word("if"):
            position += 1
            try expect("(")
            let condition = try expression()
            try expect(")")
            let inside = isSign("{") ? try block() : statement()
            if isWord("else") { throw ScriptError() }
            return [.condition(condition, inside)]
        case .word(let word) where Self.others.contains(word): throw ScriptError()
        default:
            let node = try expression()
            try end()
            return [.expression(node)]
        }
    }

    private static let others: Set<String> = [
        "for", "while", "do", "function", "try", "switch", "return", "throw", "break", "continue", "class", "async", "import",
        "export",
    ]

    private mutating func declarations() throws(ScriptError) -> [ScriptStatement.Kind] {
        position += 1
        var kinds: [ScriptStatement.Kind] = []
        repeat {
            if isSign("{") {
                kinds += try parts()
            } else {
                let name = try word()
                kinds.append(.declare(name, take("=") ? try expression() : .name("undefined")))
            }
        } while take(",")
        try end()
        return kinds
    }

    /// `{ id, name: title } = …`
    private mutating func parts() throws(ScriptError) -> [ScriptStatement.Kind] {
        try expect("{")
        var names: [(name: String, member: String)] = []
        while !take("}") {
            let member = try word()
            names.append((take(":") ? try word() : member, member))
            if !take(","), !isSign("}") { throw ScriptError() }
        }
        try expect("=")
        let whole = try expression()
        return names.map { .declare($0.name, .member(whole, $0.member)) }
    }

    /// A semicolon, or what stands for one (ECMA-262, section 12.10).
    private mutating func end() throws(ScriptError) {
        if take(";") || token == nil || isSign("}") || token?.isAfterBreak == true { return }
        throw ScriptError()
    }

    private mutating func block() throws(ScriptError) -> [ScriptStatement] {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.nesting else { throw ScriptError() }
        try expect("{")
        var statements: [ScriptStatement] = []
        while !isSign("}") {
            guard token != nil else { throw ScriptError() }
            statements += statement()
        }
        position += 1
        return statements
    }

    /// Past a statement that isn't read: to its semicolon, or to where a line ends and nothing is open.
    private mutating func skip() {
        var open = 0
        let start = position
        while let token {
            if case .sign(let sign) = token.kind {
                if ["(", "[", "{"].contains(sign) { open += 1 }
                if [")", "]", "}"].contains(sign) {
                    if open == 0 { return }
                    open -= 1
                }
                if sign == ";", open == 0 {
                    position += 1
                    return
                }
            }
            position += 1
            if open == 0, position > start, let next = self.token, next.isAfterBreak, !goesOn(next) { return }
        }
    }

    private func goesOn(_ token: ScriptToken) -> Bool {
        switch token.kind {
        case .word(let word): ["else", "catch", "finally"].contains(word)
        case .sign(let sign): !["{", "(", "[", "}", ";"].contains(sign) || sign == "{" && isSign(")", at: -1)
        default: false
        }
    }

    // MARK: Expressions

    private mutating func expression() throws(ScriptError) -> ScriptNode {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.nesting else { throw ScriptError() }
        if let function = try function() { return function }
        let left = try binary(0)
        if take("=") { return .assign(left, try expression()) }
        if isSign("?") || isSign("+=") || isSign("-=") { throw ScriptError() }
        return left
    }

    private static let levels = [
        ["||", "??"], ["&&"], ["===", "==", "!==", "!="], ["<", ">", "<=", ">="], ["+", "-"], ["*", "/", "%"],
    ]

    private mutating func binary(_ level: Int) throws(ScriptError) -> ScriptNode {
        guard level < Self.levels.count else { return try unary() }
        var left = try binary(level + 1)
        while case .sign(let sign)? = token?.kind, Self.levels[level].contains(sign) {
            position += 1
            left = .binary(sign, left, try binary(level + 1))
        }
        return left
    }

    private mutating func unary() throws(ScriptError) -> ScriptNode {
        depth += 1
        defer { depth -= 1 }
        guard depth < Self.nesting else { throw ScriptError() }
        if take("!") { return .unary("!", try unary()) }
        if take("-") { return .unary("-", try unary()) }
        if isWord("typeof") {
            position += 1
            return .unary("typeof", try unary())
        }
        if isWord("new") || isWord("await") || isWord("delete") { throw ScriptError() }
        var node = try primary()
        while true {
            if take(".") || take("?.") {
                node = .member(node, try word())
            } else if take("[") {
                node = .index(node, try expression())
                try expect("]")
            } else if isSign("("), token?.isAfterBreak == false {
                node = .call(node, try list(from: "(", to: ")"))
            } else {
                return node
            }
        }
    }

    private mutating func list(from open: String, to close: String) throws(ScriptError) -> [ScriptNode] {
        try expect(open)
        var items: [ScriptNode] = []
        while !take(close) {
            items.append(try expression())
            if !take(","), !isSign(close) { throw ScriptError() }
        }
        return items
    }

    private mutating func primary() throws(ScriptError) -> ScriptNode {
        guard let token else { throw ScriptError() }
        switch token.kind {
        case .word(let word):
            guard !Self.others.contains(word) else { throw ScriptError() }
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
                nodes.append(try parser.expression())
                guard parser.token == nil else { throw ScriptError() }
            }
            return .template(texts, nodes)
        case .sign("["): return .array(try list(from: "[", to: "]"))
        case .sign("("):
            position += 1
            let node = try expression()
            try expect(")")
            return node
        case .sign("{"): return try object()
        case .sign: throw ScriptError()
        }
    }

    /// The names of a literal's members; nobody asks for their values.
    private mutating func object() throws(ScriptError) -> ScriptNode {
        try expect("{")
        var names: [String] = []
        while !take("}") {
            switch token?.kind {
            case .word(let name), .text(let name): names.append(name)
            default: throw ScriptError()
            }
            position += 1
            if take(":") { _ = try expression() }
            if !take(","), !isSign("}") { throw ScriptError() }
        }
        return .object(names)
    }

    // MARK: Functions

    /// `function (…) {…}`, `(…) => …` and `x => …`; `nil` where none begins.
    private mutating func function() throws(ScriptError) -> ScriptNode? {
        let start = position
        if isWord("async") { position += 1 }
        if isWord("function") {
            position += 1
            if case .word? = token?.kind { position += 1 }
            try skipParameters()
            return .function(try block())
        }
        if isSign("("), arrow(behind: position) {
            try skipParameters()
        } else if case .word? = token?.kind, isSign("=>", at: 1) {
            position += 1
        } else {
            position = start
            return nil
        }
        try expect("=>")
        if isSign("{") { return .function(try block()) }
        let first = position
        let node = try expression()
        return .function([ScriptStatement(kind: .expression(node), range: range(from: first))])
    }

    private mutating func skipParameters() throws(ScriptError) {
        try expect("(")
        while !take(")") {
            guard token != nil else { throw ScriptError() }
            position += 1
        }
    }

    private func arrow(behind start: Int) -> Bool {
        var index = start + 1
        while index < tokens.count, tokens[index].kind != .sign(")") {
            if tokens[index].kind == .sign("(") { return false }
            index += 1
        }
        return index + 1 < tokens.count && tokens[index + 1].kind == .sign("=>")
    }
}
