import Synchronization
import TerminalUI

/// What one line shows: pieces of the body, and the little that a format adds between them.
struct LineLayout {
    var indent = 0
    var pieces: [Piece] = []

    enum Piece {
        /// Bytes of the body in one role.
        case bytes(Range<Int>, ThemeRole)
        /// What isn't in the body: the space behind a colon, a note.
        case added(String, ThemeRole)
    }

    mutating func reset() {
        indent = 0
        pieces.removeAll(keepingCapacity: true)
    }

    mutating func append(_ range: Range<Int>, _ role: ThemeRole) {
        if !range.isEmpty { pieces.append(.bytes(range, role)) }
    }

    mutating func add(_ text: String, _ role: ThemeRole) {
        pieces.append(.added(text, role))
    }
}

/// A way to cut bytes into lines, and to say what each shows. There are two halves that must agree:
///
/// - `LineIndexer` goes over the bytes once, at full speed, and reports where every line starts.
/// - `LineFormat` lays out one line, given its start, and says where the next one starts.
protocol LineIndexer: Sendable {
    /// How far it has come.
    var position: Int { get }
    /// Goes on until a line starts at `stop` or later. `true` when there is nothing left.
    mutating func advance(_ bytes: UnsafeBufferPointer<UInt8>, until stop: Int, into sink: inout CheckpointSink) -> Bool
    /// Why the rest of the body isn't what it was taken for; known when `advance` has come there.
    var failure: FormatFailure? { get }
}

extension LineIndexer {
    var failure: FormatFailure? { nil }
}

protocol LineFormat: Sendable {
    /// - Returns: where the line behind this one starts; `nil` at the end of the body.
    func layout(
        _ start: LineStart, in bytes: UnsafeBufferPointer<UInt8>, failure: FormatFailure?, into layout: inout LineLayout
    ) -> LineStart?
}

/// Where a body stops being what it was taken for. From `restart` on it is shown as it was sent.
package struct FormatFailure: Error, Hashable, Sendable {
    /// The byte that can't be there.
    package var offset: Int
    /// The start of the token around it, at or before `offset`.
    package var restart: Int
    /// `expected a value, found "x"`.
    package var reason: String
}

/// Where a line begins, with all that is needed to lay it out without looking back.
struct LineStart: Hashable, Sendable {
    /// The byte of its first token.
    var offset: Int
    /// How far it is indented, in levels.
    var depth: Int32 = 0
    /// What the format knows at this point, in its own code.
    var state: UInt8 = 0
}

/// Every so often, the start of a line is noted. What lies between is found by laying out lines from there.
struct Checkpoint: Hashable, Sendable {
    var line: Int
    var start: LineStart
    /// The least depth of the lines from the checkpoint before up to this one: folding skips whole blocks by it.
    var minimumDepthBefore: Int32
}

/// Takes the starts of lines from an indexer and keeps every 128th, and at least one in 64 KiB of short lines.
struct CheckpointSink {
    static let lines = 128
    static let bytes = 1 << 16

    private(set) var count = 0
    private var fresh: [Checkpoint] = []
    private var nextLine = 0
    private var nextOffset = 0
    private var minimum = Int32.max
    private(set) var members = MemberFinder()

    @inline(__always)
    mutating func add(_ start: LineStart) {
        if count >= nextLine || start.offset >= nextOffset { keep(start) }
        if start.depth < minimum { minimum = start.depth }
        members.add(count, depth: start.depth)
        count &+= 1
    }

    @inline(never)
    private mutating func keep(_ start: LineStart) {
        fresh.append(Checkpoint(line: count, start: start, minimumDepthBefore: minimum))
        minimum = .max
        nextLine = count + Self.lines
        nextOffset = start.offset + Self.bytes
    }

    /// Hands over what has come since the last time.
    mutating func drain() -> [Checkpoint] {
        defer { fresh.removeAll(keepingCapacity: true) }
        return fresh
    }

    mutating func drainMembers() -> [Range<UInt32>] { members.drain() }
}

