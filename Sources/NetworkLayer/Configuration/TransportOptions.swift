/// What a transport needs to know about one request besides the request itself.
public struct TransportOptions: Sendable, Hashable, Codable {
    /// HTTP/2 where the server has it over TLS, by default.
    public var httpVersion = HTTPVersionPreference.automatic
    /// Asks for a compressed response and decodes it: gzip, deflate, br and zstd, as far as the transport has them.
    public var acceptsCompression = true
    /// Servers are verified by the system's authorities, by default.
    public var tls = TLSOptions()
    /// `scheme://[user:password@]host:port`; schemes http, https, socks4, socks4a, socks5, socks5h. `""`: none, whatever the
    /// environment says. `nil`: the environment's `http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`.
    public var proxy: String?
    /// For the proxy, in place of what ``proxy`` has before its `@`.
    public var proxyCredential: Credential?
    /// Basic by default, which the proxy reads as it is unless TLS leads to it.
    public var proxyAuthentication = ProxyAuthentication.basic
    /// Hosts to reach without a proxy: names, which stand for those below them too, addresses and blocks of these; `*` for all. `nil`: the
    /// environment's `no_proxy`.
    public var noProxy: [String]? {
        get { wire.proxyExceptions?.split(separator: ",").map(String.init) }
        set { wire.proxyExceptions = newValue?.joined(separator: ",") }
    }
    /// `nil`: what the request's own header fields say.
    public var authentication: Authentication?
    /// `host:port:address` each, as curl's `--resolve`.
    public var resolve: [String] = []
    /// `host1:port1:host2:port2` each, as curl's `--connect-to`; an empty part stands for any, or for the same.
    public var connectTo: [String] = []
    /// The names of fields that the transport would add by itself, and is to leave out: `Accept`, `User-Agent`.
    public var omittedHeaders: [String] = []
    /// The path of a Unix socket to connect to instead of the URL's host.
    public var unixSocket: String?
    /// The interface, host name or address to connect from, as curl's `--interface`: `eth0`, `if!eth0`, `host!example.org`.
    public var interface: String?
    /// Waits for `100 Continue` before the body is sent (RFC 9110, section 10.1.1).
    public var expectsContinue = false
    /// Takes a connection from the pool, and leaves it there.
    public var reusesConnections = true
    /// The longest silence between two bytes, in whole seconds, rounded up; beyond it the attempt fails as after its timeout
    /// (TMO-2: TNL's `timeoutIntervalBetweenDataTransfer`). `nil`: the operation's own timeouts alone count.
    public var dataTimeout: Duration?
    /// The class of traffic in the packets' DSCP field; routers may ignore it.
    public var serviceType = NetworkServiceType.standard
    /// Connects by MPTCP (RFC 8684) where this machine has it, and by TCP where not.
    public var multipath = false
    /// Whether a request may go out when the default route is a modem's; the client's ``NetworkConditionsSource`` says. Where it may
    /// not, an attempt fails with `cellularNotAllowed`, also one that a stored answer would do for.
    public var allowsCellularAccess = true
    /// The address family, ports, rates, and other options that few requests need.
    package var wire = WireOptions()

    public init() {}

    /// The defaults, in one place of memory.
    static let standard = Shared(wrappedValue: TransportOptions())
}

public enum HTTPVersionPreference: String, Sendable, Hashable, Codable, CaseIterable {
    /// HTTP/2 where TLS negotiates it (ALPN), else HTTP/1.1.
    case automatic = "auto"
    /// HTTP/1.0, whose connections end with their answer unless the server keeps them.
    case http1_0 = "1.0"
    /// HTTP/1.1, also where TLS could negotiate HTTP/2.
    case http1 = "1.1"
    /// HTTP/2, over TLS as `automatic`.
    case http2 = "2"
    /// HTTP/2 without negotiation, also over plain TCP.
    case http2PriorKnowledge = "2-prior-knowledge"
    /// HTTP/3 (RFC 9114), raced with HTTP/2 and HTTP/1.1, which begin a little later. Only where the transport's library has QUIC.
    case http3 = "3"
    /// HTTP/3, or none.
    case http3Only = "3-only"
}

/// How the server is verified, and which certificate the client shows.
public struct TLSOptions: Sendable, Hashable, Codable {
    /// Checks the chain and the host name. Turning it off is per request, and shown wherever the request is shown.
    public var verifies = true
    /// A PEM file or a directory of hashed certificates instead of the system's.
    public var authorities: String?
    /// A file with our certificate, and its key unless ``key`` names that: PEM, PKCS#12 or DER, as it is. It is for the origin that
    /// the request was made for, and for another one only as ``RedirectConfiguration/keepCredentials`` allows.
    public var certificate: String?
    /// The file of the certificate's private key; `nil`: it is in ``certificate``.
    public var key: String?
    public var passphrase: Passphrase?
    /// `nil`: what OpenSSL is set to, TLS 1.2 on most systems. Below it the attempt fails in the handshake.
    public var minimumVersion: TLSVersion?
    /// `nil`: the newest there is.
    public var maximumVersion: TLSVersion?
    /// The groups for the exchange of keys to offer, in OpenSSL's names, by preference; empty: its own.
    public var curves: [String] = []
    /// A PEM file with lists of revoked certificates, one for each authority of the chain.
    public var revocations: String?
    /// The ciphers to offer, in OpenSSL's names and notation; empty: its own. Those of TLS 1.3 begin with `TLS_`, and the others are for
    /// older versions; of whichever there are none, the library's own are offered.
    public var ciphers: [String] = []
    /// What the server's own certificate must be, one of these, besides being trusted: `sha256//BASE64` for its public key, as curl has
    /// it, or `sha256/BASE64`, as OkHttp; or the path of a certificate, PEM or DER. Checked before a byte of the request is sent.
    public var pins: [String] = []
    /// More pins for some hosts, as OkHttp has them: `["*.example.org": ["sha256/BASE64"]]`. `*.` stands for one name before the rest,
    /// `**.` for any number, also for none.
    public var pinsByHost: [String: [String]] = [:]
    /// Name and password for TLS-SRP (RFC 5054), up to TLS 1.2; without ``ciphers`` those of SRP alone are offered. They are for the
    /// origin that the request was made for, as ``certificate`` is.
    public var srp: Credential?

