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

    /// The text without the spaces that indenting adds behind a colon.
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
        var scanner = MatchScanner(self, range)
        return scanner.next(in: buffer)
    }

    /// The last match that starts in `range`; it may end behind it.
    func last(in range: Range<Int>, of buffer: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        // Backwards by blocks, forwards within each.
        let block = 1 << 16
        var end = range.upperBound
        while end > range.lowerBound {
            let start = max(range.lowerBound, end - block)
            var scanner = MatchScanner(self, start..<end)
            var last: Range<Int>?
            while let match = scanner.next(in: buffer, overlapping: true) { last = match }
            if let last { return last }
            end = start
        }
        return nil
    }

    /// How many matches start in `range`. Those that overlap count as one.
    ///
    /// - Returns: the number, and where the last one ends if that is behind the range.
    func count(in range: Range<Int>, of buffer: UnsafeBufferPointer<UInt8>) -> (count: Int, end: Int) {
        var scanner = MatchScanner(self, range)
        var count = 0
        while scanner.next(in: buffer) != nil { count += 1 }
        return (count, max(scanner.position, range.upperBound))
    }
}

/// Goes from match to match. Of each needle it knows the next place, so that a rare one isn't looked for again and again.
struct MatchScanner {
    private(set) var position: Int
    private let end: Int
    private let needles: [ByteSearch]
    /// `.max`: there is none any more; less than `position`: not known.
    private var places: [Int]

    init(_ pattern: BodyPattern, _ range: Range<Int>) {
        position = range.lowerBound
        end = range.upperBound
        needles = pattern.needles
        places = Array(repeating: -1, count: needles.count)
    }

    /// - Parameter overlapping: the next match may begin inside of this one.
    mutating func next(in buffer: UnsafeBufferPointer<UInt8>, overlapping: Bool = false) -> Range<Int>? {
        guard position < end else { return nil }
        var best: Range<Int>?
        for index in needles.indices {
            if places[index] < position {
                places[index] = needles[index].first(in: position..<end, of: buffer) ?? .max
            }
            let place = places[index]
            if place < best?.lowerBound ?? .max { best = place..<place + needles[index].count }
        }
        guard let best else {
            position = end
            return nil
        }
        position = overlapping ? best.lowerBound + 1 : best.upperBound
        return best
    }
}
