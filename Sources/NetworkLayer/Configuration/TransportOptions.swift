/// What a transport needs to know of one request besides the request.
public struct TransportOptions: Sendable, Hashable, Codable {
    public var httpVersion = HTTPVersionPreference.automatic
    /// Asks for a compressed response and decodes it: gzip, deflate, br and zstd, as far as the transport has them.
    public var acceptsCompression = true
    public var tls = TLSOptions()
    /// `scheme://[user:password@]host:port`; schemes http, https, socks4, socks4a, socks5, socks5h. `""`: none, whatever the
    /// environment says. `nil`: the environment's `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`.
    public var proxy: String?
    /// `host:port:address` each, as curl's `--resolve`.
    public var resolve: [String] = []
    /// The path of a Unix socket to connect to instead of the URL's host.
    public var unixSocket: String?
    /// Waits for `100 Continue` before the body is sent (RFC 9110, section 10.1.1).
    public var expectsContinue = false
    /// Takes a connection from the pool, and leaves it there.
    public var reusesConnections = true

    public init() {}
}

/// The HTTP version to ask for.
public enum HTTPVersionPreference: String, Sendable, Hashable, Codable, CaseIterable {
    /// HTTP/2 where TLS negotiates it (ALPN), else HTTP/1.1.
    case automatic = "auto"
    case http1 = "1.1"
    /// HTTP/2, over TLS as `automatic`.
    case http2 = "2"
    /// HTTP/2 without negotiation, also over plain TCP.
    case http2PriorKnowledge = "2-prior-knowledge"
}

/// How a server is trusted, and how we show who we are.
public struct TLSOptions: Sendable, Hashable, Codable {
    /// Checks the chain and the host name. Turning it off is per request, and shown wherever the request is shown.
    public var verifies = true
    /// A PEM file or a directory of hashed certificates instead of the system's.
    public var authorities: String?
    /// A PEM file with our certificate, and its key unless ``key`` names that.
    public var certificate: String?
    public var key: String?
    public var minimumVersion: TLSVersion?
    /// Public key pins as curl takes them: `sha256//BASE64`.
    public var pins: [String] = []

    public init() {}
}

/// A version of TLS.
public enum TLSVersion: String, Sendable, Hashable, Codable, CaseIterable {
    case tls1_0 = "1.0"
    case tls1_1 = "1.1"
    case tls1_2 = "1.2"
    case tls1_3 = "1.3"
}
