public import Base
public import HTTPTypes

/// Any type of a program's own that stands for a request. Only ``url`` is required (REQ-1); TNL's protocol `TNLRequest`.
///
///     struct Search: RequestConvertible {
///         var words: String
///         var url: URL { URL(string: "https://api.example.org/search?q=\(URLCoding.percentEncoded(words))")! }
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
    public init(data: Data?, file path: String? = nil, stream: RequestBodyStream? = nil) {
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
