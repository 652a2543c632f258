public import Base

/// One request through the client's ``defaultQueue``, for callers who need no queue of their own. Without a configuration of its own
/// it is sent with the client's (``configuration``).
extension NetworkClient {
    /// Sends a request, and returns its operation at once: to be awaited, watched, cancelled, or left alone.
    @discardableResult
    public func send(
        _ request: Request, configuration: RequestConfiguration? = nil, delegate: RequestDelegate = .init(),
        priority: Priority = .normal
    ) -> RequestOperation {
        defaultQueue.enqueue(request, configuration: configuration, delegate: delegate, priority: priority)
    }

    /// How it ended, whatever the status. Never throws: the response carries the error.
    public func response(
        for request: Request, configuration: RequestConfiguration? = nil, delegate: RequestDelegate = .init(),
        priority: Priority = .normal
    ) async -> Response {
        await send(request, configuration: configuration, delegate: delegate, priority: priority).response
    }

    /// The body of a success; see ``RequestOperation/data()``.
    public func data(
        for request: Request, configuration: RequestConfiguration? = nil, delegate: RequestDelegate = .init(),
        priority: Priority = .normal
    ) async throws(NetworkError) -> Data {
        try await send(request, configuration: configuration, delegate: delegate, priority: priority).data()
    }

    /// The text of a success; see ``RequestOperation/text()``.
    public func text(
        for request: Request, configuration: RequestConfiguration? = nil, delegate: RequestDelegate = .init(),
        priority: Priority = .normal
    ) async throws(NetworkError) -> String {
        try await send(request, configuration: configuration, delegate: delegate, priority: priority).text()
    }

    /// The JSON of a success; see ``RequestOperation/value(as:decoder:)``.
    public func value<Value: Decodable & Sendable>(
        for request: Request, as type: Value.Type = Value.self, configuration: RequestConfiguration? = nil,
        delegate: RequestDelegate = .init(), priority: Priority = .normal,
        decoder: JSONDecoder = JSONDecoder()
    ) async throws(NetworkError) -> Value {
        try await send(request, configuration: configuration, delegate: delegate, priority: priority)
            .value(as: type, decoder: decoder)
    }

    /// A request whose body goes to the file at `path`, see ``ResponseConsumption/download(to:)``.
    @discardableResult
    public func download(
        _ request: Request, to path: String, configuration: RequestConfiguration? = nil, delegate: RequestDelegate = .init(),
        priority: Priority = .normal
    ) -> RequestOperation {
        send(
            request, configuration: (configuration ?? self.configuration).with { $0.consumption = .download(to: path) },
            delegate: delegate, priority: priority)
    }

    /// A request whose body is read as it arrives, from ``RequestOperation/body``. Without a configuration of its own it has the client's,
    /// with the timeouts of ``RequestAnatomy/smallRequestStreamingResponse``.
    public func stream(
        _ request: Request, configuration: RequestConfiguration? = nil,
        delegate: RequestDelegate = .init(), priority: Priority = .normal
    ) -> RequestOperation {
        defaultQueue.stream(request, configuration: configuration, delegate: delegate, priority: priority)
    }
}

extension RequestOperationQueue {
    /// A request whose body is read as it arrives, from ``RequestOperation/body``: see
    /// ``NetworkClient/stream(_:configuration:delegate:priority:)``.
    public func stream(
        _ request: Request, configuration: RequestConfiguration? = nil,
        delegate: RequestDelegate = .init(), priority: Priority = .normal
    ) -> RequestOperation {
        var configuration =
            configuration ?? client.configuration.with { $0.timeouts = RequestAnatomy.smallRequestStreamingResponse.timeouts }
        configuration.consumption = .stream
        return enqueue(request, configuration: configuration, delegate: delegate, priority: priority)
    }
}

extension EndpointClient {
    /// Through the client's ``NetworkClient/defaultQueue``.
    public init(
        _ environment: Environment? = nil, client: NetworkClient, configuration: EndpointConfiguration = .init(),
        base: RequestConfiguration? = nil, delegate: RequestDelegate = .init(), middleware: [any RequestMiddleware] = []
    ) {
        self.init(
            environment: environment, configuration: configuration, base: base, queue: client.defaultQueue, delegate: delegate,
            middleware: middleware)
    }
}
