/// Who may enter the queue next, of those that are being prepared at the same time.
///
/// The order is that of their numbers, which is the order in which they were sent. Whoever waits for something that may take as long as it
/// likes holds nobody up; when that is there, it goes on at its old place, behind all that have entered meanwhile.
struct SendOrder<Share: Hashable>: Hashable {
    private struct Place: Hashable {
        var number: Int
        var stage = Stage.preparing
    }

    private enum Stage: Hashable {
        case preparing
        case waiting(Share?)
        /// Nothing is left to be done before it enters.
        case ready
        /// One at a time.
        case entering
    }

    /// By number.
    private var places: [Place] = []
    private var count = 0

    /// A place behind all others.
    mutating func join() -> Int {
        count += 1
        places.append(Place(number: count))
        return count
    }

    /// - Parameter share: what several may wait for, and get together.
    /// - Returns: who enters now.
    mutating func wait(_ number: Int, sharing share: Share?) -> Int? {
        set(number, .waiting(share))
        return next()
    }

    /// It has what it waited for, and so has everything that waits for the same share.
    mutating func goOn(_ number: Int) {
        guard let index = index(of: number), case .waiting(let share) = places[index].stage else { return }
        places[index].stage = .preparing
        guard let share else { return }
        for index in places.indices where places[index].stage == .waiting(share) { places[index].stage = .preparing }
    }

    /// - Returns: who enters now; it may be this one.
    mutating func ready(_ number: Int) -> Int? {
        set(number, .ready)
        return next()
    }

    /// It is in the queue, or will never be.
    ///
    /// - Returns: who enters now.
    mutating func leave(_ number: Int) -> Int? {
        places.removeAll { $0.number == number }
        return next()
    }

    var isEmpty: Bool { places.isEmpty }

    /// Whether it is still in the order; what has left doesn't come back.
    func contains(_ number: Int) -> Bool { index(of: number) != nil }

    private mutating func next() -> Int? {
        guard !places.contains(where: { $0.stage == .entering }),
            let index = places.firstIndex(where: { if case .waiting = $0.stage { false } else { true } }),
            places[index].stage == .ready
        else { return nil }
        places[index].stage = .entering
        return places[index].number
    }

    private mutating func set(_ number: Int, _ stage: Stage) {
        guard let index = index(of: number) else { return }
        places[index].stage = stage
    }

    private func index(of number: Int) -> Int? { places.firstIndex { $0.number == number } }
}
