public import Base

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

    /// The body as JSON of `type`.
    ///
    /// - Throws: also `cannotDecode`, whose message says where in the JSON.
    public func value<Value: Decodable & Sendable>(
        as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) async throws(NetworkError) -> Value {
        try await response.requireSuccess().decode(as: type, decoder: decoder)
    }

    /// The body of a success, as the decoder reads it.
    ///
    /// - Throws: what ``Response/requireSuccess()`` and ``Response/decode(using:)`` throw.
    public func value<Value: Sendable>(using decoder: ResponseDecoder<Value>) async throws(NetworkError) -> Value {
        try await response.requireSuccess().decode(using: decoder)
    }
}
