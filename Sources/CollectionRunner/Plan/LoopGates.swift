import NetworkLayer
import RequestCollections
import Synchronization

/// The loops of a plan that say how many of their items may be under way at a time, as `jobs` of `for-each` does. A value.
///
/// An item is under way from when the first of its nodes is begun until all of them are over.
struct LoopGates: Sendable {
    private struct Place {
        var loop: Int
        var item: Int
    }

    private struct Loop: Hashable {
        @ExactText var collection: String
        var environment: String?
        var scope: RunIteration.Scope
        /// The items of the loops around it.
        var outer: [Int]
    }

    /// The places of each node of a round except the tear-downs, the outermost loop first; empty when no loop says anything.
    private var places: [[Place]] = []
    private var limits: [Int] = []
    /// How many nodes each item has.
    private var sizes: [Int] = []
    private let nodeCount: Int
    /// How many items are under way, by loop and round.
    private var underWay: [Int: Int] = [:]
    /// How many nodes of each item under way aren't over.
    private var left: [Int: Int] = [:]
    /// Those that wait for a loop's turn.
    private var held: [Int: ArraySlice<Int>] = [:]

    init(_ plan: RunPlan) {
        nodeCount = max(1, plan.round.count)
        let nodes = plan.round.prefix(plan.mainCount)
        guard nodes.contains(where: { $0.job.iterations.contains { $0.jobs != nil } }) else { return }
        var loops: [Loop: Int] = [:]
        var items: [[Int]: Int] = [:]
        for node in nodes {
            let iterations = node.job.iterations
            var places: [Place] = []
            for (depth, iteration) in iterations.enumerated() {
                guard let jobs = iteration.jobs else { continue }
                let loop = Loop(
                    collection: node.job.collection.path, environment: node.job.environment, scope: iteration.scope,
                    outer: iterations[..<depth].map(\.index))
                let number = loops[loop] ?? limits.count
                if number == limits.count {
                    loops[loop] = number
                    limits.append(jobs)
                }
                let item = items[[number, iteration.index]] ?? sizes.count
                if item == sizes.count {
                    items[[number, iteration.index]] = item
                    sizes.append(0)
                }
                sizes[item] += 1
                places.append(Place(loop: number, item: item))
            }
            self.places.append(places)
        }
    }

    /// The loops around a node, in its round.
    private func places(of node: Int) -> [Place] {
        let (round, index) = node.quotientAndRemainder(dividingBy: nodeCount)
        guard places.indices.contains(index) else { return [] }
        return places[index].map { Place(loop: $0.loop + round * limits.count, item: $0.item + round * sizes.count) }
    }

    /// Takes a node in when the loops around it let it begin.
    ///
    /// - Parameter isForced: it begins in any case.
    /// - Returns: `false`: it waits, and ``end(_:)`` names it when it is its turn.
    mutating func begin(_ node: Int, isForced: Bool = false) -> Bool {
        guard !places.isEmpty else { return true }
        let places = places(of: node)
        let full = places.first { left[$0.item] == nil && underWay[$0.loop, default: 0] >= limits[$0.loop % limits.count] }
        if let full, !isForced {
            held[full.loop, default: []].append(node)
            return false
        }
        for place in places where left[place.item] == nil {
            left[place.item] = sizes[place.item % sizes.count]
            underWay[place.loop, default: 0] += 1
        }
        return true
    }

    /// - Returns: those whose turn it is now.
    mutating func end(_ node: Int) -> [Int] {
        guard !places.isEmpty else { return [] }
        var freed: [Int] = []
        for place in places(of: node) {
            left[place.item, default: 1] -= 1
            guard left[place.item] == 0 else { continue }
            left[place.item] = nil
            underWay[place.loop, default: 1] -= 1
            freed += dequeueHeld(by: place.loop)
        }
        return freed
    }

    /// The next item that waits for a loop.
    private mutating func dequeueHeld(by loop: Int) -> [Int] {
        func item(_ node: Int) -> Int? { places(of: node).first { $0.loop == loop }?.item }
        guard let first = held[loop]?.popFirst() else { return [] }
        var taken = [first]
        while let next = held[loop]?.first, item(next) == item(first) {
            taken.append(next)
            held[loop]?.removeFirst()
        }
        return taken
    }

    /// The first that waits, when nothing else can go on: what is under way may wait for it.
    mutating func popFirst() -> Int? {
        guard
            let loop = held.filter({ !$0.value.isEmpty }).min(by: { $0.value[$0.value.startIndex] < $1.value[$1.value.startIndex] })
        else { return nil }
        return held[loop.key]?.popFirst()
    }
}

/// How many requests may be under way at a time. Whoever finds no slot free waits in line.
///
/// What waits here isn't enqueued yet, so that its time hasn't begun.
final class JobSlots: Sendable {
    private struct State {
        var free: Int
        /// The first to come is the first.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    /// - Returns: whether one is taken; ``release()`` gives it back.
    func tryAcquire() -> Bool {
        state.withLock { state in
            guard state.free > 0, state.waiting.isEmpty else { return false }
            state.free -= 1
            return true
        }
    }

    /// Takes one as soon as it is its turn. Every slot is given back some time, also after a cancellation, so this ends.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0, state.waiting.isEmpty else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func release() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
