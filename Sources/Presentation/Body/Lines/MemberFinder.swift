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
