import Synchronization

/// Work that is cancelled all at once, by somebody who has none of its tasks.
final class CancellableWork: Sendable {
    private struct State {
        var cancels: [Int: @Sendable () -> Void] = [:]
        var last = 0
        var isEnded = false
    }

    private let state = Mutex(State())

    /// Does it in a task of its own; cancelling the caller's task cancels that one, too.
    func run<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value {
        let task = Task { await work() }
        let number = state.withLock { state -> Int? in
            guard !state.isEnded else { return nil }
            state.last += 1
            state.cancels[state.last] = { task.cancel() }
            return state.last
        }
        if number == nil { task.cancel() }
        defer { if let number { state.withLock { $0.cancels[number] = nil } } }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Cancels what is being done, and what is begun until ``resume()``.
    func end() {
        let cancels = state.withLock { state in
            state.isEnded = true
            return Array(state.cancels.values)
        }
        for cancel in cancels { cancel() }
    }

    func resume() { state.withLock { $0.isEnded = false } }
}
