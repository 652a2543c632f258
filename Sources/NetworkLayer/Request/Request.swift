public import Base
public import HTTPTypes

/// What is sent: a URL, a method, header fields and a body. TNL's `TNLRequest`.
///
/// The same type stands for the request as the caller wrote it (``RequestOperation/originalRequest``) and for the request
/// of one attempt, after preparation and redirects (``AttemptMetrics/request``).
///
/// A value behind a reference: an operation hands its request on at every step, and each copy costs one retain.
public struct Request: Sendable {
    private var storage: Storage

    /// - Parameter url: checked when the request is sent: code `invalidURL`.
    public init(url: URL, method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: RequestBody = .none) {
        storage = Storage(url: url, method: method, headers: headers, body: body)
    }

    /// Absolute, `http` or `https`; a fragment isn't sent.
    public var url: URL {
        get { storage.url }
        _modify { yield &own().url }
    }

    /// Any token (RFC 9110, section 9.1).
    public var method: HTTPRequest.Method {
        get { storage.method }
        _modify { yield &own().method }
    }

    /// Ordered, repeatable, case-insensitive. A field whose value is empty is sent empty.
    public var headers: HTTPFields {
        get { storage.headers }
        _modify { yield &own().headers }
    }

    /// Its `Content-Length` is set when it is sent; its type is for ``content`` to set.
    public var body: RequestBody {
        get { storage.body }
        _modify { yield &own().body }
    }

    /// Which parts of it are secret, and where they may go.
    package var secrets: RequestSecrets {
        get { storage.secrets }
        _modify { yield &own().secrets }
    }

    /// The parts, which nobody else sees until the next copy.
    private mutating func own() -> Storage {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage) }
        return storage
    }

    /// Sendable, unchecked: changed only while one request alone refers to it.
    private final class Storage: @unchecked Sendable {
        var url: URL
        var method: HTTPRequest.Method
        var headers: HTTPFields
        var body: RequestBody
        var secrets = RequestSecrets()

        init(url: URL, method: HTTPRequest.Method, headers: HTTPFields, body: RequestBody) {
            self.url = url
            self.method = method
            self.headers = headers
            self.body = body
        }

        convenience init(_ other: Storage) {
            self.init(url: other.url, method: other.method, headers: other.headers, body: other.body)
            secrets = other.secrets
        }

        func isSame(as other: Storage) -> Bool {
            self === other
                || (url == other.url && method == other.method && headers == other.headers && body == other.body
                    && secrets == other.secrets)
        }
    }
}

extension Request: Hashable {
    public static func == (left: Self, right: Self) -> Bool { left.storage.isSame(as: right.storage) }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(method)
        hasher.combine(headers)
        hasher.combine(body)
    }
}

extension Request {
    /// A request that says nothing yet, for an operation whose ``RequestHydrator`` makes the whole of it. Without one, or when it makes
    /// nothing, the operation fails with `requestNotProvided`.
    ///
    ///     queue.enqueue(.madeByHydrator, delegate: RequestDelegate(hydrator: signedUpload))
    public static let madeByHydrator = Request(url: blank)

    private static let blank = URL(string: "about:blank")!

    var isMadeByHydrator: Bool { url == Self.blank }
}

/// Any type of a program's own that stands for a request. Only ``url`` is required (REQ-1); TNL's protocol `TNLRequest`.
///
///     struct Search: RequestConvertible {
///         var words: String
///         var url: URL { Request.get("https://api.example.org/search", query: ["q": words]).url }
///     }
///
///     let operation = queue.enqueue(Search(words: "turnstone"))
///     let search = operation.source as? Search
///
/// Its parts are read once, when the operation is made. Where a part isn't known yet, or takes a while, a hydrator fills it in just
/// before the request is sent.
public protocol RequestConvertible: Sendable {
    /// Absolute, `http` or `https`.
    var url: URL { get }
    /// GET by default.
    var method: HTTPRequest.Method { get }
    /// None by default.
    var headers: HTTPFields { get }
    /// None by default.
    var body: RequestBody { get }
}

extension RequestConvertible {
    public var method: HTTPRequest.Method { .get }
    public var headers: HTTPFields { [:] }
    public var body: RequestBody { .none }
}

