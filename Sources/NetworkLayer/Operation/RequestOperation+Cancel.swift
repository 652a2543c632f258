import Synchronization

extension RequestOperation {
    /// Ends it from any state, at once, also before it was enqueued (CAN-1, CAN-2). The first cancel wins; after the end it does
    /// nothing.
    public func cancel(_ source: CancelSource = .unnamed) {
        note(core.withLock { $0.queue }?.client.conditions?.current)
        handle(.cancel(source))
    }

    /// - Parameter error: why: the cause of the error that it ends with.
    public func cancel(_ source: CancelSource, underlying error: any Error) {
        cancel(source.with(underlying: error))
    }

    /// Ends it with this very error.
    public func cancel(_ error: any Error) {
        cancel(CancelSource(error))
    }
}
