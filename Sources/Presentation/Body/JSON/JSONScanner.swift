/// The lexemes of JSON (RFC 8259) over bytes, without building anything.
///
/// The scanning functions take the start of a lexeme and return the byte behind it. Those that check throw no error but
/// return `nil`, with the place in `fault`.
enum JSONScanner {
    @inline(__always)
    static func skipSpace(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var position = start
        while position < end {
            guard isSpace(bytes[position]) else { return position }
            position &+= 1
        }
        return position
    }

    /// White space of JSON, which is also that of XML; other control characters aren't.
    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool {
        byte <= 0x20 && (byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09)
    }

    /// The first quote, backslash or control character at or behind `start`; `end` if there is none.
    @inline(__always)
    static func endOfPlainCharacters(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var position = start
        let quote = SIMD16<UInt8>(repeating: 0x22)
        let backslash = SIMD16<UInt8>(repeating: 0x5C)
        let space = SIMD16<UInt8>(repeating: 0x20)
        while position &+ 16 <= end {
            let block = UnsafeRawPointer(bytes + position).loadUnaligned(as: SIMD16<UInt8>.self)
            let found = (block .== quote) .| (block .== backslash) .| (block .< space)
            let halves = unsafeBitCast(found, to: SIMD2<UInt64>.self)
            if halves[0] != 0 { return position &+ halves[0].littleEndian.trailingZeroBitCount >> 3 }
            if halves[1] != 0 { return position &+ 8 &+ halves[1].littleEndian.trailingZeroBitCount >> 3 }
            position &+= 16
        }
        while position < end {
            let byte = bytes[position]
            if byte == 0x22 || byte == 0x5C || byte < 0x20 { return position }
            position &+= 1
        }
        return end
    }

    /// Behind the closing quote of the string that opens at `start`. With no closing quote, or a bad escape or control
    /// character before it: `nil`, and the place of that in `fault`.
    @inline(__always)
    static func checkedEndOfString(
        _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, fault: inout Int
    ) -> Int? {
        var position = start &+ 1
        while true {
            position = endOfPlainCharacters(bytes, position, end)
            guard position < end else { break }
            let byte = bytes[position]
            if byte == 0x22 { return position &+ 1 }
            guard byte == 0x5C, position &+ 1 < end else { break }
            switch bytes[position &+ 1] {
            case 0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74: position &+= 2
            case 0x75:
                for digit in position &+ 2..<position &+ 6 where digit >= end || !isHexadecimal(bytes[digit]) {
                    fault = min(digit, end)
                    return nil
                }
                position &+= 6
            default:
                fault = position &+ 1
                return nil
            }
        }
        fault = position
        return nil
    }

    /// Behind the closing quote, in a body that was checked before; `end` if there is none.
    static func endOfString(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        switch endOfString(bytes, inside: start + 1, end) {
        case .end(let found): found
        case .goOn: end
        }
    }

    /// The end of the string that this place is inside of.
    static func endOfString(_ bytes: UnsafePointer<UInt8>, inside start: Int, _ end: Int) -> LineEndCache.Finding {
        var position = start
        while position < end {
            position = endOfPlainCharacters(bytes, position, end)
            guard position < end else { break }
            switch bytes[position] {
            case 0x22: return .end(position + 1)
            case 0x5C: position += 2
            default: position += 1
            }
        }
        return .goOn(max(position, end))
    }

    /// `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`
    @inline(__always)
    static func checkedEndOfNumber(
        _ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, fault: inout Int
    ) -> Int? {
        var position = start
        if bytes[position] == 0x2D { position &+= 1 }
        guard position < end, isDigit(bytes[position]) else {
            fault = position
            return nil
        }
        if bytes[position] == 0x30 {
            position &+= 1
        } else {
            position = endOfDigits(bytes, position, end)
        }
        if position < end, bytes[position] == 0x2E {
            position &+= 1
            let digits = endOfDigits(bytes, position, end)
            guard digits > position else {
                fault = position
                return nil
            }
            position = digits
        }
        if position < end, bytes[position] | 0x20 == 0x65 {
            position &+= 1
            if position < end, bytes[position] == 0x2B || bytes[position] == 0x2D { position &+= 1 }
            let digits = endOfDigits(bytes, position, end)
            guard digits > position else {
                fault = position
                return nil
            }
            position = digits
        }
        return position
    }

    /// Behind `true`, `false` or `null`.
    @inline(__always)
    static func checkedEndOfWord(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, fault: inout Int) -> Int? {
        let rest = end &- start
        switch bytes[start] {
        case 0x74 where rest >= 4 && bytes[start &+ 1] == 0x72 && bytes[start &+ 2] == 0x75 && bytes[start &+ 3] == 0x65:
            return start &+ 4
        case 0x6E where rest >= 4 && bytes[start &+ 1] == 0x75 && bytes[start &+ 2] == 0x6C && bytes[start &+ 3] == 0x6C:
            return start &+ 4
        case 0x66
        where rest >= 5 && bytes[start &+ 1] == 0x61 && bytes[start &+ 2] == 0x6C && bytes[start &+ 3] == 0x73
            && bytes[start &+ 4] == 0x65:
            return start &+ 5
        default:
            fault = start
            return nil
        }
    }

    /// Whether the body ends within `true`, `false` or `null`.
    static func isBegunWord(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        guard end - start < 5 else { return false }
        let rest = UnsafeBufferPointer(start: bytes + start, count: end - start)
        return ["true", "false", "null"].contains { $0.utf8.starts(with: rest) }
    }

    /// Behind a number or word, in a body that was checked before.
    static func endOfScalar(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var position = start
        while position < end {
            switch bytes[position] {
            case 0...0x20, 0x22, 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D: return max(position, start + 1)
            default: position += 1
            }
        }
        return end
    }

    @inline(__always)
    private static func endOfDigits(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> Int {
        var position = start
        while position < end, isDigit(bytes[position]) { position &+= 1 }
        return position
    }

    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

    @inline(__always)
    private static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 < 6 }
}
