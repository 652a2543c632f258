/// Reads JSON strictly (RFC 8259). Not Foundation's reader, which loses the order of members and the digits of numbers.
package struct JSONParser {
    private let bytes: [UInt8]
    private var position = 0
    /// It recurses: a level is a few hundred bytes of stack.
    static let maximumDepth = 512

    /// `nil` when the text isn't JSON.
    package static func parse(_ text: String) -> JSONValue? {
        var parser = JSONParser(bytes: Array(text.utf8))
        guard let value = parser.value(depth: 0) else { return nil }
        parser.skipSpace()
        return parser.position == parser.bytes.count ? value : nil
    }

    /// The same, and where a text stops being JSON.
    ///
    /// - Parameter path: the file's, for its place.
    package static func document(_ bytes: [UInt8], path: String) throws(CollectionProblem) -> JSONValue {
        var parser = JSONParser(bytes: bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.position = 3 }
        if let value = parser.value(depth: 0) {
            parser.skipSpace()
            if parser.position == bytes.count { return value }
        }
        throw CollectionProblem(location: parser.location(in: path), message: parser.complaint)
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The place of the byte that can't stand where it is.
    private func location(in path: String) -> SourceLocation {
        let before = bytes[..<min(position, bytes.count)]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? (bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
        return SourceLocation(
            path: path, line: before.count { $0 == 0x0A } + 1, column: before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1)
    }

    private var complaint: String {
        guard let byte = current else { return "this is not JSON: the text ends too early" }
        let rest = bytes[position...].prefix { $0 > 0x20 }.prefix(20)
        if byte == UInt8(ascii: "\"") { return "this is not JSON: a string with no end, or with an escape that JSON doesn't know" }
        if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
            return "this is not JSON: lists and maps are nested more than \(Self.maximumDepth) deep"
        }
        return "this is not JSON: `\(String(decoding: rest, as: UTF8.self))` can't stand here"
    }

    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { position += 1 }
    }

    private mutating func consume(_ text: StaticString) -> Bool {
        let end = position + text.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        for offset in 0..<text.utf8CodeUnitCount where bytes[position + offset] != text.utf8Start[offset] { return false }
        position = end
        return true
    }

    private mutating func value(depth: Int) -> JSONValue? {
        guard depth <= Self.maximumDepth else { return nil }
        skipSpace()
        switch current {
        case UInt8(ascii: "n"): return consume("null") ? .null : nil
        case UInt8(ascii: "t"): return consume("true") ? .boolean(true) : nil
        case UInt8(ascii: "f"): return consume("false") ? .boolean(false) : nil
        case UInt8(ascii: "\""): return string().map(JSONValue.string)
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "{"): return object(depth: depth)
        default: return number()
        }
    }

    private mutating func array(depth: Int) -> JSONValue? {
        position += 1
        var values: [JSONValue] = []
        skipSpace()
        if consume("]") { return .array([]) }
        while true {
            guard let value = value(depth: depth + 1) else { return nil }
            values.append(value)
            skipSpace()
            if consume("]") { return .array(values) }
            guard consume(",") else { return nil }
        }
    }

    private mutating func object(depth: Int) -> JSONValue? {
        position += 1
        var members: [JSONValue.Member] = []
        skipSpace()
        if consume("}") { return .object([]) }
        while true {
            skipSpace()
            guard current == UInt8(ascii: "\""), let name = string() else { return nil }
            skipSpace()
            guard consume(":"), let value = value(depth: depth + 1) else { return nil }
            members.append(.init(name: name, value: value))
            skipSpace()
            if consume("}") { return .object(members) }
            guard consume(",") else { return nil }
        }
    }

    private mutating func number() -> JSONValue? {
        let start = position
        _ = consume("-")
        if !consume("0") { guard digits() else { return nil } }
        if consume(".") { guard digits() else { return nil } }
        if consume("e") || consume("E") {
            if !consume("+") { _ = consume("-") }
            guard digits() else { return nil }
        }
        return .number(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func digits() -> Bool {
        let start = position
        while let byte = current, byte >= 0x30, byte <= 0x39 { position += 1 }
        return position > start
    }

    private mutating func string() -> String? {
        guard let end = JSONStringLiteral.end(in: bytes, at: position) else { return nil }
        defer { position = end }
        return JSONStringLiteral.decode(bytes[position..<end])
    }
}

/// The text between two quotes.
enum JSONStringLiteral {
    /// Where the literal that begins at `start` with its quote ends, behind the other quote.
    static func end(in bytes: [UInt8], at start: Int) -> Int? {
        var position = start + 1
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): return position + 1
            case UInt8(ascii: "\\"): position += 2
            case 0..<0x20: return nil
            default: position += 1
            }
        }
        return nil
    }

    /// The string that a literal, with its quotes, stands for.
    static func decode(_ literal: ArraySlice<UInt8>) -> String? {
        let content = literal.dropFirst().dropLast()
        guard content.contains(UInt8(ascii: "\\")) else { return String(decoding: content, as: UTF8.self) }
        var units: [UInt16] = []
        var text = ""
        var position = content.startIndex
        func flush() {
            text += String(decoding: units, as: UTF16.self)
            units = []
        }
        while position < content.endIndex {
            guard content[position] == UInt8(ascii: "\\") else {
                flush()
                let end = content[position...].firstIndex(of: UInt8(ascii: "\\")) ?? content.endIndex
                text += String(decoding: content[position..<end], as: UTF8.self)
                position = end
                continue
            }
            guard position + 1 < content.endIndex else { return nil }
            let letter = content[position + 1]
            position += 2
            switch letter {
            case UInt8(ascii: "n"): units.append(0x0A)
            case UInt8(ascii: "r"): units.append(0x0D)
            case UInt8(ascii: "t"): units.append(0x09)
            case UInt8(ascii: "b"): units.append(0x08)
            case UInt8(ascii: "f"): units.append(0x0C)
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(UInt16(letter))
            case UInt8(ascii: "u"):
                guard position + 4 <= content.endIndex, content[position] != UInt8(ascii: "+"),
                    let unit = UInt16(String(decoding: content[position..<position + 4], as: UTF8.self), radix: 16)
                else { return nil }
                units.append(unit)
                position += 4
            default: return nil
            }
        }
        flush()
        return text
    }
}

extension JSONParser {
    /// Whether a string in JSON has half of a surrogate pair (`\ud800`), which JSON may have, and no text can be.
    package static func hasHalfPairs(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var position = 0
        func unit(at start: Int) -> UInt16? {
            guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u") else {
                return nil
            }
            return UInt16(String(decoding: bytes[start + 2..<start + 6], as: UTF8.self), radix: 16)
        }
        while let next = bytes[position...].firstIndex(of: UInt8(ascii: "\\")) {
            guard let first = unit(at: next), (0xD800...0xDFFF).contains(first) else {
                position = min(next + 2, bytes.count)
                continue
            }
            guard first < 0xDC00, let second = unit(at: next + 6), (0xDC00...0xDFFF).contains(second) else { return true }
            position = next + 12
        }
        return false
    }
}
