/// The `Range` field (RFC 9110, section 14.2), one range only.
enum ByteRange {
    /// - Returns: `nil` when nothing of `count` bytes is asked for, or more than one range.
    static func parse(_ text: String, of count: Int) -> Range<Int>? {
        guard text.hasPrefix("bytes="), count > 0 else { return nil }
        let bounds = text.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { String($0).trimmed }
        guard bounds.count == 2 else { return nil }
        switch (Int(bounds[0]), Int(bounds[1])) {
        case (let first?, nil) where bounds[1].isEmpty && first < count: return first..<count
        case (let first?, let last?) where first <= last && first < count: return first..<min(count, last + 1)
        case (nil, let suffix?) where bounds[0].isEmpty && suffix > 0: return max(0, count - suffix)..<count
        default: return nil
        }
    }
}
