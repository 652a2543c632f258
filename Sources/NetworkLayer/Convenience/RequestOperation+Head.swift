import HTTPTypes
import Synchronization

extension RequestOperation {
    /// The head of the answer, as soon as it is certain that no redirect, challenge or retry will follow it: before the body, except for
    /// a 4xx or 5xx where there are retry policies, which are asked when the body is there.
    ///
    ///     let operation = client.stream(.get(url))
    ///     guard try await operation.head.status == .ok else { return operation.cancel("no such feed") }
    ///     for try await line in operation.body.lines { … }
    ///
    /// Cancelling the task cancels the operation.
    ///
    /// - Throws: the error of an operation that ends without any.
    public var head: ResponseHead {
        get async throws(NetworkError) {
            let head = await withTaskCancellationHandler {
                for await _ in events {
                    if let head = finalHead { return head as ResponseHead? }
                }
                return nil
            } onCancel: {
                cancel("the task that waits for the head was cancelled")
            }
            if let head { return head }
            let response = await response
            if let head = finalHead { return head }
            throw response.error ?? .noResponse(to: response.originalRequest)
        }
    }

    private var finalHead: ResponseHead? { core.withLock { $0.machine.finalHead } }
}

extension RequestOperation.StateMachine {
    /// See ``RequestOperation/head``.
    fileprivate var finalHead: ResponseHead? {
        guard let head = resuming.head ?? metrics.attempts.last?.head, !hasGivenUpLastAnswer else { return nil }
        if state.isFinal { return head }
        guard case .consume = exchange?.plan else { return nil }
        return configuration.retry.isEmpty || head.status.code < 400 ? head : nil
    }
}
