extension RequestOperationQueue {
    /// Sends a request of the caller's own type; see ``RequestConvertible``.
    @discardableResult
    public func enqueue(
        _ source: some RequestConvertible, configuration: RequestConfiguration? = nil, delegate: RequestDelegate = .init(),
        priority: Priority = .normal
    ) -> RequestOperation {
        let operation = RequestOperation(
            source, configuration: configuration ?? client.configuration, delegate: delegate, priority: priority)
        enqueue(operation)
        return operation
    }
}
