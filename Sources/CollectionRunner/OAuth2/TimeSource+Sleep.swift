import NetworkLayer
import Synchronization

extension TimeSource {
    /// Returns after so long on this clock.
    func sleep(for duration: Duration) async throws(CancellationError) {
        let sleeper = Sleeper()
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard sleeper.start(continuation) else { return }
                sleeper.set(schedule(at: now + duration) { sleeper.end(true) })
            }
        } onCancel: {
            sleeper.end(false)
        }
        guard isOver else { throw CancellationError() }
    }
}

private final class Sleeper: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Bool, Never>?
        var alarm: (any Alarm)?
        var isOver = false
    }

    private let state = Mutex(State())

    /// - Returns: whether there is anything to wait for.
    func start(_ continuation: CheckedContinuation<Bool, Never>) -> Bool {
        let isOver = state.withLock { state in
            if !state.isOver { state.continuation = continuation }
            return state.isOver
        }
        if isOver { continuation.resume(returning: false) }
        return !isOver
    }

    func set(_ alarm: any Alarm) {
        let isOver = state.withLock { state in
            state.alarm = alarm
            return state.isOver
        }
        if isOver { alarm.cancel() }
    }

    func end(_ result: Bool) {
        let (continuation, alarm) = state.withLock { state in
            defer {
                state.continuation = nil
                state.isOver = true
            }
            return (state.continuation, state.alarm)
        }
        alarm?.cancel()
        continuation?.resume(returning: result)
    }
}
