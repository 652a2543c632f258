public import Base
import HTTPTypes

/// How an operation ended. It carries the error instead of being thrown: **4xx and 5xx are not errors** (RSP-1).
public struct Response: Sendable, Codable {
    /// As the caller made it; what was sent at last is ``ResponseInfo/finalRequest``.
    public var originalRequest: Request
    /// Why the operation failed or was cancelled; `nil` when it succeeded.
    public var error: NetworkError?
    /// What arrived, also in part when ``error`` is there; `nil` when no head arrived.
    public var info: ResponseInfo?
    /// The metrics of the whole operation, with every attempt of it.
    public var metrics: OperationMetrics

    /// A response as it ends an operation, for tests and for middleware.
    public init(originalRequest: Request, error: NetworkError? = nil, info: ResponseInfo? = nil, metrics: OperationMetrics) {
        self.originalRequest = originalRequest
        self.error = error
        self.info = info
        self.metrics = metrics
    }
}

/// What arrived in answer to the last attempt.
public struct ResponseInfo: Sendable, Codable {
    /// The request of the last attempt; its URL is where the redirects led.
    public var finalRequest: Request
    /// The head of the last attempt: status, version and fields.
    public var head: ResponseHead
    /// Where the configuration's ``ResponseConsumption`` put it.
    public var body: ResponseBody
    /// When the server wants to be asked again, its date fixed when the answer arrived (RSP-2).
    public var retryAfter: RetryAfter?
    /// The network, a cache or a mock.
    public var source: ResponseSource
    /// The digest of the body: see ``AttemptMetrics/bodyHash``.
    public var hash: BodyHash?

    /// - Parameter receivedAt: the wall clock when the answer arrived, from which the seconds of `Retry-After` count.
    public init(
        finalRequest: Request, head: ResponseHead, body: ResponseBody, source: ResponseSource = .network, hash: BodyHash? = nil,
        receivedAt: Date = Date()
    ) {
        self.finalRequest = finalRequest
        self.head = head
        self.body = body
        self.source = source
        self.hash = hash
        self.retryAfter = head.headers[.retryAfter].map { RetryAfter($0, receivedAt: receivedAt) }
    }

    /// Where the redirects led.
    public var finalURL: URL { finalRequest.url }

    /// The field of that name in any case (RSP-2); several of it joined by `, `.
    public subscript(header name: String) -> String? {
        HTTPField.Name(name).flatMap { head.headers[$0] }
    }
}

/// The body, where ``ResponseConsumption`` put it.
public enum ResponseBody: Sendable {
    /// Dropped, or handed out by ``RequestOperation/body``.
    case none
    /// In memory.
    case data(Data)
    /// In a file, which goes when nobody refers to it any more, unless it is moved away.
    case file(TemporaryFile)

    /// The bytes; those of a file are mapped, not read.
    public func contents() throws(NetworkError) -> Data {
        switch self {
        case .none: Data()
        case .data(let data): data
        case .file(let file): try file.contents()
        }
    }

    /// Bytes, decoded.
    public var count: Int {
        switch self {
        case .none: 0
        case .data(let data): data.count
        case .file(let file): file.count
        }
    }
}
