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
