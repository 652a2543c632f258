import NetworkLayer
import RequestCollections
import Synchronization

/// Operations that are to begin later, on the clock of their client. Until then each is idle, and whoever cancels it has it ended at once.
final class Pauses: Sendable {
    private struct State {
        var waiting: [OperationID: (operation: RequestOperation, alarm: any Alarm)] = [:]
        /// Why nothing begins any more.
        var end: CancelSource?
    }

    private let state = Mutex(State())

    /// Enqueues it after so long.
    func enqueue(_ operation: RequestOperation, on queue: RequestOperationQueue, after pause: Duration) {
        guard pause > .zero else {
            // The run may have been ended while the request was being filled in.
            if let end = state.withLock({ $0.end }) { return operation.cancel(end) }
            queue.enqueue(operation)
            // A run is ended here first and then in the queue. If the queue didn't have the operation yet, it is cancelled here.
            if let end = state.withLock({ $0.end }) { operation.cancel(end) }
            return
        }
        let time = queue.client.time
        let end = state.withLock { state -> CancelSource? in
            if let end = state.end { return end }
            let alarm = time.schedule(at: time.now + pause) { [weak self] in
                if self?.remove(operation.id) == true { queue.enqueue(operation) }
            }
            state.waiting[operation.id] = (operation, alarm)
            return nil
        }
        if let end { operation.cancel(end) }
    }

    /// Whether nothing begins any more.
    var isEnded: Bool { state.withLock { $0.end != nil } }

    /// How many wait.
    var count: Int { state.withLock { $0.waiting.count } }

    /// - Returns: whether it was waiting.
    @discardableResult func remove(_ id: OperationID) -> Bool {
        let waiting = state.withLock { $0.waiting.removeValue(forKey: id) }
        waiting?.alarm.cancel()
        return waiting != nil
    }

    /// Cancels all that waits, and all that would wait from now on.
    func end(_ source: CancelSource) {
        let operations = state.withLock { state in
            state.end = state.end ?? source
            defer { state.waiting = [:] }
            return state.waiting.values.map { waiting in
                waiting.alarm.cancel()
                return waiting.operation
            }
        }
        for operation in operations { operation.cancel(source) }
    }

    /// What is to wait from now on does.
    func resume() { state.withLock { $0.end = nil } }
}

/// When the first items of loops may be sent, as `delay: { before: 2s, between: 200ms }` says: none goes before that, also where several
/// go at a time.
final class LoopStarts: Sendable {
    private struct Loop: Hashable {
        var collection: String
        var environment: String?
        var request: RequestID
    }

    private let starts = Mutex<[Loop: MonotonicTime]>([:])

    /// How long a request is to wait.
    func pause(before job: RunJob, _ delay: DelaySetting, at now: MonotonicTime) -> Duration {
        guard let pause = delay.pause(isFirst: job.isFirst).map(Self.chosen) else { return .zero }
        guard delay.before != nil, delay.between != nil, !job.iterations.isEmpty else { return pause }
        let loop = Loop(collection: job.collection.path, environment: job.environment, request: job.definition.id)
        return starts.withLock { starts in
            if job.isFirst { starts[loop] = now + pause }
            return starts[loop].map { max(pause, $0 - now) } ?? pause
        }
    }

    /// A delay chosen at random, to the microsecond.
    private static func chosen(_ delay: ClosedRange<Duration>) -> Duration {
        let ends = [delay.lowerBound, delay.upperBound].map { Int64($0 / .microseconds(1)) }
        return .microseconds(Int64.random(in: ends[0]...ends[1]))
    }
}

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
