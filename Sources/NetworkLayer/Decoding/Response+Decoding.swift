public import Base
import HTTPTypes

/// What a program usually does with a response that it only wants to go well. The core never throws (RSP-1); this does.
extension Response {
    /// This response, unless the operation failed or the status isn't a 2xx. TermiNetwork's `notSuccess` (TN-18).
    ///
    /// - Throws: ``error``, or code `unsuccessfulStatus` with what the server said: ``NetworkError/response``.
    @discardableResult
    public func requireSuccess() throws(NetworkError) -> Response {
        if let error { throw error }
        guard let info, info.head.status.isSuccess else { throw .unsuccessful(self) }
        return self
    }

    /// The body as JSON of `type`, whatever the status: what a server says of a failure can be read with it, too (TN-9).
    public func decode<Value: Decodable & Sendable>(
        as type: Value.Type, decoder: JSONDecoder = JSONDecoder()
    ) throws(NetworkError) -> Value {
        try ResponseDecoder.json(type, decoder: decoder).value(of: self)
    }

    /// As ``decode(as:decoder:)``: `response.decode(Bird.self)`.
    public func decode<Value: Decodable & Sendable>(_ type: Value.Type) throws(NetworkError) -> Value { try decode(as: type) }

    /// As ``decode(as:decoder:)``, by the name it has elsewhere: `let bird: Bird = try response.json()`.
    public func json<Value: Decodable & Sendable>(_ type: Value.Type = Value.self) throws(NetworkError) -> Value {
        try decode(as: type)
    }

    /// The body as the decoder reads it, whatever the status.
    ///
    /// - Throws: what the decoder throws; code `cannotDecode` when the body is not what it reads.
    public func decode<Value: Sendable>(using decoder: ResponseDecoder<Value>) throws(NetworkError) -> Value {
        try decoder.value(of: self)
    }

    /// The value if there is one, and the response with what the decoder found. Never throws.
    public func decoded<Value: Sendable>(using decoder: ResponseDecoder<Value>) -> DecodedResponse<Value> {
        var decoded = DecodedResponse<Value>(value: nil, response: self)
        var parseError: NetworkError?
        do throws(NetworkError) {
            decoded.value = try decoder.value(of: self)
        } catch {
            parseError = error == self.error ? nil : error
        }
        decoded.response.metrics.note(apiErrors: decoder.errors(in: self), bodyParseError: parseError)
        return decoded
    }
}

extension OperationMetrics {
    /// The only place that sets these (RSP-3).
    fileprivate mutating func note(apiErrors: [String], bodyParseError: NetworkError?) {
        guard !attempts.isEmpty else { return }
        attempts[attempts.count - 1].apiErrors = apiErrors
        attempts[attempts.count - 1].bodyParseError = bodyParseError
    }
}

extension NetworkError {
    fileprivate static func unsuccessful(_ response: Response) -> NetworkError {
        let request = response.info?.finalRequest ?? response.originalRequest
        guard let info = response.info else { return .noResponse(to: request) }
        let status = info.head.status
        var error = NetworkError(
            .unsuccessfulStatus, phase: .response, type: ErrorType.unsuccessfulStatus,
            message: "\(request.target) answered \(status.code) \(status.reasonPhrase), which is no success; the body may say why.",
            details: [.status: "\(status.code)"])
        var answer = UnsuccessfulResponse(head: info.head)
        if case .data(let body) = info.body { answer.body = body }
        error.response = answer
        return error
    }

    static func cannotDecode(_ type: Any.Type, from response: Response, cause: (any Error)?) -> NetworkError {
        let request = response.info?.finalRequest ?? response.originalRequest
        let cause = cause.map { NetworkError(wrapping: $0, phase: .body) }
        return NetworkError(
            .cannotDecode, phase: .body, type: ErrorType.cannotDecode,
            message: "The answer of \(request.target) can't be read as \(type)\(cause.map { ": \($0.message)" } ?? ".")",
            underlying: cause)
    }
}
