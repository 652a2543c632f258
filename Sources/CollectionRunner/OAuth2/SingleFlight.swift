import Synchronization

/// Does a thing once for all who want it while it is being done.
///
/// Whoever is cancelled leaves at once; when nobody is left, the thing itself is cancelled.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable, Failure: Error>: Sendable {
    typealias Outcome = Result<Value, Failure>

    private struct Flight {
        var number: Int
        var task: Task<Void, Never>?
        var waiters: [Int: CheckedContinuation<Outcome?, Never>] = [:]
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var count = 0
    }

    private let state = Mutex(State())

    /// How many wait, for whatever it is.
    var waiting: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters.count } } }

    /// - Parameter joined: called when somebody else has begun it.
    /// - Returns: `nil` when the waiting task was cancelled.
    func run(
        _ key: Key, joined: @Sendable () -> Void = {}, _ work: @escaping @Sendable () async -> Outcome
    ) async -> Outcome? {
        let waiter = state.withLock { state in
            state.count += 1
            return state.count
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if !join(key, waiter, continuation, work) { joined() }
            }
        } onCancel: {
            leave(key, waiter)
        }
    }

    /// - Returns: whether it has begun it, or doesn't wait at all.
    private func join(
        _ key: Key, _ waiter: Int, _ continuation: CheckedContinuation<Outcome?, Never>,
        _ work: @escaping @Sendable () async -> Outcome
    ) -> Bool {
        let (isCancelled, isFirst) = state.withLock { state in
            // The handler of a task that was cancelled before has run already.
            guard !Task.isCancelled else { return (true, true) }
            let isFirst = state.flights[key] == nil
            if isFirst {
                let number = waiter
                let task = Task { self.land(key, number, await work()) }
                state.flights[key] = Flight(number: number, task: task)
            }
            state.flights[key]?.waiters[waiter] = continuation
            return (false, isFirst)
        }
        if isCancelled { continuation.resume(returning: nil) }
        return isFirst
    }

    private func land(_ key: Key, _ number: Int, _ outcome: Outcome) {
        let waiters = state.withLock { state -> [CheckedContinuation<Outcome?, Never>] in
            guard state.flights[key]?.number == number, let flight = state.flights.removeValue(forKey: key) else { return [] }
            return Array(flight.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: outcome) }
    }

    private func leave(_ key: Key, _ waiter: Int) {
        let (continuation, task) = state.withLock { state in
            let continuation = state.flights[key]?.waiters.removeValue(forKey: waiter)
            guard continuation != nil, state.flights[key]?.waiters.isEmpty == true else {
                return (continuation, nil as Task<Void, Never>?)
            }
            return (continuation, state.flights.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        continuation?.resume(returning: nil)
    }
}
