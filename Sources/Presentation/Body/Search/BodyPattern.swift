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

package struct BodyMatch: Sendable, Hashable {
    package var bytes: Range<Int>
    package var line: Int
    /// Its columns on that line; what lies on the lines below is not counted.
    package var columns: Range<Int>

    package init(bytes: Range<Int>, line: Int, columns: Range<Int>) {
        self.bytes = bytes
        self.line = line
        self.columns = columns
    }
}

/// Counts the matches of a pattern, block by block, so that it can be done between frames or on another thread.
///
///     var tally = BodyTally(pattern)
///     while tally.advance(in: document) { publish(tally) }
package struct BodyTally: Sendable, Hashable {
    package static let block = 1 << 20

    package let pattern: BodyPattern
    /// Matches so far.
    package private(set) var count = 0
    package private(set) var isComplete = false
    private var position = 0
    /// The matches before each block.
    private var before: [Int] = []

    package init(_ pattern: BodyPattern) {
        self.pattern = pattern
    }

    /// Counts on through the next block of 1 MiB. `false` when that was the last.
    @discardableResult
    package mutating func advance(in document: BodyDocument) -> Bool {
        guard !isComplete else { return false }
        document.bytes.withBytes { buffer in
            let end = min(buffer.count, (before.count + 1) * Self.block)
            before.append(count)
            if position < end {
                let (found, next) = pattern.count(in: position..<end, of: buffer)
                count += found
                position = next
            }
            isComplete = end == buffer.count
        }
        document.bytes.forget((before.count - 1) * Self.block..<min(document.bytes.count, before.count * Self.block))
        return !isComplete
    }

    /// Which of the matches one is, from 1; `nil` until counting has come there.
    package func ordinal(of match: BodyMatch, in document: BodyDocument) -> Int? {
        let block = match.bytes.lowerBound / Self.block
        guard block < before.count else { return nil }
        return document.bytes.withBytes { buffer in
            before[block] + pattern.count(in: block * Self.block..<match.bytes.lowerBound, of: buffer).count + 1
        }
    }
}

/// Finds a string of bytes in bytes.
///
/// Sixteen places at a time: a place is looked at only when both the first and the last byte of the needle stand where they
/// must (W. Muła's "generic SIMD" search). Where case is ignored, both cases of those two bytes count.
struct ByteSearch: Sendable, Hashable {
    private let needle: [UInt8]
    private let ignoresCase: Bool

    var count: Int { needle.count }

    /// - Parameter needle: not empty.
    init(_ needle: [UInt8], ignoresCase: Bool) {
        self.needle = ignoresCase ? needle.map(Self.lowercased) : needle
        self.ignoresCase = ignoresCase
    }

    /// The first place in `range` where the needle starts. It may end behind the range.
    func first(in range: Range<Int>, of buffer: UnsafeBufferPointer<UInt8>) -> Int? {
        needle.withUnsafeBufferPointer { needle in
            let bytes = buffer.baseAddress!
            // The place behind the last one at which the needle still fits.
            let stop = min(range.upperBound, buffer.count - needle.count + 1)
            let length = needle.count
            let firsts = cases(needle[0])
            let lasts = cases(needle[length - 1])
            let firstLower = SIMD16<UInt8>(repeating: firsts.0)
            let firstUpper = SIMD16<UInt8>(repeating: firsts.1)
            let lastLower = SIMD16<UInt8>(repeating: lasts.0)
            let lastUpper = SIMD16<UInt8>(repeating: lasts.1)
            var position = range.lowerBound
            while position &+ 16 <= stop {
                let start = UnsafeRawPointer(bytes + position).loadUnaligned(as: SIMD16<UInt8>.self)
                let end = UnsafeRawPointer(bytes + (position &+ length &- 1)).loadUnaligned(as: SIMD16<UInt8>.self)
                let found = ((start .== firstLower) .| (start .== firstUpper)) .& ((end .== lastLower) .| (end .== lastUpper))
                var halves = unsafeBitCast(found, to: SIMD2<UInt64>.self)
                if halves[0] | halves[1] != 0 {
                    for half in 0..<2 {
                        while halves[half] != 0 {
                            let lane = halves[half].littleEndian.trailingZeroBitCount >> 3
                            let place = position &+ half &* 8 &+ lane
                            if matches(bytes + place, needle) { return place }
                            halves[half] &= ~(0xFF &<< UInt64(lane &* 8))
                        }
                    }
                }
                position &+= 16
            }
            while position < stop {
                if matches(bytes + position, needle) { return position }
                position &+= 1
            }
            return nil
        }
    }

    @inline(__always)
    private func matches(_ bytes: UnsafePointer<UInt8>, _ needle: UnsafeBufferPointer<UInt8>) -> Bool {
        for index in 0..<needle.count {
            let byte = ignoresCase ? Self.lowercased(bytes[index]) : bytes[index]
            if byte != needle[index] { return false }
        }
        return true
    }

    private func cases(_ byte: UInt8) -> (UInt8, UInt8) {
        ignoresCase && byte &- 0x61 < 26 ? (byte, byte & 0xDF) : (byte, byte)
    }

    @inline(__always)
    private static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
