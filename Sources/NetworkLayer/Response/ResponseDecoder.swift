public import Base
import HTTPTypes

/// How a program reads what it asked for out of a response: a value, where TNL has a subclass of its response (RSP-3).
///
///     let orders = ResponseDecoder.json([Order].self)
///     let page = try response.decode(using: orders)
public struct ResponseDecoder<Value: Sendable>: Sendable {
    private let read: @Sendable (ResponseInfo) throws -> Value

    /// - Parameter read: makes the value; what it throws becomes the cause of a ``NetworkError`` with code `cannotDecode`.
    public init(_ read: @escaping @Sendable (ResponseInfo) throws -> Value) {
        self.read = read
    }

    /// - Throws: a response without a head throws its own error.
    public func value(of response: Response) throws(NetworkError) -> Value {
        if let error = response.error { throw error }
        guard let info = response.info else { throw .cannotDecode(Value.self, from: response, cause: nil) }
        do {
            return try read(info)
        } catch let error as NetworkError where error.code == .transformationFailed {
            throw error
        } catch {
            throw .cannotDecode(Value.self, from: response, cause: error)
        }
    }

    /// The same body, made into something else afterwards.
    public func map<New: Sendable>(_ transformer: Transformer<Value, New>) -> ResponseDecoder<New> {
        ResponseDecoder<New> { [read] info in try transformer.transform(try read(info)) }
    }
}

extension ResponseDecoder where Value == Data {
    /// The bytes; those of a file are mapped, not read.
    public static var data: ResponseDecoder<Data> { ResponseDecoder { try $0.body.contents() } }
}

extension ResponseDecoder where Value == String {
    /// Text in UTF-8.
    public static var text: ResponseDecoder<String> {
        ResponseDecoder { info in
            guard let text = String(validating: try info.body.contents(), as: UTF8.self) else {
                throw NetworkError(
                    .cannotDecode, phase: .body, type: ErrorType.cannotDecode,
                    message: "The \(info.body.count) bytes from \(info.finalRequest.target) are no text in UTF-8.")
            }
            return text
        }
    }
}

extension ResponseDecoder where Value == Void {
    /// Nothing: for answers whose body says nothing.
    public static var empty: ResponseDecoder<Void> { ResponseDecoder { _ in } }
}

extension ResponseDecoder where Value: Decodable {
    /// JSON as `type`.
    ///
    /// - Parameter decoder: as it is now; it must not be changed any more.
    public static func json(
        _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) -> ResponseDecoder<Value> {
        ResponseDecoder { info in try decoder.decode(Value.self, from: try info.body.contents()) }
    }
}

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

    /// This response, unless the operation failed, the status is another, or the body's type is none of `types`; none: any type will do.
    ///
    ///     let birds: [Bird] = try await client.response(for: request).validating(200..<300, types: [.json]).json()
    ///
    /// - Throws: ``error``, or code `unsuccessfulStatus`, or `cannotDecode`.
    @discardableResult
    public func validating(_ statuses: Range<Int> = 200..<300, types: [ContentType] = []) throws(NetworkError) -> Response {
        if let error { throw error }
        guard let info, statuses.contains(info.head.status.code) else { throw .unsuccessful(self) }
        let type = ContentType(info.head.headers[.contentType] ?? "").essence
        guard types.isEmpty || types.contains(where: { $0.essence == type }) else {
            throw NetworkError(
                .cannotDecode, phase: .body, type: ErrorType.cannotDecode,
                message: "\(info.finalRequest.target) answered with \(type.isEmpty ? "no media type" : type), and not with "
                    + "\(types.map(\.essence).joined(separator: " or ")).")
        }
        return self
    }

    /// The body as JSON of `type`, whatever the status: what a server says of a failure can be read with it, too (TN-9).
    public func decode<Value: Decodable & Sendable>(
        as type: Value.Type, decoder: JSONDecoder = JSONDecoder()
    ) throws(NetworkError) -> Value {
        try ResponseDecoder.json(type, decoder: decoder).value(of: self)
    }

    /// What a caller wants who says no more than its type, which may be that of an optional variable: this response, its body, or the
    /// JSON in it.
    func result<Value: Decodable & Sendable>(as type: Value.Type, decoder: JSONDecoder) throws(NetworkError) -> Value {
        if let error { throw error }
        if type == Response.self || type == Response?.self, let response = self as? Value { return response }
        try requireSuccess()
        if type == String.self || type == String?.self, let text = try decode(using: .text) as? Value { return text }
        if type == Data.self || type == Data?.self, let data = try decode(using: .data) as? Value { return data }
        return try decode(as: type, decoder: decoder)
    }

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

/// Makes one value of another: the model of an answer into what the program works with. TermiNetwork's `Transformer` (TN-9).
public struct Transformer<From: Sendable, To: Sendable>: Sendable {
    private let make: @Sendable (From) throws -> To

    /// - Parameter make: what it throws ends the call with code `transformationFailed`, with it as the cause.
    public init(_ make: @escaping @Sendable (From) throws -> To) {
        self.make = make
    }

    /// - Throws: code `transformationFailed`, with what was thrown as its cause.
    package func transform(_ value: From) throws(NetworkError) -> To {
        do {
            return try make(value)
        } catch {
            let cause = NetworkError(wrapping: error, phase: .body)
            throw NetworkError(
                .transformationFailed, phase: .body, type: ErrorType.transformationFailed,
                message: "\(From.self) could not be made into \(To.self): \(cause.message)", underlying: cause)
        }
    }
}
