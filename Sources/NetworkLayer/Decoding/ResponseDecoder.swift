public import Base

/// How a program reads what it asked for out of a response: a value, where TNL has a subclass of its response (RSP-3).
///
///     let orders = ResponseDecoder.json([Order].self)
///     let decoded = response.decoded(using: orders)
///     decoded.value                                  // [Order]?
///     decoded.response.metrics.attempts.last?.bodyParseError
public struct ResponseDecoder<Value: Sendable>: Sendable {
    private let read: @Sendable (ResponseInfo) throws -> Value
    private let apiErrors: @Sendable (ResponseInfo) -> [String]

    /// - Parameters:
    ///   - apiErrors: what the server says of errors inside of an answer that arrived; asked whether reading works or not.
    ///   - read: makes the value; what it throws becomes the cause of a ``NetworkError`` with code `cannotDecode`.
    public init(
        apiErrors: @escaping @Sendable (ResponseInfo) -> [String] = { _ in [] },
        _ read: @escaping @Sendable (ResponseInfo) throws -> Value
    ) {
        self.read = read
        self.apiErrors = apiErrors
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

    func errors(in response: Response) -> [String] {
        response.info.map(apiErrors) ?? []
    }

    /// The same body, made into something else afterwards.
    public func map<New: Sendable>(_ transformer: Transformer<Value, New>) -> ResponseDecoder<New> {
        ResponseDecoder<New>(apiErrors: apiErrors) { [read] info in try transformer.transform(try read(info)) }
    }
}

/// A response with what was read out of it.
public struct DecodedResponse<Value: Sendable>: Sendable {
    /// `nil` when the operation failed, or the body could not be read: see the last attempt's ``AttemptMetrics/bodyParseError``.
    public var value: Value?
    /// Its last attempt says what the decoder found: ``AttemptMetrics/apiErrors`` and ``AttemptMetrics/bodyParseError``.
    public var response: Response
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
