/// A piece of JavaScript (ECMA-262, section 12), as far as test scripts need it.
struct ScriptToken: Hashable {
    var kind: Kind
    /// Where it stands, in bytes of the script.
    var range: Range<Int>
    /// A line break stands before it.
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

    var word: String? { if case .word(let word) = kind { word } else { nil } }
    var sign: String? { if case .sign(let sign) = kind { sign } else { nil } }
}

/// A script, or a part of it, that isn't understood.
struct ScriptError: Error {}

struct ScriptLexer {
    private let bytes: [UInt8]
    private let end: Int
    /// Of template literals in template literals.
    private let depth: Int
    private var position: Int
    private var tokens: [ScriptToken] = []
    private var isAfterBreak = false

    /// Longest first.
    private static let signs =
        ">>>= === !== ... **= <<= >>= >>> &&= ||= ??= => == != <= >= && || ?? ?. ++ -- += -= *= /= %= ** << >> &= |= ^="
        .split(separator: " ").map { Array($0.utf8) }

    /// - Throws: where a text, comment or template doesn't end.
    static func tokens(_ bytes: [UInt8]) throws(ScriptError) -> [ScriptToken] { try tokens(bytes, in: 0..<bytes.count, depth: 0) }

    private static func tokens(_ bytes: [UInt8], in range: Range<Int>, depth: Int) throws(ScriptError) -> [ScriptToken] {
        guard depth < 20 else { throw ScriptError() }
        var lexer = ScriptLexer(bytes: bytes, end: range.upperBound, depth: depth, position: range.lowerBound)
        while lexer.position < lexer.end { try lexer.next() }
        return lexer.tokens
    }

    private func peek(_ offset: Int = 0) -> UInt8? { position + offset < end ? bytes[position + offset] : nil }

    private func begins(with text: String) -> Bool { bytes[position..<end].starts(with: text.utf8) }

    private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private mutating func add(_ kind: ScriptToken.Kind, from start: Int) {
        tokens.append(ScriptToken(kind: kind, range: start..<position, isAfterBreak: isAfterBreak))
        isAfterBreak = false
    }

    private var isBreak: Bool { peek() == 0x0A || peek() == 0x0D || begins(with: "\u{2028}") || begins(with: "\u{2029}") }

