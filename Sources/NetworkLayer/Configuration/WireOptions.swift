public import HTTPTypes

/// What only few requests have to say of their connection, and of the bytes on it.
public struct WireOptions: Sendable, Hashable, Codable {
    /// Which addresses of a host are tried.
    public var addressFamily = AddressFamily.any
    /// The ports to connect from, the first that is free; `nil`: the system chooses.
    public var localPorts: ClosedRange<UInt16>?
    /// How long a connection is silent before TCP asks whether the other side is still there, and between two such questions; in whole
    /// seconds, rounded up. `nil`: it never asks.
    public var keepAlive: Duration?
    /// Bytes in a second, on average; `nil`: as many as there can be.
    public var receiveRate: Int64?
    /// As ``receiveRate``, for what goes out.
    public var sendRate: Int64?
    /// Bytes in a second below which ``TransportOptions/dataTimeout`` counts; `nil`: 1, which is silence.
    public var leastRate: Int?
    /// What stands between method and version in place of the URL's path and query: `*` (RFC 9112, section 3.2).
    public var requestTarget: String?
    /// Hands the body out as it came, with the framing of its chunks and as it was compressed.
    public var isRaw = false
    /// Goes through an HTTP proxy by CONNECT with http, too.
    public var tunnels = false
    /// Fields for an HTTP proxy alone. Without any, what the request has goes to it as well, except through a tunnel.
    public var proxyHeaders: HTTPFields = [:]
    /// Hosts to reach without a proxy, by commas: names, which stand for those below them too, addresses and blocks of these; `*` for
    /// all. `nil`: the environment's `no_proxy`.
    public var proxyExceptions: String?
    /// A SOCKS proxy on the way to ``TransportOptions/proxy``.
    public var preProxy: String?
    /// Whether ``TransportOptions/unixSocket`` is a name of Linux' abstract namespace, and no path.
    public var isSocketAbstract = false
    /// How long ``TransportOptions/expectsContinue`` waits before the body is sent all the same. `nil`: libcurl's second.
    public var continueTimeout: Duration?

    /// Nothing out of the ordinary.
    public init() {}

    /// A version of IP.
    public enum AddressFamily: String, Sendable, Hashable, Codable, CaseIterable {
        case any, ipv4, ipv6
    }
}
