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

/// A request by its verb: what comes of it as ``response(for:configuration:delegate:priority:)`` has it, or, with `as:`, its JSON as
/// ``value(for:as:configuration:delegate:priority:decoder:)`` has it. Whoever needs more makes a ``Request``.
extension NetworkClient {
    /// A GET; `query` goes behind what the URL has.
    public func get(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        configuration: RequestConfiguration? = nil
    ) async -> Response {
        await response(for: .get(url, query: query, headers: headers), configuration: configuration)
    }

    /// A GET for JSON; `query` goes behind what the URL has.
    public func get<Value: Decodable & Sendable>(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        configuration: RequestConfiguration? = nil, as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await value(for: .get(url, query: query, headers: headers), as: type, configuration: configuration)
    }

    /// A HEAD.
    public func head(
        _ url: some URLConvertible, headers: HTTPFields = [:], configuration: RequestConfiguration? = nil
    ) async -> Response {
        await response(for: .head(url, headers: headers), configuration: configuration)
    }

    /// A POST of JSON.
    public func post(
        _ url: some URLConvertible, headers: HTTPFields = [:], json: some Encodable, configuration: RequestConfiguration? = nil
    ) async -> Response {
        await response(for: .post(url, headers: headers, json: json), configuration: configuration)
    }

    /// A POST of JSON, for JSON.
    public func post<Value: Decodable & Sendable>(
        _ url: some URLConvertible, headers: HTTPFields = [:], json: some Encodable, configuration: RequestConfiguration? = nil,
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await value(for: .post(url, headers: headers, json: json), as: type, configuration: configuration)
    }

    /// A POST with a body of any kind, or with none.
    public func post(
        _ url: some URLConvertible, headers: HTTPFields = [:], body: RequestContent = .none,
        configuration: RequestConfiguration? = nil
    ) async -> Response {
        await response(for: .post(url, headers: headers, body: body), configuration: configuration)
    }

    /// A PUT of JSON.
    public func put(
        _ url: some URLConvertible, headers: HTTPFields = [:], json: some Encodable, configuration: RequestConfiguration? = nil
    ) async -> Response {
        await response(for: .put(url, headers: headers, json: json), configuration: configuration)
    }

    /// A PUT of JSON, for JSON.
    public func put<Value: Decodable & Sendable>(
        _ url: some URLConvertible, headers: HTTPFields = [:], json: some Encodable, configuration: RequestConfiguration? = nil,
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await value(for: .put(url, headers: headers, json: json), as: type, configuration: configuration)
    }

    /// A PUT with a body of any kind.
    public func put(
        _ url: some URLConvertible, headers: HTTPFields = [:], body: RequestContent, configuration: RequestConfiguration? = nil
    ) async -> Response {
        await response(for: .put(url, headers: headers, body: body), configuration: configuration)
    }

    /// A PATCH (RFC 5789) of JSON.
    public func patch(
        _ url: some URLConvertible, headers: HTTPFields = [:], json: some Encodable, configuration: RequestConfiguration? = nil
    ) async -> Response {
        await response(for: .patch(url, headers: headers, json: json), configuration: configuration)
    }

    /// A PATCH (RFC 5789) of JSON, for JSON.
    public func patch<Value: Decodable & Sendable>(
        _ url: some URLConvertible, headers: HTTPFields = [:], json: some Encodable, configuration: RequestConfiguration? = nil,
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await value(for: .patch(url, headers: headers, json: json), as: type, configuration: configuration)
    }

    /// A DELETE.
    public func delete(
        _ url: some URLConvertible, headers: HTTPFields = [:], configuration: RequestConfiguration? = nil
    ) async -> Response {
        await response(for: .delete(url, headers: headers), configuration: configuration)
    }
}
