import NetworkLayer
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
