public import HTTPTypes

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

/// By names that are written out: `client.get(url, headers: ["X-Auth": "abc"])`.
extension NetworkClient {
    /// A GET, with fields by names that are written out.
    public func get(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: [String: String],
        configuration: RequestConfiguration? = nil
    ) async -> Response {
        await response(for: .get(url, query: query, headers: headers), configuration: configuration)
    }

    /// A GET for JSON, with fields by names that are written out.
    public func get<Value: Decodable & Sendable>(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: [String: String],
        configuration: RequestConfiguration? = nil, as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await value(for: .get(url, query: query, headers: headers), as: type, configuration: configuration)
    }

    /// A POST of JSON, with fields by names that are written out.
    public func post(
        _ url: some URLConvertible, headers: [String: String], json: some Encodable, configuration: RequestConfiguration? = nil
    ) async -> Response {
        await response(for: .post(url, headers: headers, json: json), configuration: configuration)
    }

    /// A POST of JSON, for JSON, with fields by names that are written out.
    public func post<Value: Decodable & Sendable>(
        _ url: some URLConvertible, headers: [String: String], json: some Encodable, configuration: RequestConfiguration? = nil,
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await value(for: .post(url, headers: headers, json: json), as: type, configuration: configuration)
    }

    /// A DELETE, with fields by names that are written out.
    public func delete(
        _ url: some URLConvertible, headers: [String: String], configuration: RequestConfiguration? = nil
    ) async -> Response {
        await response(for: .delete(url, headers: headers), configuration: configuration)
    }
}
