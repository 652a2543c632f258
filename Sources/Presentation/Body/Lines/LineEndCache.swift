import Synchronization

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
