/// Where a secret stands in bytes.
struct SecretPlace {
    var range: Range<Int>
    var mask: SecretMask

    /// The bytes with others in place of some.
    ///
    /// - Parameter places: in ascending order. Two may have bytes in common, since each was widened to whole characters.
    static func replaced(_ places: [(range: Range<Int>, mask: [UInt8])], in bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var copied = 0
        for place in places {
            result += bytes[copied..<max(copied, place.range.lowerBound)]
            result += place.mask
            copied = max(copied, place.range.upperBound)
        }
        return result + bytes[copied...]
    }

    /// In ascending order, those that have a byte in common as one.
    ///
    /// Characters of UTF-16 that have a byte in common look like others of the other byte order, one byte later. So a secret that is read at even
    /// places, or several in a row, may be read once more at odd ones, but for a byte at either end. Only here is decided which is meant: a body
    /// begins with a character, so it is the one at even places. All else is masked, whatever has bytes in common, and in whole characters.
    ///
    /// - Parameter count: of all bytes.
    static func settled(_ places: [SecretPlace], in count: Int) -> [SecretPlace] {
        guard places.count > 1 else { return places }
        let places = places.sorted { $0.range.lowerBound < $1.range.lowerBound }
        let even = ranges(places.filter { $0.isWide && $0.isEven })
        var index = 0
        let meant = places.filter { place in
            guard place.isWide, !place.isEven else { return true }
            let inner = place.range.lowerBound + 1..<place.range.upperBound - 1
            while index < even.count, even[index].upperBound < inner.upperBound, even[index].upperBound <= inner.lowerBound {
                index += 1
            }
            return !(index < even.count && even[index].lowerBound <= inner.lowerBound && inner.upperBound <= even[index].upperBound)
        }
        return merged(meant, in: count)
    }

    private var isWide: Bool { if case .utf16 = mask { true } else { false } }
    private var isEven: Bool { range.lowerBound.isMultiple(of: 2) }

    /// Those that stand next to each other as one.
    private static func ranges(_ places: [SecretPlace]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for range in places.map(\.range) {
            if let last = ranges.last, range.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
        }
        return ranges
    }

    private static func merged(_ places: [SecretPlace], in count: Int) -> [SecretPlace] {
        var merged: [SecretPlace] = []
        for place in places {
            guard var last = merged.last, place.range.lowerBound < last.range.upperBound else {
                merged.append(place)
                continue
            }
            var (start, end) = (last.range.lowerBound, max(last.range.upperBound, place.range.upperBound))
            // What stands behind it is read as before.
            if last.isWide, place.isWide, last.isEven != place.isEven {
                start -= start % 2
                end = min(end + end % 2, count)
            }
            if place.rank > last.rank { last.mask = place.mask }
            last.range = start..<end
            merged[merged.count - 1] = last
        }
        return merged
    }

    /// What is read as UTF-16 is masked in it, from the first byte on if it can be; and ASCII is read in whatever else.
    private var rank: Int {
        switch mask {
        case .utf8: 0
        case .ascii: 1
        case .utf16: isEven ? 3 : 2
        }
    }

    /// Widened to whole characters, so that none is left in half, which would take what follows for its rest.
    ///
    /// - Parameter places: in ascending order.
    static func widened(_ places: [SecretPlace], to width: CharacterWidth, in bytes: [UInt8]) -> [SecretPlace] {
        var widened: [SecretPlace] = []
        // Where a character begins: all before it are gone through.
        var position = 0
        for var place in places where place.range.upperBound > position {
            if case .utf16 = place.mask {
                widened.append(place)
                continue
            }
            while true {
                let next = position + width.count(of: bytes, at: position)
                if next > place.range.lowerBound { break }
                position = next
            }
            let start = position
            while position < place.range.upperBound { position += width.count(of: bytes, at: position) }
            place.range = start..<min(position, bytes.count)
            widened.append(place)
        }
        return widened
    }
}

/// What stands in place of a secret, in letters that the text has.
enum SecretMask: Hashable {
    case utf8
    /// In any encoding that has ASCII in it.
    case ascii
    case utf16(isLittleEndian: Bool)

    var bytes: [UInt8] {
        switch self {
        case .utf8: Self.inUTF8
        case .ascii: Self.inASCII
        case .utf16(let isLittleEndian): UTF16Text.bytes(of: Redactor.mask, isLittleEndian: isLittleEndian)
        }
    }

    private static let inUTF8 = Array(Redactor.mask.utf8)
    private static let inASCII = Array(Redaction.keptMask.utf8)
}
