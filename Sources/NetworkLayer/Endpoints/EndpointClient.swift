import Base

/// Sends the calls of an API. TermiNetwork's `Client` (TN-2).
///
///     let orders = EndpointClient<Orders>(environment: staging, queue: queue)
///     let page = try await orders.value(of: .list(page: 1), as: [Order].self)
///
/// A value: a copy with another environment or configuration is another client, and neither changes under a request.
public struct EndpointClient<Call: Endpoint>: Sendable {
    /// Where its calls go; `nil`: those with a path fail with `environmentNotSet`.
    public var environment: Environment?
    /// Takes precedence over the environment's configuration; a call's configuration takes precedence over it.
    public var configuration: EndpointConfiguration
    /// The level below all others.
    public var base: RequestConfiguration
    /// All of its calls go through it.
    public let queue: RequestOperationQueue
    /// Takes part in every call.
    public var delegate: RequestDelegate
    /// Changes every request on its way out, after the delegate's hydrator, and every response on its way in (TN-8).
    public var middleware: [any RequestMiddleware]

    /// A client of an API, whose calls go through `queue`; without an environment only those to whole URLs can.
    ///
    /// - Parameter base: `nil`: that of the queue's client, ``NetworkClient/configuration``.
    public init(
        environment: Environment? = nil, configuration: EndpointConfiguration = .init(), base: RequestConfiguration? = nil,
        queue: RequestOperationQueue, delegate: RequestDelegate = .init(), middleware: [any RequestMiddleware] = []
    ) {
        self.environment = environment
        self.configuration = configuration
        self.base = base ?? queue.client.configuration
        self.queue = queue
        self.delegate = delegate
        self.middleware = middleware
    }

    // MARK: What would be sent

    /// What all levels say together.
    public func configuration(for call: Call) -> EndpointConfiguration {
        call.call.configuration
            .inheriting(from: configuration)
            .inheriting(from: environment?.configuration ?? .init())
    }

    /// What would be sent for a call, before hydration.
    ///
    /// - Throws: `environmentNotSet`, `invalidURL`, `invalidParameters`.
    public func request(for call: Call) throws(NetworkError) -> Request {
        try call.call.request(in: environment, configuration: configuration(for: call))
    }

    /// What an operation of the call would be configured with.
    public func requestConfiguration(for call: Call) -> RequestConfiguration {
        configuration(for: call).applied(to: base)
    }

    // MARK: Sending

    /// The operation of a call, enqueued; ``RequestOperation/source`` is an ``EndpointRequest`` that says which call it was. Its
    /// response hasn't passed the ``middleware``: ``RequestOperation/response(through:)`` has it do so.
    @discardableResult
    public func send(_ call: Call, priority: Priority = .normal) throws(NetworkError) -> RequestOperation {
        var delegate = delegate
        if !middleware.isEmpty { delegate.hydrator = MiddlewareHydrator(middleware, after: delegate.hydrator) }
        return queue.enqueue(
            EndpointRequest(call: call, request: try request(for: call)), configuration: requestConfiguration(for: call),
            delegate: delegate, priority: priority)
    }

    /// The response, whatever its status, through the ``middleware``. Cancelling the task cancels the operation (TN-10).
    public func response(to call: Call, priority: Priority = .normal) async throws(NetworkError) -> Response {
        let response = try await send(call, priority: priority).response(through: middleware)
        if let error = response.error { throw error }
        return response
    }

    /// The body of a success as JSON of `type`.
    public func value<Value: Decodable & Sendable>(
        of call: Call, as type: Value.Type = Value.self, priority: Priority = .normal
    ) async throws(NetworkError) -> Value {
        try await value(of: call, using: decoder(for: call), priority: priority)
    }

    /// The body of a success as JSON, made into something else.
    public func value<Model: Decodable & Sendable, Value: Sendable>(
        of call: Call, using transformer: Transformer<Model, Value>, priority: Priority = .normal
    ) async throws(NetworkError) -> Value {
        try await value(of: call, using: decoder(for: call).map(transformer), priority: priority)
    }

    /// The body of a success, read by any decoder.
    public func value<Value: Sendable>(
        of call: Call, using decoder: ResponseDecoder<Value>, priority: Priority = .normal
    ) async throws(NetworkError) -> Value {
        try await response(to: call, priority: priority).requireSuccess().decode(using: decoder)
    }

    private func decoder<Value: Decodable & Sendable>(for call: Call) -> ResponseDecoder<Value> {
        let keys = configuration(for: call).keyDecoding ?? .asTheyAre
        let decoder = JSONDecoder()
        switch keys {
        case .asTheyAre: decoder.keyDecodingStrategy = .useDefaultKeys
        case .fromSnakeCase: decoder.keyDecodingStrategy = .convertFromSnakeCase
        }
        return .json(decoder: decoder)
    }
}
