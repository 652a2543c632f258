import Synchronization

/// Where the values, items and members of a body begin, as far as somebody has looked: many paths are looked for in the same body, and each
/// would go through all of it.
///
/// Nothing is kept for large bodies, since it would take more room than they do.
final class JSONOutline: Sendable {
    struct Member: Sendable {
        var quote: Int
        var value: Int
    }

    private struct Known {
        var values: [Int]?
        var items: [Int: [Int]] = [:]
        var members: [Int: [Member]] = [:]
    }

    /// Bytes.
    static let mostBytes = 16 << 20

    private let known = Mutex(Known())

    /// The values that follow one another, once the whole body was found to be JSON.
    var values: [Int]? {
        get { known.withLock { $0.values } }
        set { known.withLock { $0.values = newValue } }
    }

    func items(at start: Int) -> [Int]? { known.withLock { $0.items[start] } }

    func keep(items: [Int], at start: Int) { known.withLock { $0.items[start] = items } }

    func members(at start: Int) -> [Member]? { known.withLock { $0.members[start] } }

    func keep(members: [Member], at start: Int) { known.withLock { $0.members[start] = members } }
}
