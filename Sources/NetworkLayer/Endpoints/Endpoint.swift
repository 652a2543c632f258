public import Base
public import HTTPTypes

/// The calls of an API, usually the cases of an enum. TermiNetwork's `EndpointProtocol` (TN-2).
///
///     enum Orders: Endpoint {
///         case list(page: Int64)
///         case create(sku: String)
///
///         var call: EndpointCall {
///             switch self {
///             case .list(let page): EndpointCall(.get, "orders", parameters: ["page": .integer(page)])
///             case .create(let sku): EndpointCall(.post, "orders", parameters: ["sku": .text(sku)])
///             }
///         }
///     }
public protocol Endpoint: Sendable {
    /// Asked for once for each request.
    var call: EndpointCall { get }
}

/// One call of an API, as far as the API says it; an ``EndpointClient`` makes a ``Request`` of it.
public struct EndpointCall: Sendable, Hashable {
    /// The request's method. GET and HEAD carry their parameters in the query.
    public var method: HTTPRequest.Method
    /// Below the environment, or anywhere.
    public var location: Location
    /// What is sent with it: parameters, a form with files, or a body.
    public var content: Content
    /// Beat the fields of the same names that the configurations have.
    public var headers: HTTPFields
    /// Beats those of the client and the environment.
    public var configuration: EndpointConfiguration

    /// A call to anywhere, without parameters unless they are given.
    public init(
        _ method: HTTPRequest.Method, at location: Location, content: Content = .parameters([:]), headers: HTTPFields = [:],
        configuration: EndpointConfiguration = .init()
    ) {
        self.method = method
        self.location = location
        self.content = content
        self.headers = headers
        self.configuration = configuration
    }

    /// - Parameter path: the parts of the path below the environment; each is percent-encoded, a slash in it too.
    public init(
        _ method: HTTPRequest.Method, _ path: String..., parameters: [String: PlainValue] = [:], headers: HTTPFields = [:],
        configuration: EndpointConfiguration = .init()
    ) {
        self.init(method, at: .path(path), content: .parameters(parameters), headers: headers, configuration: configuration)
    }

    /// Where it goes (TN-3).
    public enum Location: Sendable, Hashable {
        /// Below the environment.
        case path([String])
        /// Anywhere; no environment is needed.
        case url(URL)
    }

    /// What a call sends.
    public enum Content: Sendable, Hashable {
        /// In the query with GET and HEAD, in the body with any other method; what is `null` is left out (TN-5).
        case parameters([String: PlainValue])
        /// A form with files (TN-13); its content type is set.
        case multipart(MultipartBody)
        /// As it is. The code that makes the body knows its content type.
        case body(RequestBody, contentType: String?)
        /// There is none to send: making the request throws this.
        case refused(NetworkError)
    }
}

extension EndpointCall {
    /// The request of this call.
    ///
    /// - Parameter configuration: all levels, this call's included.
    func request(in environment: Environment?, configuration: EndpointConfiguration) throws(NetworkError) -> Request {
        var request = Request(url: try url(in: environment), method: method, headers: headers.merged(over: configuration.headers))
        switch content {
        case .refused(let error):
            throw error
        case .multipart(let form):
            request.body = form.body
            request.headers[.contentType] = form.contentType
        case .body(let body, let contentType):
            request.body = body
            if let contentType, !request.headers.contains(.contentType) { request.headers[.contentType] = contentType }
        case .parameters(let parameters):
            let parameters = parameters.filter { $0.value != .null }
            guard !parameters.isEmpty else { break }
            if method == .get || method == .head {
                request.url = request.url.adding(parameters.mapValues { $0 as (any URLEncodable)? })
            } else {
                try Self.setBody(to: parameters, as: configuration.bodyFormat ?? .form, of: &request)
            }
        }
        return request
    }

    private func url(in environment: Environment?) throws(NetworkError) -> URL {
        switch location {
        case .url(let url): return url
        case .path(let parts):
            let path = parts.map { "/" + URLCoding.percentEncoded($0) }.joined()
            guard let environment else {
                throw NetworkError(
                    .environmentNotSet, phase: .preparation, type: ErrorType.environmentNotSet,
                    message: "\(path.isEmpty ? "/" : path) is a path below an environment, and there is none: give the client one.")
            }
            let text = environment.text + path
            guard let url = URL(international: text), url.isRequestable else {
                throw NetworkError(
                    .invalidURL, phase: .preparation, type: ErrorType.invalidURL,
                    message: "\"\(text)\" can't be requested: look at the environment's scheme, host and port.")
            }
            return url
        }
    }

    private static func setBody(
        to parameters: [String: PlainValue], as format: EndpointConfiguration.BodyFormat, of request: inout Request
    ) throws(NetworkError) {
        let (text, type) =
            switch format {
            case .form: (URLCoding.form(parameters.mapValues { $0 as (any URLEncodable)? }), "application/x-www-form-urlencoded")
            case .json: (try json(parameters), "application/json")
            }
        request.body = .data(Data(text.utf8))
        if !request.headers.contains(.contentType) { request.headers[.contentType] = type }
    }

    private static func json(_ parameters: [String: PlainValue]) throws(NetworkError) -> String {
        guard let text = PlainValue.object(parameters).json else {
            throw .invalidParameters("A number among the parameters is infinite or none, and JSON can't say that.")
        }
        return text
    }
}

/// Where the endpoints of an API live: `scheme://host[:port][/path]`. TermiNetwork's `Environment` (TN-1).
///
///     enum Environments {
///         static let staging = Environment(scheme: "https", host: "staging.example.org", path: ["v2"])
///         static let local = Environment(scheme: "http", host: "localhost", port: 8080, path: ["v2"])
///     }
///     let named = try Environment("http://localhost:8080/v2")
///
/// There is no global one that could change under a request: an ``EndpointClient`` has its own.
public struct Environment: Sendable, Hashable {
    /// `http` or `https`.
    public var scheme: String
    /// A name or an address, one of IPv6 without its brackets.
    public var host: String
    /// `nil`: the scheme's own.
    public var port: Int?
    /// What all paths begin with; not percent-encoded.
    public var path: [String]
    /// Takes precedence over the library's defaults, but not over the configurations of the client and the endpoint.
    public var configuration: EndpointConfiguration

    /// `https://host` unless more is said; nothing is checked until a call is made: then code `invalidURL`.
    public init(
        scheme: String = "https", host: String, port: Int? = nil, path: [String] = [],
        configuration: EndpointConfiguration = .init()
    ) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.path = path
        self.configuration = configuration
    }

    /// - Parameter text: a URL without query and fragment.
    public init(_ text: String, configuration: EndpointConfiguration = .init()) throws(NetworkError) {
        guard let url = URL(international: text), url.isRequestable, url.query() == nil, url.fragment() == nil, let host = url.host
        else {
            throw NetworkError(
                .invalidURL, phase: .preparation, type: ErrorType.invalidURL,
                message: "\"\(text)\" is no environment: write scheme://host[:port][/path].")
        }
        self.init(
            scheme: url.scheme ?? "http", host: host, port: url.port, path: url.pathComponents.filter { $0 != "/" },
            configuration: configuration)
    }

    /// The text of its URL, without a slash at the end.
    public var text: String {
        let host = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        let path = path.map { "/" + URLCoding.percentEncoded($0) }.joined()
        return "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")\(path)"
    }
}
