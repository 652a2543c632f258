extension RequestOperation {
    /// How far the bodies have come, from the first piece on to the last: at most every 10 ms for each direction, and once more at its
    /// end. Any number of readers; it ends with the operation. The rest is in ``events``.
    ///
    ///     for await progress in operation.progress { bar.fraction = progress.download.fraction ?? 0 }
    public var progress: ProgressSequence { ProgressSequence(events: events) }
}

/// How far the bodies of one attempt have come; both begin anew with every attempt.
public struct OperationProgress: Sendable, Hashable {
    /// Counts from 1.
    public var attempt: Int
    /// The body of the request.
    public var upload = TransferProgress()
    /// The body of the response.
    public var download = TransferProgress()

    /// The start of an attempt, unless bytes are given.
    public init(attempt: Int = 1, upload: TransferProgress = .init(), download: TransferProgress = .init()) {
        self.attempt = attempt
        self.upload = upload
        self.download = download
    }

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

/// See ``RequestOperation/progress``.
public struct ProgressSequence: AsyncSequence, Sendable {
    public typealias Element = OperationProgress
    public typealias Failure = Never

    let events: EventSequence

    public func makeAsyncIterator() -> Iterator { Iterator(events: events.makeAsyncIterator()) }

    public struct Iterator: AsyncIteratorProtocol {
        var events: EventSequence.Iterator
        private var progress = OperationProgress()

        init(events: EventSequence.Iterator) {
            self.events = events
        }

        /// - Returns: `nil` at the end of the operation, and when the task is cancelled, which cancels nothing else.
        public mutating func next() async -> OperationProgress? { await next(isolation: nil) }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> OperationProgress? {
            while let event = await events.next(isolation: actor) {
                if progress.apply(event) { return progress }
            }
            return nil
        }
    }
}
