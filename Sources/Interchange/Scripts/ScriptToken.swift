/// A piece of JavaScript (ECMA-262, section 12), as far as the scripts of such programs need it.
struct ScriptToken: Hashable {
    var kind: Kind
    /// From where to where it stands, in scalars; a line break stands before it.
    var range: Range<Int>
    var isAfterBreak = false

    enum Kind: Hashable {
        /// A name or a word of the language.
        case word(String)
        case number(String)
        case text(String)
        /// Pieces of a template literal and the tokens between them.
        case template([String], [[ScriptToken]])
        case regex(String, flags: String)
        case sign(String)
    }
}

struct ScriptError: Error {}

struct ScriptLexer {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var tokens: [ScriptToken] = []
    private var isAfterBreak = false
    private var hasValue = false
    private static let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{2028}", "\u{2029}"]

    /// Longest first.
    private static let signs = [
        ">>>=", "===", "!==", "...", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&", "||",
        "??", "?.",
        "++", "--", "+=", "-=", "*=", "/=", "%=", "**", "<<", ">>", "&=", "|=", "^=",
    ].map { Array($0.unicodeScalars) }

    /// - Throws: where a text, comment or template doesn't end.
    static func tokens(_ scalars: [Unicode.Scalar]) throws(ScriptError) -> [ScriptToken] {
        var lexer = ScriptLexer(scalars: scalars)
        while try lexer.next() {}
        return lexer.tokens
    }

