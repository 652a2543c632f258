import Base

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
