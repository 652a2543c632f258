import NetworkLayer

/// A `Range` of one part over a body of a known length (RFC 9110, section 14.1.2), both ends inclusive.
enum ByteRange: Hashable {
    case satisfiable(ClosedRange<Int>)
    case unsatisfiable

    /// - Returns: `nil` for another unit, several parts or bad syntax: then the field is ignored.
    init?(_ field: String, count: Int) {
        let unit = "bytes="
        guard field.lowercased().hasPrefix(unit) else { return nil }
        let ends = field.dropFirst(unit.count).split(separator: "-", omittingEmptySubsequences: false).map(FieldSyntax.trimmed)
        guard ends.count == 2 else { return nil }
        switch (ends[0].isEmpty, ends[1].isEmpty) {
        case (true, true): return nil
        case (true, false):
            guard let suffix = Self.number(ends[1]) else { return nil }
            self = suffix == 0 || count == 0 ? .unsatisfiable : .satisfiable(max(0, count - suffix)...count - 1)
        case (false, let isOpen):
            guard let first = Self.number(ends[0]), let last = isOpen ? .max : Self.number(ends[1]), first <= last else {
                return nil
            }
            self = first >= count ? .unsatisfiable : .satisfiable(first...min(last, count - 1))
        }
    }

    private static func number(_ digits: Substring) -> Int? {
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        return Int(digits)
    }
}