    /// The system's authorities, no client certificate, no pins.
    public init() {}
}

extension TLSOptions {
    /// What a server of this name must show one of; none: anything that is trusted.
    func pins(of host: String) -> [String] {
        pinsByHost.reduce(into: pins) { pins, entry in
            let (pattern, ending) = (entry.key.lowercased(), entry.key.lowercased().drop { $0 == "*" })
            let names = host.hasSuffix(ending) ? host.dropLast(ending.count) : ""
            let fits =
                switch pattern.count - ending.count {
                case 0: host == pattern
                case 1: !names.isEmpty && !names.contains(".")
                default: !names.isEmpty || host == ending.dropFirst()
                }
            if fits { pins += entry.value }
        }
    }
}

/// The passphrase of a private key. No description shows it.
public struct Passphrase: Sendable, Hashable, Codable {
    /// The text itself: only for whoever opens the key.
    public var text: String

    public init(_ text: String) {
        self.text = text
    }
}

extension Passphrase: CustomStringConvertible, CustomReflectable {
    public var description: String { "<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

public enum TLSVersion: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// RFC 2246; deprecated by RFC 8996.
    case tls1_0 = "1.0"
    /// RFC 4346; deprecated by RFC 8996.
    case tls1_1 = "1.1"
    /// RFC 5246.
    case tls1_2 = "1.2"
    /// RFC 8446.
    case tls1_3 = "1.3"

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// What kind of traffic a request is, for the routers that forward its packets. TNL's `networkServiceType`, as the DSCP of its connection.
///
/// | type          | DSCP | name (RFC 4594, RFC 8622) |
/// |---------------|------|---------------------------|
/// | standard      | 0    | DF, best effort           |
/// | background    | 1    | LE, less than best effort |
/// | responsive    | 18   | AF21, low-latency data    |
/// | video         | 34   | AF41                      |
/// | signaling     | 40   | CS5                       |
/// | voice         | 46   | EF                        |
public enum NetworkServiceType: String, Sendable, Hashable, Codable, CaseIterable {
    /// The rows of the table above; the raw values are these names.
    case standard, background, responsive, video, signaling, voice

    /// The six bits of the field of that name (RFC 2474).
    package var dscp: Int32 {
        switch self {
        case .standard: 0
        case .background: 1
        case .responsive: 18
        case .video: 34
        case .signaling: 40
        case .voice: 46
        }
    }
}

/// Credentials for a scheme that one header field can't carry. Basic and Bearer need none of this: they are fields of the request. They
/// go to the origin that the request was made for; they go to another one only as ``RedirectConfiguration/keepCredentials`` allows, or
/// when a netrc file names that other host.
public enum Authentication: Sendable, Hashable, Codable {
    /// RFC 7616. The operation itself answers the server's challenge: the 401 is an attempt of its own, the answer the next.
    case digest(Credential)
    /// NTLM, spoken by the transport: three messages over one connection, HTTP/1.1 only.
    case ntlm(Credential)
    /// SPNEGO (RFC 4559), spoken by the transport with the Kerberos ticket of the user who runs the program; see `kinit`.
    case negotiate
    /// Amazon's signature, version 4: each request is signed just before it goes out, retries and redirect hops too.
    case awsSigV4(AWSSignature)
    /// Name and password for the URL's host from this netrc file, `~/.netrc` when `nil`; nothing for a host that it doesn't name.
    case netrc(file: String?)

    /// As people know it.
    var name: String {
        switch self {
        case .digest: "digest"
        case .ntlm: "NTLM"
        case .negotiate: "Negotiate"
        case .awsSigV4: "AWS signature"
        case .netrc: "netrc"
        }
    }
}

/// A name and its password. No description shows the password.
public struct Credential: Sendable, Hashable, Codable {
    /// May be empty.
    public var user: String
    /// It appears in no description and no log; encoding a credential writes it.
    public var password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// `user:password`, as curl's `-u` takes it: the first colon parts them.
    public init(_ text: some StringProtocol) {
        let halves = Substring(text).halves(at: ":")
        user = String(halves?.before ?? Substring(text))
        password = halves.map { String($0.behind) } ?? ""
    }
}

extension Credential: CustomStringConvertible, CustomReflectable {
    public var description: String { "\(user):<redacted>" }
    public var customMirror: Mirror { Mirror(self, children: ["user": user]) }
}

/// How the transport authenticates to a proxy.
public enum ProxyAuthentication: String, Sendable, Hashable, Codable, CaseIterable {
    /// Basic and Digest send the name and password, or prove them; NTLM and Negotiate (Kerberos) belong to one connection.
    case basic, digest, ntlm, negotiate
    /// The best of those that the proxy offers; costs a request without credentials.
    case any
}
