public import Base

/// The connection an attempt went over.
public struct ConnectionInfo: Sendable, Hashable, Codable {
    /// Counts the connections of the transport from 1.
    package var id: Int
    /// Whether an earlier transfer had opened it.
    public package(set) var isReused: Bool
    /// `address:port`, IPv6 in brackets; the path, for a Unix socket.
    public package(set) var localAddress: String
    /// With its port; of a proxy where there is one.
    public package(set) var remoteAddress: String
    /// `HTTP/1.1`, `HTTP/2` …, as far as it is known when the connection is ready.
    public package(set) var httpVersion: String?
    /// The proxy's `scheme://host:port`, without credentials.
    public package(set) var proxy: String?

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

extension ConnectionInfo {
    /// Its part of ``OperationMetrics/exchangeNumbers(_:)``: its number, and the local port.
    mutating func exchangeNumbers(_ exchange: (inout Int64) -> Void) {
        var number = Int64(id)
        exchange(&number)
        id = Int(number)
        guard let colon = localAddress.utf8.lastIndex(of: UInt8(ascii: ":")),
            var port = UInt16(localAddress[colon...].dropFirst()).map(Int64.init), localAddress.hasSuffix(":\(port)")
        else { return }
        exchange(&port)
        localAddress = "\(localAddress[...colon])\(port)"
    }
}

/// What TLS negotiated, and whom it showed.
public struct TLSInfo: Sendable, Hashable, Codable {
    /// `TLSv1.3` …; `nil` when the handshake did not get that far.
    public package(set) var version: String?
    /// In OpenSSL's names: `TLS_AES_256_GCM_SHA384`.
    public package(set) var cipher: String?
    /// The protocol chosen by ALPN: `h2`, `http/1.1`.
    package var applicationProtocol: String?
    /// The server's certificates, its own first.
    public package(set) var chain: [Certificate]
    /// Why the chain was not accepted, in OpenSSL's words; `nil` when it was, or wasn't checked.
    public package(set) var verificationFailure: String?
    public package(set) var isVerified: Bool
    /// The number of OpenSSL's first objection, 0 for none, also where nobody minds it; `nil` when the handshake did not get that far.
    package var verifyResult: Int?

    /// What is known of a handshake; it counts as verified unless the caller says otherwise.
    package init(
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
    public package(set) var subject: String
    /// The distinguished name of whoever signed it.
    public package(set) var issuer: String
    /// In hexadecimal digits.
    package var serialNumber: String
    public package(set) var notBefore: Date
    public package(set) var notAfter: Date
    /// `DNS:example.org`, `IP:127.0.0.1` …
    package var alternativeNames: [String]
    /// `RSA 2048`, `EC P-256` …
    package var publicKey: String
    /// What its issuer signed it with, `RSA with SHA-256`, `ECDSA with SHA-384` …, or its object identifier; empty where it isn't known.
    package var signatureAlgorithm: String
    /// Hexadecimal, of the DER form.
    public package(set) var sha256: String
    /// The certificate itself (X.690).
    public package(set) var der: Data
    /// The SHA-256 of its public key in base64, as ``TLSOptions/pins`` takes it behind `sha256//`; `nil` where it isn't known, which is
    /// so of all but a server's own certificate.
    public package(set) var publicKeySHA256: String?

    package init(
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