extension Request: RequestConvertible {
    /// The parts of `request`, at this moment (REQ-2).
    public init(_ request: some RequestConvertible) {
        self.init(url: request.url, method: request.method, headers: request.headers, body: request.body)
    }

    /// The request of HTTPTypes, which has no body of its own (REQ-3). Its URL is made of its scheme, authority and path.
    public init(_ request: HTTPRequest, body: RequestBody = .none) throws(NetworkError) {
        let text = "\(request.scheme ?? "")://\(request.authority ?? "")\(request.path ?? "/")"
        guard let url = URL(international: text), url.isRequestable else {
            throw NetworkError(
                .invalidURL, phase: .preparation, type: ErrorType.invalidURL,
                message: "\"\(text)\" can't be requested: give the HTTPRequest a scheme of http or https, an authority and a path.")
        }
        self.init(url: url, method: request.method, headers: request.headerFields, body: body)
    }
}

extension RequestBody {
    /// The first of the bodies that may be there: bytes, then a file, then a stream (REQ-1).
    package init(data: Data?, file path: String? = nil, stream: RequestBodyStream? = nil) {
        if let data {
            self = .data(data)
        } else if let path {
            self = .file(path: path)
        } else if let stream {
            self = .stream(stream)
        } else {
            self = .none
        }
    }
}

/// A request as it can be kept (RSP-1): bytes and paths stay; of a stream only its length does, and it can't be sent again.
extension Request: Codable {
    private enum Key: String, CodingKey { case url, method, headers, body }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let method = try values.decode(String.self, forKey: .method)
        guard let method = HTTPRequest.Method(method) else {
            throw DecodingError.dataCorruptedError(forKey: .method, in: values, debugDescription: "\"\(method)\" is no method")
        }
        self.init(
            url: try values.decode(URL.self, forKey: .url), method: method,
            headers: try values.decode(HTTPFields.self, forKey: .headers),
            body: try values.decodeIfPresent(RequestBody.self, forKey: .body) ?? .none)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(url, forKey: .url)
        try values.encode(method.rawValue, forKey: .method)
        try values.encode(headers, forKey: .headers)
        if body != .none { try values.encode(body, forKey: .body) }
    }
}

extension RequestBody: Codable {
    private enum Key: String, CodingKey { case data, file, stream, length }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        if values.contains(.stream) {
            self = .stream(.expired(length: try values.decodeIfPresent(Int64.self, forKey: .length)))
        } else {
            self.init(
                data: try values.decodeIfPresent(Data.self, forKey: .data),
                file: try values.decodeIfPresent(String.self, forKey: .file))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        switch self {
        case .none: break
        case .data(let data): try values.encode(data, forKey: .data)
        case .file(let file): try values.encode(file.path, forKey: .file)
        case .stream(let stream):
            try values.encode(true, forKey: .stream)
            try values.encodeIfPresent(stream.length, forKey: .length)
        }
    }
}

extension RequestBodyStream {
    /// The stream of a request that was kept: its bytes are gone.
    static func expired(length: Int64?) -> RequestBodyStream {
        RequestBodyStream(length: length, isReplayable: false) {
            throw NetworkError(
                .bodyReadFailed, phase: .request, type: "http.request.body.expired",
                message: "The body of this request was a stream, and only its length was kept. Make the request anew with its body."
            )
        }
    }
}

extension Request: CustomStringConvertible, CustomReflectable {
    /// `GET https://birds.example/knot?…`: neither the values of its query nor a password, its host alone where it has
    /// ``RequestSecrets``. A log in full is ``LogObserver``'s, a command is ``CurlCommand``'s.
    public var description: String {
        guard secrets.uses.isEmpty, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return target }
        let hasQuery = parts.percentEncodedQuery != nil
        (parts.user, parts.password, parts.percentEncodedQuery, parts.fragment) = (nil, nil, nil, nil)
        return "\(method.rawValue) \(parts.string ?? target)\(hasQuery ? "?…" : "")"
    }

    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Response: CustomStringConvertible {
    /// `200 OK, 149 bytes, to GET https://birds.example/knot`, or the sentence of its error.
    public var description: String {
        let error = error.map { "\($0.message) " } ?? ""
        guard let info else { return "\(error)No answer to \(originalRequest)" }
        let status = info.head.status
        return "\(error)\(status.code) \(status.reasonPhrase), \(info.body.count) bytes, to \(info.finalRequest)"
    }
}
