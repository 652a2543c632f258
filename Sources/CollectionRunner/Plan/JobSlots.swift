import Synchronization

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
