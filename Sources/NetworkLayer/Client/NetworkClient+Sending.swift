public import Base
public import HTTPTypes

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

    /// A request whose body is read as it arrives, from ``RequestOperation/body``, and may go on for ever: see ``Timeouts``.
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
        enqueue(
            request, configuration: (configuration ?? client.configuration).with { $0.consumption = .stream }, delegate: delegate,
            priority: priority)
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

/// A request by its verb: its answer, whatever the status, or the JSON of a success, as its type says: `let birds: [Bird] = …`. All of them
/// throw when there is no whole answer; ``response(for:configuration:delegate:priority:)`` never does. A `timeout` is that of the whole
/// operation, in place of the configuration's own.
extension NetworkClient {
    /// A GET; `query` goes behind what the URL has.
    public func get(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        authorization: Authorization = .unchanged, timeout: Duration? = nil, configuration: RequestConfiguration? = nil
    ) async throws(NetworkError) -> Response {
        try await send(.get(url, query: query, headers: headers), authorization, timeout, configuration).successfulResponse()
    }

    /// A GET for JSON; `query` goes behind what the URL has.
    public func get<Value: Decodable & Sendable>(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        authorization: Authorization = .unchanged, timeout: Duration? = nil, configuration: RequestConfiguration? = nil,
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await send(.get(url, query: query, headers: headers), authorization, timeout, configuration).value(as: type)
    }

    public func head(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        authorization: Authorization = .unchanged, timeout: Duration? = nil, configuration: RequestConfiguration? = nil
    ) async throws(NetworkError) -> Response {
        try await send(.head(url, query: query, headers: headers), authorization, timeout, configuration).successfulResponse()
    }

    public func delete(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        authorization: Authorization = .unchanged, timeout: Duration? = nil, configuration: RequestConfiguration? = nil
    ) async throws(NetworkError) -> Response {
        try await send(.delete(url, query: query, headers: headers), authorization, timeout, configuration).successfulResponse()
    }

    /// A POST of JSON, of a body of any other kind, or of none.
    public func post(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        json: (any Encodable)? = nil,
        body: RequestContent = .none, authorization: Authorization = .unchanged, timeout: Duration? = nil,
        configuration: RequestConfiguration? = nil
    ) async throws(NetworkError) -> Response {
        let request = Request.post(url, query: query, headers: headers, json: json, body: body)
        return try await send(request, authorization, timeout, configuration).successfulResponse()
    }

    /// A POST, for JSON.
    public func post<Value: Decodable & Sendable>(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        json: (any Encodable)? = nil,
        body: RequestContent = .none, authorization: Authorization = .unchanged, timeout: Duration? = nil,
        configuration: RequestConfiguration? = nil, as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        let request = Request.post(url, query: query, headers: headers, json: json, body: body)
        return try await send(request, authorization, timeout, configuration).value(as: type)
    }

    /// A PUT of JSON, of a body of any other kind, or of none.
    public func put(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        json: (any Encodable)? = nil,
        body: RequestContent = .none, authorization: Authorization = .unchanged, timeout: Duration? = nil,
        configuration: RequestConfiguration? = nil
    ) async throws(NetworkError) -> Response {
        let request = Request.put(url, query: query, headers: headers, json: json, body: body)
        return try await send(request, authorization, timeout, configuration).successfulResponse()
    }

    /// A PUT, for JSON.
    public func put<Value: Decodable & Sendable>(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        json: (any Encodable)? = nil,
        body: RequestContent = .none, authorization: Authorization = .unchanged, timeout: Duration? = nil,
        configuration: RequestConfiguration? = nil, as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        let request = Request.put(url, query: query, headers: headers, json: json, body: body)
        return try await send(request, authorization, timeout, configuration).value(as: type)
    }

    /// A PATCH (RFC 5789) of JSON, of a body of any other kind, or of none.
    public func patch(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        json: (any Encodable)? = nil,
        body: RequestContent = .none, authorization: Authorization = .unchanged, timeout: Duration? = nil,
        configuration: RequestConfiguration? = nil
    ) async throws(NetworkError) -> Response {
        let request = Request.patch(url, query: query, headers: headers, json: json, body: body)
        return try await send(request, authorization, timeout, configuration).successfulResponse()
    }

    /// A PATCH (RFC 5789), for JSON.
    public func patch<Value: Decodable & Sendable>(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        json: (any Encodable)? = nil,
        body: RequestContent = .none, authorization: Authorization = .unchanged, timeout: Duration? = nil,
        configuration: RequestConfiguration? = nil, as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        let request = Request.patch(url, query: query, headers: headers, json: json, body: body)
        return try await send(request, authorization, timeout, configuration).value(as: type)
    }

    private func send(
        _ request: Request, _ authorization: Authorization, _ timeout: Duration?, _ configuration: RequestConfiguration?
    ) -> RequestOperation {
        var configuration = configuration
        if let timeout {
            configuration = (configuration ?? self.configuration).with {
                ($0.timeouts.attempt, $0.timeouts.operation) = (nil, timeout)
            }
        }
        return send(request.authorized(authorization), configuration: configuration)
    }
}
