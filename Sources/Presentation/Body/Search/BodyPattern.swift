/// What is looked for in a body: literal text, matched against its bytes.
///
/// Smart case: a pattern without capitals matches either case (of ASCII letters). `"key": "value"` also finds
/// `"key":"value"`, because the indented view shows the former where the latter was sent.
package struct BodyPattern: Sendable, Hashable {
    package let text: String
    package let ignoresCase: Bool
    let needles: [ByteSearch]

    /// `nil` for an empty pattern.
    ///
    /// - Parameter ignoresCase: `nil` means smart case.
    package init?(_ text: String, ignoresCase: Bool? = nil) {
        guard !text.isEmpty else { return nil }
        self.text = text
        let ignoresCase = ignoresCase ?? !text.contains { $0.isUppercase }
        self.ignoresCase = ignoresCase
        let asSent = BodyPattern.withoutAddedSpace(text)
        let variants = asSent == text || asSent.isEmpty ? [text] : [text, asSent]
        needles = variants.map { ByteSearch(Array($0.utf8), ignoresCase: ignoresCase) }
    }

    /// Without the spaces that indenting adds behind a colon.
    private static func withoutAddedSpace(_ text: String) -> String {
        var result = ""
        var isBehindKey = false
        for character in text {
            if character == " ", isBehindKey { continue }
            isBehindKey = character == ":" && result.hasSuffix("\"")
            result.append(character)
        }
        return result
    }

    /// The first match that starts in `range`; it may end behind it.
    func first(in range: Range<Int>, of buffer: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var best: Range<Int>?
        for needle in needles {
            let end = min(best?.lowerBound ?? range.upperBound, range.upperBound)
            guard range.lowerBound < end, let found = needle.first(in: range.lowerBound..<end, of: buffer) else { continue }
            best = found..<found + needle.count
        }
        return best
    }

    /// The last match that starts in `range`; it may end behind it.
    func last(in range: Range<Int>, of buffer: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        // Backwards by blocks, forwards within each.
        let block = 1 << 16
        var end = range.upperBound
        while end > range.lowerBound {
            let start = max(range.lowerBound, end - block)
            var last: Range<Int>?
            var position = start
            while let match = first(in: position..<end, of: buffer) {
                last = match
                position = match.lowerBound + 1
                if position >= end { break }
            }
            if let last { return last }
            end = start
        }
        return nil
    }

    /// How many matches start in `range`. Those that overlap count as one.
    ///
    /// - Returns: the number, and where the last one ends if that is behind the range.
    func count(in range: Range<Int>, of buffer: UnsafeBufferPointer<UInt8>) -> (count: Int, end: Int) {
        var count = 0
        var position = range.lowerBound
        while position < range.upperBound, let match = first(in: position..<range.upperBound, of: buffer) {
            count += 1
            position = match.upperBound
        }
        return (count, max(position, range.upperBound))
    }
}
