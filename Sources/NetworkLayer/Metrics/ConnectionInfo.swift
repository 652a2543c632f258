public import Base

/// The connection an attempt went over.
public struct ConnectionInfo: Sendable, Hashable, Codable {
    /// Counts the connections of the transport from 1.
    public var id: Int
    /// Whether an earlier transfer had opened it.
    public var isReused: Bool
    /// `address:port`, IPv6 in brackets; the path, for a Unix socket.
    public var localAddress: String
    /// With its port; of a proxy where there is one.
    public var remoteAddress: String
    /// `HTTP/1.1`, `HTTP/2` …, as far as it is known when the connection is ready.
    public var httpVersion: String?
    /// The proxy's `scheme://host:port`, without credentials.
    public var proxy: String?

    /// A connection without a proxy, unless one is given.
    public init(
        id: Int, isReused: Bool, localAddress: String, remoteAddress: String, httpVersion: String? = nil, proxy: String? = nil
    ) {
        self.id = id
        self.isReused = isReused
        self.localAddress = localAddress
        self.remoteAddress = remoteAddress
        self.httpVersion = httpVersion
        self.proxy = proxy
    }
}

/// What TLS negotiated, and whom it showed.
public struct TLSInfo: Sendable, Hashable, Codable {
    /// `TLSv1.3` …; `nil` when the handshake did not get that far.
    public var version: String?
    /// In OpenSSL's names: `TLS_AES_256_GCM_SHA384`.
    public var cipher: String?
    /// The protocol chosen by ALPN: `h2`, `http/1.1`.
    public var applicationProtocol: String?
    /// The server's certificates, its own first.
    public var chain: [Certificate]
    /// Why the chain was not accepted, in OpenSSL's words; `nil` when it was, or wasn't checked.
    public var verificationFailure: String?
    /// Whether the chain was checked at all.
    public var isVerified: Bool
    /// The number of OpenSSL's first objection, 0 for none, also where nobody minds it; `nil` when the handshake did not get that far.
    public var verifyResult: Int?

    /// What is known of a handshake; it counts as verified unless the caller says otherwise.
    public init(
        version: String? = nil, cipher: String? = nil, applicationProtocol: String? = nil, chain: [Certificate] = [],
        verificationFailure: String? = nil, isVerified: Bool = true, verifyResult: Int? = nil
    ) {
        self.version = version
        self.cipher = cipher
        self.applicationProtocol = applicationProtocol
        self.chain = chain
        self.verificationFailure = verificationFailure
        self.isVerified = isVerified
        self.verifyResult = verifyResult
    }
}

/// What a certificate says of itself (RFC 5280).
public struct Certificate: Sendable, Hashable, Codable {
    /// A distinguished name: `CN=birds.example`.
    public var subject: String
    /// The distinguished name of whoever signed it.
    public var issuer: String
    /// In hexadecimal digits.
    public var serialNumber: String
    /// Not valid earlier.
    public var notBefore: Date
    /// Not valid later.
    public var notAfter: Date
    /// `DNS:example.org`, `IP:127.0.0.1` …
    public var alternativeNames: [String]
    /// `RSA 2048`, `EC P-256` …
    public var publicKey: String
    /// What its issuer signed it with, `RSA with SHA-256`, `ECDSA with SHA-384` …, or its object identifier; empty where it isn't known.
    public var signatureAlgorithm: String
    /// Hexadecimal, of the DER form.
    public var sha256: String
    /// The certificate itself (X.690).
    public var der: Data
    /// The SHA-256 of its public key in base64, as ``TLSOptions/pins`` takes it behind `sha256//`; `nil` where it isn't known, which is
    /// so of all but a server's own certificate.
    public var publicKeySHA256: String?

    /// A certificate of which at least the first five are known.
    public init(
        subject: String, issuer: String, serialNumber: String, notBefore: Date, notAfter: Date, alternativeNames: [String] = [],
        publicKey: String = "", signatureAlgorithm: String = "", sha256: String = "", der: Data = Data(),
        publicKeySHA256: String? = nil
    ) {
        self.subject = subject
        self.issuer = issuer
        self.serialNumber = serialNumber
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.alternativeNames = alternativeNames
        self.publicKey = publicKey
        self.signatureAlgorithm = signatureAlgorithm
        self.sha256 = sha256
        self.der = der
        self.publicKeySHA256 = publicKeySHA256
    }
}
