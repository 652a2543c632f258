import HTTPTypes

/// A `Content-Range` in bytes (RFC 9110, section 14.4), both ends inclusive.
///
///     bytes 100-199/500   bytes 100-199/*   bytes */500        nil: bytes 200-100/500, bytes 0-500/500, items 0-1/2
package enum ContentRange: Sendable, Hashable {
    /// `length` is that of the whole, `nil` for `*`.
    case part(ClosedRange<Int64>, length: Int64?)
    /// What a 416 says: no byte of the range is there, but the whole has this length.
    case none(length: Int64)

    package init?(_ text: String) {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let length = Self.number(halves[1])
        guard length != nil || halves[1] == "*" else { return nil }
        if halves[0] == "*" {
            guard let length else { return nil }
            self = .none(length: length)
            return
        }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < length ?? .max else { return nil }
        self = .part(first...last, length: length)
    }

    private static func number(_ digits: Substring) -> Int64? {
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int64(digits)
    }
}