    private static func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } == true }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x7A).contains(byte | 0x20) || byte >= 0x80 || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "$")
    }

    private mutating func next() throws(ScriptError) {
        let start = position
        let byte = bytes[position]
        if isBreak {
            isAfterBreak = true
            position += byte < 0x80 ? 1 : 3
        } else if byte == 0x20 || byte == 0x09 || byte == 0x0B || byte == 0x0C {
            position += 1
        } else if let space = ["\u{A0}", "\u{FEFF}"].first(where: begins) {
            position += space.utf8.count
        } else if begins(with: "//") {
            while position < end, !isBreak { position += 1 }
        } else if begins(with: "/*") {
            while !begins(with: "*/") {
                guard position < end else { throw ScriptError() }
                if isBreak { isAfterBreak = true }
                position += 1
            }
            position += 2
        } else if begins(with: "<!--") {
            // A comment, in some places.
            throw ScriptError()
        } else if Self.isDigit(byte) || byte == UInt8(ascii: ".") && Self.isDigit(peek(1)) {
            // Of `1e-3` this is `1e`, which is none that is understood.
            while let next = peek(), Self.isOfWord(next) || next == UInt8(ascii: ".") { position += 1 }
            add(.number(string(start..<position)), from: start)
        } else if Self.isOfWord(byte) {
            while let next = peek(), Self.isOfWord(next) { position += 1 }
            add(.word(string(start..<position)), from: start)
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
            position += 1
            let text = try text(until: byte)
            position += 1
            add(.text(text), from: start)
        } else if byte == UInt8(ascii: "`") {
            try template(from: start)
        } else if byte == UInt8(ascii: "/"), isRegexAllowed {
            try regex(from: start)
        } else {
            position += Self.signs.first { bytes[position..<end].starts(with: $0) }?.count ?? 1
            add(.sign(string(start..<position)), from: start)
        }
    }

    /// Words behind which a value begins, and no division.
    static let operators: Set<String> = [
        "return", "typeof", "case", "in", "of", "delete", "void", "instanceof", "new", "do", "else", "await", "yield", "throw",
    ]

    private var isRegexAllowed: Bool {
        switch tokens.last?.kind {
        case .word(let word): Self.operators.contains(word)
        case .number, .text, .template, .regex: false
        case .sign(let sign): ![")", "]", "}"].contains(sign)
        case nil: true
        }
    }

    // MARK: Texts

    /// Up to its quote, or to a value in a template literal.
    private mutating func text(until quote: UInt8) throws(ScriptError) -> String {
        let isTemplate = quote == UInt8(ascii: "`")
        var units: [UInt16] = []
        while let byte = peek(), isTemplate || byte != 0x0A && byte != 0x0D {
            if byte == quote || isTemplate && begins(with: "${") {
                // The two halves of a character stand side by side.
                guard let text = String(validating: units, as: UTF16.self) else { throw ScriptError() }
                return text
            }
            let start = position
            position += 1
            if byte == UInt8(ascii: "\\") {
                try escape(into: &units)
            } else {
                while let next = peek(), next & 0xC0 == 0x80 { position += 1 }
                units += string(start..<position).utf16
            }
        }
        throw ScriptError()
    }

    private static let escapes: [UInt8: UInt16] = [0x6E: 0x0A, 0x74: 0x09, 0x72: 0x0D, 0x62: 0x08, 0x66: 0x0C, 0x76: 0x0B]

    private mutating func escape(into units: inout [UInt16]) throws(ScriptError) {
        // A line that goes on, and old scripts' octal numbers, aren't read.
        guard let byte = peek(), !isBreak, byte == UInt8(ascii: "0") ? !Self.isDigit(peek(1)) : !Self.isDigit(byte) else {
            throw ScriptError()
        }
        position += 1
        switch byte {
        case UInt8(ascii: "u"), UInt8(ascii: "x"):
            let isBraced = byte == UInt8(ascii: "u") && peek() == UInt8(ascii: "{")
            let close = isBraced ? bytes[position..<end].firstIndex(of: UInt8(ascii: "}")) : nil
            let digits = isBraced ? position + 1..<(close ?? end) : position..<position + (byte == UInt8(ascii: "u") ? 4 : 2)
            guard digits.upperBound <= end, isBraced == (close != nil), let code = UInt32(string(digits), radix: 16) else {
                throw ScriptError()
            }
            if let scalar = Unicode.Scalar(code) { units += Character(scalar).utf16 } else { units.append(UInt16(clamping: code)) }
            position = digits.upperBound + (isBraced ? 1 : 0)
        case UInt8(ascii: "0"): units.append(0)
        case 0x80...: position -= 1
        default: units.append(Self.escapes[byte] ?? UInt16(byte))
        }
    }

    private mutating func template(from start: Int) throws(ScriptError) {
        var texts: [String] = []
        var insides: [[ScriptToken]] = []
        position += 1
        while true {
            texts.append(try text(until: UInt8(ascii: "`")))
            guard begins(with: "${") else { break }
            position += 2
            let begin = position
            var depth = 1
            while depth > 0 {
                guard let byte = peek() else { throw ScriptError() }
                depth += byte == UInt8(ascii: "{") ? 1 : byte == UInt8(ascii: "}") ? -1 : 0
                position += 1
            }
            insides.append(try Self.tokens(bytes, in: begin..<position - 1, depth: self.depth + 1))
        }
        position += 1
        add(.template(texts, insides), from: start)
    }

    private mutating func regex(from start: Int) throws(ScriptError) {
        position += 1
        var isInClass = false
        while let byte = peek(), !isBreak {
            if byte == UInt8(ascii: "/"), !isInClass {
                let pattern = string(start + 1..<position)
                position += 1
                let flags = position
                while let next = peek(), Self.isOfWord(next) { position += 1 }
                return add(.regex(pattern, flags: string(flags..<position)), from: start)
            }
            isInClass = byte == UInt8(ascii: "[") || isInClass && byte != UInt8(ascii: "]")
            position += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        throw ScriptError()
    }
}
