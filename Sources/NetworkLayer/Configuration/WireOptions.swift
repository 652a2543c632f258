package import HTTPTypes

/// Options of the connection, and of the bytes on it, that few requests need.
package struct WireOptions: Sendable, Hashable, Codable {
    package var addressFamily = AddressFamily.any
    /// The ports to connect from, the first that is free; `nil`: the system chooses.
    package var localPorts: ClosedRange<UInt16>?
    /// How long a connection is silent before TCP asks whether the other side is still there, and the time between two such questions; in
    /// whole seconds, rounded up. `nil`: TCP never asks.
    package var keepAlive: Duration?
    /// The most bytes a second, on average; `nil`: there is no limit.
    package var receiveRate: Int64?
    package var sendRate: Int64?
    /// Bytes in a second below which ``TransportOptions/dataTimeout`` counts; `nil`: 1, which is silence.
    package var leastRate: Int?
    /// What stands between method and version in place of the URL's path and query: `*` (RFC 9112, section 3.2).
    package var requestTarget: String?
    /// Hands the body out as it arrived, chunk framing and compression included.
    package var isRaw = false
    /// The request asks for another protocol on its connection (RFC 9110, section 7.8). Where the answer is 101, it is the final one: what
    /// follows it is ``RequestOperation/body``, what the body of the request hands out is sent as it is, and the operation goes on until
    /// ``RequestOperation/endSession(_:)``.
    package var upgrades = false
    package var tunnels = false
    /// Fields for an HTTP proxy alone. Without any, what the request has goes to it as well, except through a tunnel.
    package var proxyHeaders: HTTPFields = [:]
    /// Hosts to reach without a proxy, by commas: names, which stand for those below them too, addresses and blocks of these; `*` for
    /// all. `nil`: the environment's `no_proxy`.
    package var proxyExceptions: String?
    /// A SOCKS proxy on the way to ``TransportOptions/proxy``.
    package var preProxy: String?
    /// Whether ``TransportOptions/unixSocket`` is a name in Linux's abstract namespace instead of a path.
    package var isSocketAbstract = false
    /// How long ``TransportOptions/expectsContinue`` waits before the body is sent anyway. `nil`: libcurl's default, one second.
    package var continueTimeout: Duration?
    /// Path and query as they were written, where the request's URL can't hold them.
    package var spelling: URLSpelling?
    /// The DNS-over-HTTPS server (RFC 8484) that resolves host names, a URL with the scheme `https`; `nil`: the system resolves them.
    package var resolver: String?
    package var verifiesResolver = true
    /// Insists on an OCSP response for the certificate of ``resolver`` in the handshake.
    package var requiresResolverStatus = false
    /// A file in curl's form with the places that servers have named in `Alt-Svc` (RFC 7838): a request over TLS goes to such a place in
    /// the name of its own host, and what answers name is written to the file. An empty path keeps nothing; `nil`: they aren't minded.
    package var alternatives: String?
    /// Takes the end of the connection for the end of a body, whatever `Content-Length` says.
    package var ignoresLength = false
    /// The service that Negotiate asks a ticket for; `nil`: `HTTP`.
    package var serviceName: String?
    package var proxyServiceName: String?
    /// Whether a server gets a ticket by which it can act for us, with Negotiate.
    package var delegation = Delegation.none
    package var speaksHTTP10ToProxy = false
    /// Sends the request in the first segment of a connection (RFC 7413), where the system and the server support it.
    package var fastOpen = false
    /// Begins a connection with a line that names the client, as load balancers do (version 1 of the PROXY protocol).
    package var announcesAddress = false
    /// How much earlier IPv6 is tried than IPv4; `nil`: libcurl's 200 ms.
    package var addressDelay: Duration?
    /// Whether a TLS handshake offers versions of HTTP. Without that a server speaks HTTP/1.1.
    package var negotiatesProtocol = true
    /// Asks for a body that is compressed on the way (`TE: gzip`), and decodes it.
    package var asksForTransferCoding = false
    /// Insists on an OCSP response for the server's certificate in the handshake (RFC 6066, section 8).
    package var requiresStatus = false
    /// How TLS is spoken with a proxy over HTTPS; `nil`: with the system's authorities.
    package var proxyTLS: TLSOptions?
    /// A file to which every byte that is sent or received is written, before TLS encrypts and after it decrypts.
    package var trace: WireTrace?

    package init() {}

    /// Whom Negotiate lets act for us.
    package enum Delegation: String, Sendable, Hashable, Codable, CaseIterable {
        /// Nobody.
        case none
        /// Servers that the realm marks as trusted for it.
        case policy
        /// Every server.
        case always
    }

    package enum AddressFamily: String, Sendable, Hashable, Codable, CaseIterable {
        /// Whichever answers first, or addresses of this version only.
        case any, ipv4, ipv6
    }
}

/// A URL's path and query in other characters than Foundation keeps, such as brackets.
///
/// It counts for that URL alone, and not for what a redirect leads to.
package struct URLSpelling: Sendable, Hashable, Codable {
    package var url: String
    /// Path and query: printable ASCII that begins with a slash or a question mark.
    package var target: String

    /// A spelling for one URL: a redirect to another one doesn't take it along.
    package init(url: String, target: String) {
        self.url = url
        self.target = target
    }
}

/// Where the bytes of a transfer are written, secrets included, in the form of curl's `--trace` and `--trace-ascii`.
package struct WireTrace: Sendable, Hashable, Codable {
    /// What is written goes to its end. A file that isn't there yet is made for its owner alone.
    package var path: String
    /// Without the bytes in hexadecimal digits.
    package var isText = false
    /// Each entry says when, in local time.
    package var showsTime = false

    /// Into the file at `path`; it is opened, or made, when the first transfer begins.
    package init(path: String, isText: Bool = false, showsTime: Bool = false) {
        self.path = path
        self.isText = isText
        self.showsTime = showsTime
    }
}
