public import Base
public import HTTPTypes

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
    public package(set) var finalRequest: Request
    /// The head of the last attempt: status, version and fields.
    public package(set) var head: ResponseHead
    /// Where the configuration's ``ResponseConsumption`` put it.
    public var body: ResponseBody
    /// When the server wants to be asked again, its date fixed when the answer arrived (RSP-2).
    public package(set) var retryAfter: RetryAfter?
    /// The network, a cache or a mock.
    public package(set) var source: ResponseSource
    /// The digest of the body: see ``AttemptMetrics/bodyHash``.
    public package(set) var hash: BodyHash?

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

/// What arrived, without asking whether anything did: `nil` or empty when it didn't.
extension Response {
    /// That of the answer; `nil` where none arrived.
    public var status: HTTPResponse.Status? { info?.head.status }

    /// That of the answer as a number, such as 200; `nil` where none arrived.
    public var statusCode: Int? { status?.code }

    /// Whether the operation succeeded and the status is a 2xx: what ``requireSuccess()`` throws about otherwise.
    public var isSuccess: Bool { error == nil && status?.isSuccess == true }

    /// The fields of the final answer; none where there is no answer.
    public var headers: HTTPFields { info?.head.headers ?? [:] }

    /// The bytes, those of a file mapped. Empty, too, when the file is gone: ``ResponseBody/contents()`` throws then.
    public var body: Data { (try? info?.body.contents()) ?? Data() }

    /// The body, UTF-8 assumed; other bytes are replaced, which ``ResponseDecoder/text`` doesn't do.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// Where the redirects led.
    public var url: URL { info?.finalURL ?? originalRequest.url }

    /// The field of that name in any case; several of it joined by `, `.
    public subscript(header name: String) -> String? { info?[header: name] }
}

/// Where an answer came from. TNL's `TNLResponseSource`, which knows network, local cache and unknown.
public enum ResponseSource: String, Sendable, Hashable, Codable, CaseIterable {
    /// A server, over a connection.
    case network
    /// A stored answer that was fresh, or good enough for the ``CachePolicy``: nothing was sent.
    case cache
    /// A stored answer that the server called good with a 304; its head is brought up to date.
    case validatedCache
    /// A ``Transport`` that only plays one.
    case mock
}

/// The status line and header fields of a response.
public struct ResponseHead: Sendable, Hashable {
    /// Its code and the server's own words for it, which HTTP/2 doesn't send.
    public var status: HTTPResponse.Status
    /// `HTTP/1.1`, `HTTP/2` …
    public var version: String
    /// In the server's order, repeated fields apart.
    public var headers: HTTPFields
    /// The bytes of the head as received, for "raw"; for HTTP/2 as libcurl writes them out.
    public var raw: Data

    /// A head; `raw` is empty where it never went over a wire.
    public init(status: HTTPResponse.Status, version: String = "HTTP/1.1", headers: HTTPFields = [:], raw: Data = Data()) {
        self.status = status
        self.version = version
        self.headers = headers
        self.raw = raw
    }
}

extension ResponseHead: Codable {
    private enum Key: String, CodingKey { case status, reason, version, headers, raw }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let code = try values.decode(Int.self, forKey: .status)
        guard (0...999).contains(code) else {
            throw DecodingError.dataCorruptedError(forKey: .status, in: values, debugDescription: "\(code) is no status")
        }
        self.init(
            status: .init(code: code, reasonPhrase: try values.decode(String.self, forKey: .reason)),
            version: try values.decode(String.self, forKey: .version),
            headers: try values.decode(HTTPFields.self, forKey: .headers),
            raw: try values.decode(Data.self, forKey: .raw))
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(status.code, forKey: .status)
        try values.encode(status.reasonPhrase, forKey: .reason)
        try values.encode(version, forKey: .version)
        try values.encode(headers, forKey: .headers)
        try values.encode(raw, forKey: .raw)
    }
}

/// A body as it can be kept (RSP-1): of a file only its length is, and it is expired when it comes back.
extension ResponseBody: Codable {
    private enum Key: String, CodingKey { case data, expiredFile }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if let data = try values.decodeIfPresent(Data.self, forKey: .data) {
            self = .data(data)
        } else if let count = try values.decodeIfPresent(Int.self, forKey: .expiredFile) {
            self = .file(.expired(count: count))
        } else {
            self = .none
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .none: break
        case .data(let data): try values.encode(data, forKey: .data)
        case .file(let file): try values.encode(file.count, forKey: .expiredFile)
        }
    }
}

extension TemporaryFile {
    /// A file that was there once: it can be neither read nor moved (ENOENT).
    static func expired(count: Int) -> TemporaryFile { TemporaryFile(path: "", count: count) }

    /// Whether it was decoded from a response that had been kept: the file isn't part of what is kept (RSP-1).
    package var isExpired: Bool { path.isEmpty }
}

/// When a server wants to be asked again (RFC 9110, section 10.2.3; RSP-4).
public struct RetryAfter: Sendable, Hashable, Codable {
    /// The field as it was received.
    package let rawValue: String
    /// Fixed when the value is made; `.distantFuture` when the field could not be read.
    public let date: Date

    /// - Parameter now: from when seconds count, on the wall clock.
    public init(_ rawValue: String, receivedAt now: Date) {
        self.rawValue = rawValue
        self.date = Self.date(rawValue, receivedAt: now) ?? .distantFuture
    }

    package var isValid: Bool { date != .distantFuture }

    /// Seconds from `now`, fewer as time passes, below zero when the time has come; infinite when the field could not be read.
    public func delay(from now: Date) -> TimeInterval {
        isValid ? date.timeIntervalSince(now) : .infinity
    }

    /// Decimal digits only, more than 2147483647 seconds taken for so many; or a date in any format that HTTP has. Of several numbers (several
    /// fields, joined) the largest.
    ///
    ///     "120"   "0001"   "5, 10"   "Sun, 06 Nov 1994 08:49:37 GMT"         nil: ""   "-1"   "0.5"
    package static func date(_ text: String, receivedAt now: Date) -> Date? {
        let numbers = text.split(separator: ", ", omittingEmptySubsequences: false)
        guard numbers.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }) else {
            return HTTPDate.parse(text, now: now)
        }
        return numbers.map { Int32($0) ?? .max }.max().map { now.addingTimeInterval(TimeInterval($0)) }
    }
}
