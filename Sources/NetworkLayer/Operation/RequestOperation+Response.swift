import Synchronization

extension RequestOperation {
    /// How it ended; `nil` as long as it hasn't. There as soon as the event `completed` is.
    public var finalResponse: Response? {
        core.withLock { $0.finalResponse(to: originalRequest) }
    }

    /// How it ends. Never throws: the response carries the error (RSP-1). An operation that is never enqueued nor cancelled
    /// never ends.
    public var response: Response {
        get async {
            await withUnsafeContinuation { continuation in
                let response = core.withLock { core -> Response? in
                    let response = core.finalResponse(to: originalRequest)
                    if response == nil { core.responseWaiters.append(continuation) }
                    return response
                }
                if let response { continuation.resume(returning: response) }
            }
        }
    }

    /// The response, or its error thrown. Cancelling the task cancels the operation.
    public func successfulResponse() async throws(NetworkError) -> Response {
        let response = await withTaskCancellationHandler {
            await self.response
        } onCancel: {
            cancel("the task that waits for the response was cancelled")
        }
        if let error = response.error { throw error }
        return response
    }
}

extension RequestOperation.Core {
    /// Made when it is first asked for: nobody reads most of them.
    fileprivate mutating func finalResponse(to request: Request) -> Response? {
        if let response { return response }
        guard machine.state.isFinal else { return nil }
        var info: ResponseInfo?
        if let attempt = machine.metrics.attempts.last, let head = attempt.head {
            info = ResponseInfo(finalRequest: attempt.request, head: head, body: sink?.close() ?? .none)
        }
        let response = Response(originalRequest: request, error: machine.metrics.error, info: info, metrics: machine.metrics)
        self.response = response
        sink = nil
        return response
    }
}
