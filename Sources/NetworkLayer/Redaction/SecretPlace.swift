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

    /// In ascending order, those that have a byte in common as one. What is read as UTF-16 is masked in it.
    static func merged(_ places: [SecretPlace]) -> [SecretPlace] {
        var merged: [SecretPlace] = []
        for place in places.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            guard let last = merged.last, place.range.lowerBound < last.range.upperBound else {
                merged.append(place)
                continue
            }
            let range = last.range.lowerBound..<max(last.range.upperBound, place.range.upperBound)
            if case .utf16 = place.mask { merged[merged.count - 1].mask = place.mask }
            merged[merged.count - 1].range = range
        }
        return merged
    }

    /// With places in UTF-16, but for those that only are others one byte later, as in ``SecretPattern/utf16(_:isLittleEndian:)``.
    ///
    /// - Parameters:
    ///   - places: in ascending order.
    ///   - wide: in ascending order.
    static func joined(_ places: [SecretPlace], with wide: [SecretPlace]) -> [SecretPlace] {
        var joined = places
        var index = 0
        for place in wide {
            while index < places.count, places[index].range.upperBound <= place.range.lowerBound { index += 1 }
            if index < places.count, case .utf16 = places[index].mask, places[index].range.overlaps(place.range),
                !(places[index].range.lowerBound - place.range.lowerBound).isMultiple(of: 2)
            {
                continue
            }
            joined.append(place)
        }
        return merged(joined)
    }

    /// Widened to whole characters, so that none is left in half, which would take what follows for its rest.
    ///
    /// - Parameter places: in ascending order; none has a byte of another.
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
