import Synchronization

extension RequestOperation {
    /// Every event: those that happened already first, then each as it happens; ends after `completed`.
    /// Any number of readers, each from event 0, each as fast as it likes.
    public var events: EventSequence { EventSequence(operation: self) }

    /// The events from number `sequence` on, so far. Never waits.
    public func events(from sequence: Int) -> [NetworkEvent] {
        core.withLock { core in
            sequence < core.machine.log.count ? Array(core.machine.log[max(0, sequence)...]) : []
        }
    }
}

/// See ``RequestOperation/events``.
public struct EventSequence: AsyncSequence, Sendable {
    public typealias Element = NetworkEvent
    public typealias Failure = Never

    let operation: RequestOperation

    public func makeAsyncIterator() -> Iterator { Iterator(operation: operation) }

    public struct Iterator: AsyncIteratorProtocol {
        let operation: RequestOperation
        private var next = 0

        init(operation: RequestOperation) {
            self.operation = operation
        }

        /// - Returns: `nil` after `completed`, and when the task is cancelled.
        public mutating func next() async -> NetworkEvent? {
            await next(isolation: nil)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> NetworkEvent? {
            while !Task.isCancelled {
                switch operation.look(at: next) {
                case .event(let event):
                    next += 1
                    return event
                case .end:
                    return nil
                case .later:
                    await operation.waitForEvent(next)
                }
            }
            return nil
        }
    }
}

extension RequestOperation {
    fileprivate enum Look {
        case event(NetworkEvent), later, end
    }

    fileprivate func look(at sequence: Int) -> Look {
        core.withLock { core in
            if sequence < core.machine.log.count { return .event(core.machine.log[sequence]) }
            return core.machine.state.isFinal ? .end : .later
        }
    }

    /// Returns when event `sequence` is there, or the task is cancelled.
    fileprivate func waitForEvent(_ sequence: Int) async {
        let waiter = core.withLock { core in
            core.waiterCount += 1
            return core.waiterCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isThere = core.withLock { core in
                    if Task.isCancelled || sequence < core.machine.log.count || core.machine.state.isFinal { return true }
                    core.eventWaiters[waiter] = continuation
                    return false
                }
                if isThere { continuation.resume() }
            }
        } onCancel: {
            core.withLock { $0.eventWaiters.removeValue(forKey: waiter) }?.resume()
        }
    }
}

extension RequestOperation {
    /// How far the bodies have come, from the first piece on to the last: at most every 10 ms for each direction, and once more at its
    /// end. Any number of readers; it ends with the operation. The rest is in ``events``.
    ///
    ///     for await progress in operation.progress { bar.fraction = progress.download.fraction ?? 0 }
    public var progress: some AsyncSequence<OperationProgress, Never> & Sendable {
        Parsed(source: events, parser: ProgressParser())
    }
}

/// How far the bodies of one attempt have come; both begin anew with every attempt.
public struct OperationProgress: Sendable, Hashable {
    /// Counts from 1.
    public var attempt = 1
    public var upload = TransferProgress()
    public var download = TransferProgress()

    /// - Returns: whether the event says anything of it.
    fileprivate mutating func apply(_ event: NetworkEvent) -> Bool {
        if let attempt = event.attempt, attempt != self.attempt { self = OperationProgress(attempt: attempt) }
        switch event.kind {
        case .uploadProgress(let progress): upload = progress
        case .downloadProgress(let progress): download = progress
        default: return false
        }
        return true
    }
}

private struct ProgressParser: PieceParser {
    private var progress = OperationProgress()
    private var isNew = false

    mutating func add(_ event: NetworkEvent) { isNew = progress.apply(event) }

    mutating func element() -> OperationProgress? {
        defer { isNew = false }
        return isNew ? progress : nil
    }
}