    private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        position + offset < scalars.count ? scalars[position + offset] : nil
    }

    private mutating func add(_ kind: ScriptToken.Kind, from start: Int) {
        tokens.append(ScriptToken(kind: kind, range: start..<position, isAfterBreak: isAfterBreak))
        isAfterBreak = false
    }

    private mutating func next() throws(ScriptError) -> Bool {
        guard let scalar = peek() else { return false }
        let start = position
        if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
            if Self.breaks.contains(scalar) { isAfterBreak = true }
            position += 1
        } else if scalar == "/", peek(1) == "/" {
            while let next = peek(), !Self.breaks.contains(next) { position += 1 }
        } else if scalar == "/", peek(1) == "*" {
            position += 2
            while !(peek() == "*" && peek(1) == "/") {
                guard let next = peek() else { throw ScriptError() }
                if Self.breaks.contains(next) { isAfterBreak = true }
                position += 1
            }
            position += 2
        } else if scalars[position...].starts(with: "<!--".unicodeScalars) {
            // A comment, in some places.
            throw ScriptError()
        } else if Self.isOfWord(scalar), !Self.isDigit(scalar) {
            while let next = peek(), Self.isOfWord(next) { position += 1 }
            add(.word(string(start..<position)), from: start)
        } else if Self.isDigit(scalar) || scalar == "." && peek(1).map(Self.isDigit) == true {
            while let next = peek(), Self.isOfWord(next) || next == "." || isSignOfExponent(next, from: start) { position += 1 }
            add(.number(string(start..<position)), from: start)
        } else if scalar == "\"" || scalar == "'" {
            position += 1
            add(.text(try text(until: scalar)), from: start)
        } else if scalar == "`" {
            position += 1
            try template(from: start)
        } else if scalar == "/", isRegexAllowed {
            try regex(from: start)
        } else {
            let sign = Self.signs.first { scalars[position...].starts(with: $0) } ?? [scalar]
            position += sign.count
            add(.sign(string(start..<position)), from: start)
        }
        return true
    }

    /// `1e-3`, but `0xe-3`.
    private func isSignOfExponent(_ scalar: Unicode.Scalar, from start: Int) -> Bool {
        (scalar == "-" || scalar == "+") && position > start && ["e", "E"].contains(scalars[position - 1])
            && !(position > start + 1 && ["x", "X"].contains(scalars[start + 1]))
    }

    private func string(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private static func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "$" || isDigit(scalar) || scalar.properties.isAlphabetic
    }

    private static let operators: Set<String> = [
        "return", "typeof", "case", "in", "of", "delete", "void", "instanceof", "new", "do", "else", "await", "yield", "throw",
    ]

    /// What begins behind a value divides by it.
    private var isRegexAllowed: Bool {
        switch tokens.last?.kind {
        case .word(let word): Self.operators.contains(word)
        case .number, .text, .template, .regex: false
        case .sign(let sign): ![")", "]", "}"].contains(sign)
        case nil: true
        }
    }

    /// What begins a value in a template literal ends its text, too.
    private mutating func text(until quote: Unicode.Scalar) throws(ScriptError) -> String {
        var text = ""
        hasValue = false
        while let scalar = peek(), quote == "`" || scalar != "\n" && scalar != "\r" {
            if scalar == quote {
                position += 1
                return text
            }
            if quote == "`", scalar == "$", peek(1) == "{" {
                hasValue = true
                return text
            }
            position += 1
            if scalar == "\\" { try escape(into: &text) } else { text.unicodeScalars.append(scalar) }
        }
        throw ScriptError()
    }

    private mutating func escape(into text: inout String) throws(ScriptError) {
        guard let scalar = peek() else { throw ScriptError() }
        position += 1
        switch scalar {
        case "u", "x": text.unicodeScalars.append(try escapedScalar(scalar))
        // To its left a break of two scalars is one.
        case "\r": if peek() == "\n" { position += 1 }
        case "\n", "\u{2028}", "\u{2029}": break
        case "0"..."9":
            // In old scripts, a number with a leading zero is octal.
            guard scalar == "0", peek().map(Self.isDigit) != true else { throw ScriptError() }
            text.unicodeScalars.append("\0")
        default:
            let others: [Unicode.Scalar: Unicode.Scalar] = [
                "n": "\n", "t": "\t", "r": "\r", "b": "\u{8}", "f": "\u{C}", "v": "\u{B}",
            ]
            text.unicodeScalars.append(others[scalar] ?? scalar)
        }
    }

    /// `\u0065`, `\u{65}`, `\x65`, or the two halves of one above U+FFFF.
    private mutating func escapedScalar(_ kind: Unicode.Scalar) throws(ScriptError) -> Unicode.Scalar {
        if kind == "u", peek() == "{" {
            let begin = position + 1
            while let next = peek(), next != "}" { position += 1 }
            defer { position += 1 }
            guard begin <= position, let code = UInt32(string(begin..<position), radix: 16), let scalar = Unicode.Scalar(code)
            else {
                throw ScriptError()
            }
            return scalar
        }
        let code = try hexadecimal(kind == "u" ? 4 : 2)
        if let scalar = Unicode.Scalar(code) { return scalar }
        guard (0xD800..<0xDC00).contains(code), peek() == "\\", peek(1) == "u" else { throw ScriptError() }
        position += 2
        let low = try hexadecimal(4)
        guard (0xDC00..<0xE000).contains(low), let scalar = Unicode.Scalar(0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)) else {
            throw ScriptError()
        }
        return scalar
    }

    private mutating func hexadecimal(_ count: Int) throws(ScriptError) -> UInt32 {
        guard position + count <= scalars.count, let code = UInt32(string(position..<position + count), radix: 16) else {
            throw ScriptError()
        }
        position += count
        return code
    }

    private mutating func template(from start: Int) throws(ScriptError) {
        var texts = [try text(until: "`")]
        var insides: [[ScriptToken]] = []
        while hasValue {
            position += 2
            let begin = position
            var depth = 1
            while depth > 0 {
                guard let scalar = peek() else { throw ScriptError() }
                depth += scalar == "{" ? 1 : scalar == "}" ? -1 : 0
                position += 1
            }
            insides.append(try Self.tokens(Array(scalars[begin..<position - 1])))
            texts.append(try text(until: "`"))
        }
        add(.template(texts, insides), from: start)
    }

    private mutating func regex(from start: Int) throws(ScriptError) {
        position += 1
        let begin = position
        var isInClass = false
        while let scalar = peek(), !Self.breaks.contains(scalar) {
            if scalar == "/", !isInClass {
                let pattern = string(begin..<position)
                position += 1
                let flags = position
                while let next = peek(), Self.isOfWord(next) { position += 1 }
                return add(.regex(pattern, flags: string(flags..<position)), from: start)
            }
            isInClass = scalar == "[" || isInClass && scalar != "]"
            position += scalar == "\\" ? 2 : 1
        }
        throw ScriptError()
    }
}
