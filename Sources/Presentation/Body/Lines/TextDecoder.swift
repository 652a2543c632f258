/// Takes bytes apart into characters, each with the bytes it came from.
enum TextDecoder {
    enum Element {
        /// A character, of as many bytes as it says.
        case character(Character, bytes: Int)
        /// One byte that is no part of any character.
        case invalid(UInt8)
    }

    /// Reports the elements of `range` in order until `body` returns `false`.
    static func decode(
        _ range: Range<Int>, of bytes: UnsafePointer<UInt8>, _ body: (Element) -> Bool
    ) {
        var position = range.lowerBound
        while position < range.upperBound {
            let valid = endOfValidText(position, range.upperBound, bytes)
            if valid > position {
                let part = UnsafeBufferPointer(start: bytes + position, count: valid - position)
                for character in String(decoding: part, as: UTF8.self) {
                    guard body(.character(character, bytes: character.utf8.count)) else { return }
                }
                position = valid
            } else {
                guard body(.invalid(bytes[position])) else { return }
                position += 1
            }
        }
    }

    /// The text of `range`, U+FFFD for each byte that is none.
    static func string(_ range: Range<Int>, of bytes: UnsafePointer<UInt8>) -> String {
        String(decoding: UnsafeBufferPointer(start: bytes + range.lowerBound, count: range.count), as: UTF8.self)
    }

    private static func endOfValidText(_ start: Int, _ end: Int, _ bytes: UnsafePointer<UInt8>) -> Int {
        var position = start
        while position < end {
            let length = lengthOfScalar(position, end, bytes)
            if length == 0 { break }
            position += length
        }
        return position
    }

    /// 1 … 4, or 0 when no well-formed scalar starts there (Unicode, table 3-7).
    @inline(__always)
    static func lengthOfScalar(_ position: Int, _ end: Int, _ bytes: UnsafePointer<UInt8>) -> Int {
        let first = bytes[position]
        if first < 0x80 { return 1 }
        let length: Int
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, low) = (3, 0xA0)
        case 0xED: (length, high) = (3, 0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, low) = (4, 0x90)
        case 0xF4: (length, high) = (4, 0x8F)
        case 0xF1...0xF3: length = 4
        default: return 0
        }
        guard position + length <= end else { return 0 }
        guard bytes[position + 1] >= low, bytes[position + 1] <= high else { return 0 }
        for index in position + 2..<max(position + 2, position + length) where bytes[index] & 0xC0 != 0x80 { return 0 }
        return length
    }

    /// Whether every byte is a printable ASCII character, which takes one column.
    @inline(__always)
    static func isPlain(_ range: Range<Int>, of bytes: UnsafePointer<UInt8>) -> Bool {
        var position = range.lowerBound
        let space = SIMD16<UInt8>(repeating: 0x20)
        let width = SIMD16<UInt8>(repeating: 0x5F)
        while position &+ 16 <= range.upperBound {
            let block = UnsafeRawPointer(bytes + position).loadUnaligned(as: SIMD16<UInt8>.self)
            let found = (block &- space) .>= width
            let halves = unsafeBitCast(found, to: SIMD2<UInt64>.self)
            if halves[0] | halves[1] != 0 { return false }
            position &+= 16
        }
        while position < range.upperBound {
            if bytes[position] &- 0x20 >= 0x5F { return false }
            position &+= 1
        }
        return true
    }

    /// The columns of UTF-8 text without anything that needs a closer look: control characters, tabs, marks, joiners, emoji,
    /// bytes that are no text. `nil` if there is any of it.
    static func simpleWidth(_ range: Range<Int>, of bytes: UnsafePointer<UInt8>) -> Int? {
        var position = range.lowerBound
        var width = 0
        while position < range.upperBound {
            let first = bytes[position]
            if first &- 0x20 < 0x5F {
                position &+= 1
                width &+= 1
                continue
            }
            switch lengthOfScalar(position, range.upperBound, bytes) {
            case 2:
                // U+00A0 to U+02FF without the soft hyphen, Greek and Cyrillic without marks.
                let scalar = UInt32(first & 0x1F) << 6 | UInt32(bytes[position &+ 1] & 0x3F)
                guard scalar >= 0xA0, scalar < 0x300 || (0x370...0x482).contains(scalar) || (0x48A...0x52F).contains(scalar),
                    scalar != 0xAD
                else { return nil }
                position &+= 2
                width &+= 1
            case 3:
                // Kana without marks, ideographs, Hangul syllables.
                let scalar =
                    UInt32(first & 0x0F) << 12 | UInt32(bytes[position &+ 1] & 0x3F) << 6 | UInt32(bytes[position &+ 2] & 0x3F)
                guard
                    (0x3041...0x3096).contains(scalar) || (0x30A0...0x30FF).contains(scalar) || (0x4E00...0x9FFF).contains(scalar)
                        || (0xAC00...0xD7A3).contains(scalar)
                else { return nil }
                position &+= 3
                width &+= 2
            default: return nil
            }
        }
        return width
    }
}
