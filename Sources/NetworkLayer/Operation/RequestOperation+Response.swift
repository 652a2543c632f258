public import Base
import HTTPTypes
import Synchronization

extension RequestOperation {
    /// How the operation ended; `nil` as long as it hasn't. It is available as soon as the event `completed` is.
    public var finalResponse: Response? {
        core.withLock { $0.finalResponse(to: originalRequest) }
    }

    /// What has come of the body of the running attempt, decoded, as far as it is kept: in memory, and in a file once it has outgrown
    /// ``ResponseConsumption/memory(spillOver:)``. `none` before its first bytes, when nothing is kept, and after the end.
    package var partialBody: ResponseBody { core.withLock { $0.sink?.look() ?? .none } }

    /// When which part of the body of the last attempt came, if its length wasn't known before; also after the end.
    package var bodyArrivals: [BodyArrival] { core.withLock { $0.sink?.arrivals ?? $0.arrivals } }

    /// How it ends. Never throws: the response carries the error (RSP-1). Cancelling the task cancels the operation. One that is
    /// never enqueued nor cancelled never ends: the operation may be awaited first, and enqueued later.
    public var response: Response {
        get async { await response(orCancel: "the task that waits for the response was cancelled") }
    }

    /// How it ends.
    ///
    /// - Parameter source: what cancels the operation when the task is cancelled.
    package func response(orCancel source: CancelSource) async -> Response {
        if let response = endedResponse { return response }
        await withTaskCancellationHandler {
            await end()
        } onCancel: {
            cancel(source)
        }
        guard let response = finalResponse else { preconditionFailure("Who waits is resumed in a final state only") }
        return response
    }

    /// The response, once the operation has ended for those who wait for it.
    private var endedResponse: Response? { core.withLock { $0.isOver } ? finalResponse : nil }

    /// The task that waits makes the response itself: the thread that ends an operation has others to serve.
    func end() async {
        await withUnsafeContinuation { continuation in
            let isOver = core.withLock { core in
                if core.isOver { return true }
                core.responseWaiters.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// The response, or its error thrown. Cancelling the task cancels the operation.
    package func successfulResponse() async throws(NetworkError) -> Response {
        let response = await response
        if let error = response.error { throw error }
        return response
    }
}

extension RequestOperation.Core {
    /// It is made when it is first asked for, because most of them are never read.
    fileprivate mutating func finalResponse(to request: Request) -> Response? {
        if let response { return response }
        guard machine.state.isFinal else { return nil }
        var info: ResponseInfo?
        // By index: taking the attempt out would copy all of it.
        let attempts = machine.metrics.attempts
        let last = attempts.endIndex - 1
        if last >= 0, let head = attempts[last].head, !machine.hasGivenUpLastAnswer {
            info = ResponseInfo(
                finalRequest: attempts[last].request, head: machine.resuming.head ?? head, body: sink?.close() ?? .none,
                source: attempts[last].source, hash: attempts[last].bodyHash,
                receivedAt: machine.metrics.date(of: attempts[last].end ?? attempts[last].start))
        }
        let response = Response(originalRequest: request, error: machine.metrics.error, info: info, metrics: machine.metrics)
        self.response = response
        if let sink { arrivals = sink.arrivals }
        sink = nil
        return response
    }
}

extension RequestOperation {
    /// The head of the answer, as soon as it is certain that no redirect, challenge or retry will follow it: before the body, except for
    /// a 4xx or 5xx where there are retry policies, which are asked when the body is there.
    ///
    ///     let operation = client.stream(.get(url))
    ///     guard try await operation.head.status.isSuccess else { return operation.cancel("no such feed") }
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

/// The result of an operation that succeeds. Each of these throws the operation's error, and `unsuccessfulStatus` for a status that isn't
/// a 2xx; cancelling the task cancels the operation.
extension RequestOperation {
    /// The body of a success, from memory or from its file.
    ///
    /// - Throws: what ``Response/requireSuccess()`` throws. Cancelling the task cancels the operation.
    public func data() async throws(NetworkError) -> Data {
        try await response.requireSuccess().decode(using: .data)
    }

    /// - Throws: also `cannotDecode`, when it isn't UTF-8.
    public func text() async throws(NetworkError) -> String {
        try await response.requireSuccess().decode(using: .text)
    }

    /// The body as JSON of `type`; as it is where that is `String` or `Data`.
    ///
    /// - Throws: also `cannotDecode`, whose message says where in the JSON.
    public func value<Value: Decodable & Sendable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) async throws(NetworkError) -> Value {
        try await response.result(as: type, decoder: decoder)
    }

    /// The body of a success, as the decoder reads it.
    ///
    /// - Throws: what ``Response/requireSuccess()`` and ``Response/decode(using:)`` throw.
    public func value<Value: Sendable>(using decoder: ResponseDecoder<Value>) async throws(NetworkError) -> Value {
        try await response.requireSuccess().decode(using: decoder)
    }
}
