extension Int {
    /// So many steps further on among `count` places, coming round at the ends; 0 where there are none.
    func stepped(by step: Int, of count: Int) -> Int {
        guard count > 0 else { return 0 }
        let place = (self + step) % count
        return place < 0 ? place + count : place
    }
}

extension Range<Int> {
    /// The indices of a list as a search goes through them, coming round at the ends: each of them once, `start` last.
    ///
    /// - Parameter includesStart: `start` comes first.
    func round(from start: Int, forward: Bool = true, includesStart: Bool = false) -> LazyMapSequence<Range<Int>, Int> {
        let count = count
        let distances = includesStart ? 0..<count : 1..<count + 1
        return distances.lazy.map { start.stepped(by: forward ? $0 : -$0, of: count) }
    }
}
