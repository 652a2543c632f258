/// The tokens of a document (GraphQL, 2.1), without white space, commas and comments.
///
/// It never stops: what is no token is an ``Kind/invalid(_:)`` one, since a text that is being written is also read by it.
struct GraphQLLexer {
    let source: [UInt8]
    /// Where the next token is looked for.
    var offset = 0
    /// Whether the text ends in a comment, where nothing ends it.
    private(set) var endsInComment = false

    struct Token: Hashable {
        var kind: Kind
        var range: Range<Int>
    }

    enum Kind: Hashable {
        /// One of ``punctuators``, or `.` for `...`.
        case punctuator(UInt8)
        case name, int, float, string, blockString, end
        /// `{{…}}`, with the letters and digits that touch it.
        case template
        /// Why it is none.
        case invalid(String)
    }

    static let punctuators = Set("!$&()[]{}:=@|".utf8)

    init(_ text: String) { self.init(Array(text.utf8)) }

    init(_ source: [UInt8]) {
        self.source = source
        if source.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    func byte(_ index: Int) -> UInt8? { index < source.count ? source[index] : nil }

    func text(_ range: Range<Int>) -> String { String(decoding: source[range], as: UTF8.self) }

    mutating func next() -> Token {
        skipIgnored()
        let start = offset
        let kind = readToken()
        return Token(kind: kind, range: start..<offset)
    }

    private mutating func skipIgnored() {
        while let byte = byte(offset) {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","): offset += 1
            case UInt8(ascii: "#"):
                while let byte = self.byte(offset), byte != 0x0A, byte != 0x0D { offset += 1 }
                endsInComment = offset == source.count
            default: return
            }
        }
    }

    private mutating func readToken() -> Kind {
        guard let first = byte(offset) else { return .end }
        switch first {
        case UInt8(ascii: "{") where isAtTemplate: return readTemplate()
        case _ where first.isNameStart:
            skipWord()
            return isAtTemplate ? readTemplate() : .name
        case _ where first.isDigit || first == UInt8(ascii: "-"): return readNumber()
        case UInt8(ascii: "\""):
            return byte(offset + 1) == first && byte(offset + 2) == first ? readBlockString() : readString()
        case _ where Self.punctuators.contains(first):
            offset += 1
            return .punctuator(first)
        case UInt8(ascii: ".") where byte(offset + 1) == first && byte(offset + 2) == first:
            offset += 3
            return .punctuator(first)
        default:
            // The whole scalar, so that a fault doesn't end in the middle of it.
            repeat { offset += 1 } while byte(offset).map { $0 & 0xC0 == 0x80 } == true
            return .invalid(
                first == UInt8(ascii: ".") ? "a dot, where three of them are a spread" : "a character that GraphQL doesn't know")
        }
    }

    private mutating func skipWord() {
        while let byte = byte(offset), byte.isNameStart || byte.isDigit { offset += 1 }
    }

    /// Whether `{{` is here: of `{{{` the first brace is a punctuator.
    private var isAtTemplate: Bool {
        let brace = UInt8(ascii: "{")
        return byte(offset) == brace && byte(offset + 1) == brace && byte(offset + 2) != brace
    }

    private mutating func readTemplate() -> Kind {
        while isAtTemplate {
            let close = UInt8(ascii: "}")
            while !(byte(offset) == close && byte(offset + 1) == close) {
                guard let byte = byte(offset), byte != 0x0A, byte != 0x0D else {
                    return .invalid("{{, which begins a template, without }} on its line")
                }
                offset += 1
            }
            offset += 2
            skipWord()
        }
        return .template
    }

    private mutating func skipDigits() -> Bool {
        let start = offset
        while let byte = byte(offset), byte.isDigit { offset += 1 }
        return offset > start
    }

    private mutating func readNumber() -> Kind {
        if byte(offset) == UInt8(ascii: "-") { offset += 1 }
        let start = offset
        guard skipDigits() else { return .invalid("a minus sign without a number") }
        var kind = Kind.int
        if source[start] == UInt8(ascii: "0"), offset > start + 1 { kind = .invalid("a number with a zero before it") }
        if byte(offset) == UInt8(ascii: ".") {
            offset += 1
            kind = skipDigits() ? (kind == .int ? .float : kind) : .invalid("a number without a digit behind its dot")
        }
        if let mark = byte(offset), mark | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if byte(offset) == UInt8(ascii: "+") || byte(offset) == UInt8(ascii: "-") { offset += 1 }
            let hasDigits = skipDigits()
            if kind == .int || kind == .float { kind = hasDigits ? .float : .invalid("a number without a digit in its exponent") }
        }
        if isAtTemplate { return readTemplate() }
        if let byte = byte(offset), byte.isNameStart || byte == UInt8(ascii: ".") {
            skipWord()
            if self.byte(offset) == UInt8(ascii: ".") { offset += 1 }
            return .invalid("a number that a letter or a dot touches")
        }
        return kind
    }

    private mutating func readString() -> Kind {
        var problem: String?
        offset += 1
        while let byte = byte(offset), byte != 0x0A, byte != 0x0D {
            if byte == UInt8(ascii: "\"") {
                offset += 1
                return problem.map { .invalid($0) } ?? .string
            }
            if byte != UInt8(ascii: "\\") {
                offset += 1
            } else if let (_, length) = escape(at: offset) {
                offset += length
            } else {
                problem = "a string with an unknown escape in it"
                // Neither the quote behind the backslash nor the backslash itself ends anything.
                offset += self.byte(offset + 1).map { $0 == 0x0A || $0 == 0x0D } == false ? 2 : 1
            }
        }
        return .invalid("a string without its closing quote")
    }

    private mutating func readBlockString() -> Kind {
        let quote = UInt8(ascii: "\"")
        offset += 3
        while let byte = byte(offset) {
            if byte == quote, self.byte(offset + 1) == quote, self.byte(offset + 2) == quote {
                offset += 3
                return .blockString
            }
            offset += isEscapedBlockQuote(at: offset) ? 4 : 1
        }
        return .invalid("a block string without its closing quotes")
    }

    private func isEscapedBlockQuote(at index: Int) -> Bool {
        source[index] == UInt8(ascii: "\\") && source[(index + 1)...].starts(with: "\"\"\"".utf8)
    }

    // MARK: Strings

    /// What the string of a token says.
    func string(_ token: Token) -> String {
        token.kind == .blockString ? blockString(token.range) : plainString(token.range)
    }

    private func plainString(_ range: Range<Int>) -> String {
        let inner = range.lowerBound + 1..<range.upperBound - 1
        guard source[inner].contains(UInt8(ascii: "\\")) else { return text(inner) }
        var result = ""
        var start = inner.lowerBound
        var index = start
        while index < inner.upperBound {
            guard source[index] == UInt8(ascii: "\\"), let (scalar, length) = escape(at: index) else {
                index += 1
                continue
            }
            result += text(start..<index)
            result.unicodeScalars.append(scalar)
            index += length
            start = index
        }
        return result + text(start..<inner.upperBound)
    }

    /// The scalar that an escape stands for, and how many bytes the escape has; `nil`: it is none.
    private func escape(at index: Int) -> (Unicode.Scalar, length: Int)? {
        switch byte(index + 1) {
        case UInt8(ascii: "\""): return ("\"", 2)
        case UInt8(ascii: "\\"): return ("\\", 2)
        case UInt8(ascii: "/"): return ("/", 2)
        case UInt8(ascii: "b"): return ("\u{8}", 2)
        case UInt8(ascii: "f"): return ("\u{C}", 2)
        case UInt8(ascii: "n"): return ("\n", 2)
        case UInt8(ascii: "r"): return ("\r", 2)
        case UInt8(ascii: "t"): return ("\t", 2)
        case UInt8(ascii: "u") where byte(index + 2) == UInt8(ascii: "{"):
            // Leading zeros may be many.
            guard let close = source[(index + 3)...].firstIndex(where: { !$0.isHexDigit }), source[close] == UInt8(ascii: "}"),
                let scalar = UInt32(text(index + 3..<close), radix: 16).flatMap(Unicode.Scalar.init)
            else { return nil }
            return (scalar, close + 1 - index)
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(at: index) else { return nil }
            if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
            guard unit < 0xDC00, let trail = codeUnit(at: index + 6), 0xDC00...0xDFFF ~= trail,
                let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (trail - 0xDC00))
            else { return nil }
            return (scalar, 12)
        default: return nil
        }
    }

    /// The UTF-16 code unit of an escape `\uXXXX`; `nil`: no such escape begins there.
    private func codeUnit(at index: Int) -> UInt32? {
        guard index + 6 <= source.count, source[index] == UInt8(ascii: "\\"), source[index + 1] == UInt8(ascii: "u"),
            source[index + 2..<index + 6].allSatisfy(\.isHexDigit)
        else { return nil }
        return UInt32(text(index + 2..<index + 6), radix: 16)
    }

    /// Without the indentation that all lines but the first share, and without blank lines around (GraphQL, 2.9.4).
    private func blockString(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        var index = range.lowerBound + 3
        while index < range.upperBound - 3 {
            if isEscapedBlockQuote(at: index) { index += 1 }
            // A line's end is one byte from here on.
            if source[index] == 0x0D {
                if source[index + 1] == 0x0A { index += 1 }
                bytes.append(0x0A)
            } else {
                bytes.append(source[index])
            }
            index += 1
        }
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let indentations = lines.dropFirst().compactMap { line in line.firstIndex { !$0.isBlank }.map { $0 - line.startIndex } }
        if let common = indentations.min() {
            for index in lines.indices.dropFirst() { lines[index] = lines[index].dropFirst(common) }
        }
        let isBlank = { (line: ArraySlice<UInt8>) in line.allSatisfy(\.isBlank) }
        lines = Array(lines.drop(while: isBlank))
        while let last = lines.last, isBlank(last) { lines.removeLast() }
        return String(decoding: Array(lines.joined(separator: [0x0A])), as: UTF8.self)
    }
}

extension UInt8 {
    /// `_`, or a letter of ASCII.
    var isNameStart: Bool { self == UInt8(ascii: "_") || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }
    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
    fileprivate var isHexDigit: Bool { isDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20 }
    /// Whether it indents a line of a block string.
    fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
}
