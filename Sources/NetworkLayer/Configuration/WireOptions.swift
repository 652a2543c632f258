public import HTTPTypes

/// Options of the connection, and of the bytes on it, that few requests need.
public struct WireOptions: Sendable, Hashable, Codable {
    /// Which addresses of a host are tried.
    public var addressFamily = AddressFamily.any
    /// The ports to connect from, the first that is free; `nil`: the system chooses.
    public var localPorts: ClosedRange<UInt16>?
    /// How long a connection is silent before TCP asks whether the other side is still there, and the time between two such questions; in
    /// whole seconds, rounded up. `nil`: TCP never asks.
    public var keepAlive: Duration?
    /// The most bytes a second, on average; `nil`: there is no limit.
    public var receiveRate: Int64?
    /// The same limit for what is sent.
    public var sendRate: Int64?
    /// Bytes in a second below which ``TransportOptions/dataTimeout`` counts; `nil`: 1, which is silence.
    public var leastRate: Int?
    /// What stands between method and version in place of the URL's path and query: `*` (RFC 9112, section 3.2).
    public var requestTarget: String?
    /// Hands the body out as it arrived, chunk framing and compression included.
    public var isRaw = false
    /// Tunnels through an HTTP proxy with CONNECT for http URLs, too.
    public var tunnels = false
    /// Fields for an HTTP proxy alone. Without any, what the request has goes to it as well, except through a tunnel.
    public var proxyHeaders: HTTPFields = [:]
    /// Hosts to reach without a proxy, by commas: names, which stand for those below them too, addresses and blocks of these; `*` for
    /// all. `nil`: the environment's `no_proxy`.
    public var proxyExceptions: String?
    /// A SOCKS proxy on the way to ``TransportOptions/proxy``.
    public var preProxy: String?
    /// Whether ``TransportOptions/unixSocket`` is a name in Linux's abstract namespace instead of a path.
    public var isSocketAbstract = false
    /// How long ``TransportOptions/expectsContinue`` waits before the body is sent anyway. `nil`: libcurl's default, one second.
    public var continueTimeout: Duration?
    /// Path and query as they were written, where the request's URL can't hold them.
    public var spelling: URLSpelling?
    /// The DNS-over-HTTPS server (RFC 8484) that resolves host names, a URL with the scheme `https`; `nil`: the system resolves them.
    public var resolver: String?
    /// Whether the certificate of ``resolver`` is checked.
    public var verifiesResolver = true
    /// Insists on an OCSP response for the certificate of ``resolver`` in the handshake.
    public var requiresResolverStatus = false
    /// A file in curl's form with the places that servers have named in `Alt-Svc` (RFC 7838): a request over TLS goes to such a place in
    /// the name of its own host, and what answers name is written to the file. An empty path keeps nothing; `nil`: they aren't minded.
    public var alternatives: String?
    /// Takes the end of the connection for the end of a body, whatever `Content-Length` says.
    public var ignoresLength = false
    /// The service that Negotiate asks a ticket for; `nil`: `HTTP`.
    public var serviceName: String?
    /// As ``serviceName``, for a proxy.
    public var proxyServiceName: String?
    /// Whether a server gets a ticket by which it can act for us, with Negotiate.
    public var delegation = Delegation.none
    /// Speaks HTTP/1.0 to an HTTP proxy.
    public var speaksHTTP10ToProxy = false
    /// Sends the request in the first segment of a connection (RFC 7413), where the system and the server support it.
    public var fastOpen = false
    /// Begins a connection with a line that names the client, as load balancers do (version 1 of the PROXY protocol).
    public var announcesAddress = false
    /// How much earlier IPv6 is tried than IPv4; `nil`: libcurl's 200 ms.
    public var addressDelay: Duration?
    /// Whether a TLS handshake offers versions of HTTP. Without that a server speaks HTTP/1.1.
    public var negotiatesProtocol = true
    /// Asks for a body that is compressed on the way (`TE: gzip`), and decodes it.
    public var asksForTransferCoding = false
    /// Insists on an OCSP response for the server's certificate in the handshake (RFC 6066, section 8).
    public var requiresStatus = false
    /// How TLS is spoken with a proxy over HTTPS; `nil`: with the system's authorities.
    public var proxyTLS: TLSOptions?
    /// A file to which every byte that is sent or received is written, before TLS encrypts and after it decrypts.
    public var trace: WireTrace?

    /// The defaults.
    public init() {}

    /// Whom Negotiate lets act for us.
    public enum Delegation: String, Sendable, Hashable, Codable, CaseIterable {
        /// Nobody.
        case none
        /// Servers that the realm marks as trusted for it.
        case policy
        /// Every server.
        case always
    }

    /// A version of IP.
    public enum AddressFamily: String, Sendable, Hashable, Codable, CaseIterable {
        /// Whichever answers first, or addresses of this version only.
        case any, ipv4, ipv6
    }
}

/// A URL's path and query in other characters than Foundation keeps, such as brackets.
///
/// It counts for that URL alone, and not for what a redirect leads to.
public struct URLSpelling: Sendable, Hashable, Codable {
    /// The request's, as its `absoluteString`.
    public var url: String
    /// Path and query: printable ASCII that begins with a slash or a question mark.
    public var target: String

    /// A spelling for one URL: a redirect to another one doesn't take it along.
    public init(url: String, target: String) {
        self.url = url
        self.target = target
    }
}

/// Where the bytes of a transfer are written, secrets included, in the form of curl's `--trace` and `--trace-ascii`.
public struct WireTrace: Sendable, Hashable, Codable {
    /// What is written goes to its end. A file that isn't there yet is made for its owner alone.
    public var path: String
    /// Without the bytes in hexadecimal digits.
    public var isText = false
    /// Each entry says when, in local time.
    public var showsTime = false

    /// Into the file at `path`; it is opened, or made, when the first transfer begins.
    public init(path: String, isText: Bool = false, showsTime: Bool = false) {
        self.path = path
        self.isText = isText
        self.showsTime = showsTime
    }
}
