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