/// Remembers where the few very long lines and strings end, so that drawing a part of one doesn't look for its end each time.
final class LineEndCache: Sendable {
    /// Bytes that are looked through without asking here.
    static let reach = 1 << 20
    private static let capacity = 64

    private let known = Mutex<[Int: Int]>([:])
    private let bytes: BodyBytes

    init(_ bytes: BodyBytes) {
        self.bytes = bytes
    }

    enum Finding {
        /// The line ends before this byte.
        case end(Int)
        /// The line doesn't end before the byte that was asked for; the search goes on at this byte.
        case goOn(Int)
    }

    /// The end of what starts at `start`; `limit` if it has none.
    ///
    /// - Parameter find: looks for the end from a byte on, up to another.
    func end(of start: Int, limit: Int, _ find: (_ from: Int, _ to: Int) -> Finding) -> Int {
        let near = min(limit, start + Self.reach)
        var position: Int
        switch find(start, near) {
        case .end(let end): return end
        case .goOn(let next): position = next
        }
        if position >= limit { return limit }
        if let end = known.withLock({ $0[start] }) { return end }
        var end = limit
        while position < limit {
            let stop = min(limit, position + Self.reach)
            let finding = find(position, stop)
            bytes.forget(position..<stop)
            switch finding {
            case .end(let found): (end, position) = (found, limit)
            case .goOn(let next): position = next
            }
        }
        note(start..<end)
        return end
    }

    /// Keeps an end that was found on the way.
    func note(_ range: Range<Int>) {
        known.withLock { known in
            if known.count >= Self.capacity { known.removeAll() }
            known[range.lowerBound] = range.upperBound
        }
    }
}

extension LineEndCache {
    /// Behind the LF that ends a line.
    func endOfLine(_ start: Int, _ bytes: UnsafePointer<UInt8>, _ limit: Int) -> Int {
        end(of: start, limit: limit) { from, to in
            let end = TextIndexer.endOfLine(bytes, from, to)
            return end > from && bytes[end - 1] == 0x0A ? .end(end) : .goOn(to)
        }
    }
}

extension StyledLine {
    /// Appends to the last span if that has the same role.
    mutating func join(_ text: String, _ role: ThemeRole) {
        if text.isEmpty { return }
        if let last = spans.indices.last, spans[last].role == role {
            spans[last].text += text
        } else {
            spans.append(Span(text, role))
        }
    }
}

/// Finds, while the lines are found, what *fold all* hides: behind the first line of each member of the outermost container its others, with
/// the one that closes it. To look for them when somebody asks would cost a way over the whole document.
struct MemberFinder {
    /// The members that were found since somebody last took them.
    private(set) var fresh: [Range<UInt32>] = []
    private var whole: Int32 = 0
    private var opener: Opener?
    /// Whether the last line was deeper than the opener.
    private var isInside = false
    /// Behind the line that closes the outermost container.
    private var isOver = false

    private struct Opener {
        var line: UInt32
        var depth: Int32
    }

    /// The first line of a member that nothing has closed yet.
    var open: UInt32? { isInside ? opener?.line : nil }

    /// - Parameter line: each once, from 0 on.
    @inline(__always)
    mutating func add(_ line: Int, depth: Int32) {
        if isInside, let opener, depth > opener.depth { return }
        step(UInt32(truncatingIfNeeded: line), depth)
    }

    private mutating func step(_ line: UInt32, _ depth: Int32) {
        guard !isOver else { return }
        if line == 0 {
            whole = depth
            return
        }
        isOver = depth <= whole
        if let known = opener {
            if isInside {
                fresh.append(known.line + 1..<line + 1)
                (opener, isInside) = (nil, false)
                return
            }
            isInside = depth > known.depth
            if isInside { return }
        }
        opener = Opener(line: line, depth: depth)
    }

    mutating func drain() -> [Range<UInt32>] {
        defer { fresh.removeAll(keepingCapacity: true) }
        return fresh
    }
}
