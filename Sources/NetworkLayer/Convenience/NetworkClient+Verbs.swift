public import HTTPTypes

/// A request by its verb: what comes of it as ``response(for:configuration:delegate:priority:)`` has it, or, with `as:`, its JSON as
/// ``value(for:as:configuration:delegate:priority:)`` has it. Whoever needs more makes a ``Request``.
extension NetworkClient {
    /// A GET; `query` goes behind what the URL has.
    public func get(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:]
    ) async -> Response {
        await response(for: .get(url, query: query, headers: headers))
    }

    /// A GET for JSON; `query` goes behind what the URL has.
    public func get<Value: Decodable & Sendable>(
        _ url: some URLConvertible, query: [String: (any URLEncodable)?] = [:], headers: HTTPFields = [:],
        as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await value(for: .get(url, query: query, headers: headers), as: type)
    }

    /// A POST of JSON.
    public func post(_ url: some URLConvertible, headers: HTTPFields = [:], json: some Encodable) async -> Response {
        await response(for: .post(url, headers: headers, json: json))
    }

    /// A POST of JSON, for JSON.
    public func post<Value: Decodable & Sendable>(
        _ url: some URLConvertible, headers: HTTPFields = [:], json: some Encodable, as type: Value.Type = Value.self
    ) async throws(NetworkError) -> Value {
        try await value(for: .post(url, headers: headers, json: json), as: type)
    }

    /// A PUT of JSON.
    public func put(_ url: some URLConvertible, headers: HTTPFields = [:], json: some Encodable) async -> Response {
        await response(for: .put(url, headers: headers, json: json))
    }

    /// A PATCH (RFC 5789) of JSON.
    public func patch(_ url: some URLConvertible, headers: HTTPFields = [:], json: some Encodable) async -> Response {
        await response(for: .patch(url, headers: headers, json: json))
    }

    /// A DELETE.
    public func delete(_ url: some URLConvertible, headers: HTTPFields = [:]) async -> Response {
        await response(for: .delete(url, headers: headers))
    }
}
