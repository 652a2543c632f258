import NetworkLayer

/// Which lines two texts have apart, with a few around them that they share.
struct LineDifference: Hashable, Sendable {
    private(set) var pieces: [Piece] = []
    private(set) var removed = 0
    private(set) var added = 0

    enum Piece: Hashable, Sendable {
        case same(String), removed(String), added(String)
        /// Lines that both have, away from what differs.
        case skipped(Int)
        /// The difference isn't known, since finding it would take too long.
        case unknown(old: Int, new: Int)
    }

    /// Beyond this product of lines between the first and the last that differ they aren't matched: it takes time in proportion.
    private static let limit = 4_000_000
    private static let context = 2

    init(_ old: String, _ new: String) {
        let old = old.pieces(at: "\n")
        let new = new.pieces(at: "\n")
        let prefix = zip(old, new).prefix { $0 == $1 }.count
        let suffix = min(zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count, min(old.count, new.count) - prefix)
        let before = old[prefix..<old.count - suffix]
        let after = new[prefix..<new.count - suffix]

        var all: [Piece] = old[..<prefix].map { .same(String($0)) }
        if before.count * after.count > Self.limit {
            removed = before.count
            added = after.count
            all.append(.unknown(old: before.count, new: after.count))
        } else {
            all += Self.pieces(before, after)
            removed = all.count { if case .removed = $0 { true } else { false } }
            added = all.count { if case .added = $0 { true } else { false } }
        }
        all += old[(old.count - suffix)...].map { .same(String($0)) }
        pieces = Self.shortened(all)
    }

    private static func pieces(_ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>) -> [Piece] {
        let difference = Array(new).difference(from: Array(old))
        var removals: Set<Int> = []
        var insertions: Set<Int> = []
        for change in difference {
            switch change {
            case .remove(let offset, _, _): removals.insert(offset)
            case .insert(let offset, _, _): insertions.insert(offset)
            }
        }
        var pieces: [Piece] = []
        var (left, right) = (0, 0)
        while left < old.count || right < new.count {
            if removals.contains(left) {
                pieces.append(.removed(String(old[old.startIndex + left])))
                left += 1
            } else if insertions.contains(right) {
                pieces.append(.added(String(new[new.startIndex + right])))
                right += 1
            } else {
                pieces.append(.same(String(old[old.startIndex + left])))
                left += 1
                right += 1
            }
        }
        return pieces
    }

    /// Long runs of the same lines are counted.
    private static func shortened(_ pieces: [Piece]) -> [Piece] {
        let differing = pieces.indices.filter { if case .same = pieces[$0] { false } else { true } }
        var isShown = [Bool](repeating: false, count: pieces.count)
        for index in differing {
            for near in max(0, index - context)...min(pieces.count - 1, index + context) { isShown[near] = true }
        }
        var result: [Piece] = []
        var skipped = 0
        for (index, piece) in pieces.enumerated() {
            if isShown[index] {
                if skipped > 0 { result.append(.skipped(skipped)) }
                skipped = 0
                result.append(piece)
            } else {
                skipped += 1
            }
        }
        if skipped > 0 { result.append(.skipped(skipped)) }
        return result
    }
}
