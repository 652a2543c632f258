/// A place where a pattern was found.
package struct BodyMatch: Sendable, Hashable {
    /// In the bytes of the document.
    package var bytes: Range<Int>
    /// The line it starts on.
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
