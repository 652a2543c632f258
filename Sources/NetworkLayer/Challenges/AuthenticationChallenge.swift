/// A demand for credentials, made by a server, a proxy or TLS before it answers (CHL-1).
public struct AuthenticationChallenge: Sendable, Hashable {
    /// Whether the server or a proxy asks.
    public var space: Space
    /// The host that asks; for a proxy its own, not that of the URL.
    public var host: String
    /// The port of ``host``.
    public var port: Int
    /// The scheme in which the answer is expected.
    public var method: Method
    /// What the credentials are for (RFC 9110, section 11.5).
    public var realm: String?
    /// All parameters of the challenge, names in lower case.
    public var parameters: [String: String]
    /// The request that was answered with the challenge.
    public var request: Request
    /// The 401 or 407; `nil` for what TLS asks.
    public var head: ResponseHead?
    /// The server's certificates, its own first, as far as TLS showed them.
    public var certificates: [Certificate]

    /// A challenge of the server's, unless `space` says otherwise; meant for tests of handlers as well.
    public init(
        space: Space = .server, host: String, port: Int, method: Method, realm: String? = nil, parameters: [String: String] = [:],
        request: Request, head: ResponseHead? = nil, certificates: [Certificate] = []
    ) {
        self.space = space
        self.host = host
        self.port = port
        self.method = method
        self.realm = realm
        self.parameters = parameters
        self.request = request
        self.head = head
        self.certificates = certificates
    }

    /// Who asks: the server, or a proxy before it.
    public enum Space: String, Sendable, Hashable, Codable, CaseIterable {
        /// 401 comes from the server, 407 from a proxy.
        case server, proxy
    }

    /// How the credentials are to be sent.
    public enum Method: Sendable, Hashable {
        /// Basic (RFC 7617), Digest (RFC 7616), and a bearer token (RFC 6750).
        case basic, digest, bearer
        /// TLS asks for a certificate of ours.
        case clientCertificate
        /// A scheme that only the handler knows, in lower case.
        case other(String)

        /// In lower case; for a scheme of HTTP its own name.
        public var name: String {
            switch self {
            case .basic: "basic"
            case .digest: "digest"
            case .bearer: "bearer"
            case .clientCertificate: "client certificate"
            case .other(let scheme): scheme
            }
        }
    }
}

/// What a handler makes of a challenge.
public enum ChallengeDisposition: Sendable, Hashable {
    /// Nobody else is asked; the request goes out again with it, as another attempt.
    case useCredential(ChallengeCredential)
    /// Nobody else is asked; the operation fails with code `challengeCancelled`, whose sentence has the context.
    case cancel(context: String?)
    /// The challenge stays unanswered unless a handler further on knows better; no configured credential is tried.
    case reject
    /// The next handler is asked.
    case `default`
}

/// What answers a challenge.
public enum ChallengeCredential: Sendable, Hashable {
    /// For Basic and Digest.
    case password(Credential)
    /// For Bearer (RFC 6750).
    case token(String)
    /// The value of `Authorization` as it stands, for any scheme.
    case authorization(String)
    /// PEM files, for what TLS asks; the key's is the certificate's own when `nil`.
    case clientCertificate(path: String, key: String?)
}

extension ChallengeCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch self {
        case .password(let credential): "password(\(credential))"
        case .token: "token(<redacted>)"
        case .authorization: "authorization(<redacted>)"
        case .clientCertificate(let path, _): "clientCertificate(\(path))"
        }
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["credential": description]) }
}

/// Answers challenges. The operation's own is asked first, then the client's in the order of their addition.
public protocol ChallengeHandler: Sendable {
    /// Asked where ``respond(to:for:)`` isn't implemented.
    func respond(to challenge: AuthenticationChallenge) async -> ChallengeDisposition

    /// - Parameter operation: whose ``RequestOperation/metrics`` tell of the attempts so far, this one's included.
    func respond(to challenge: AuthenticationChallenge, for operation: RequestOperation) async -> ChallengeDisposition
}

extension ChallengeHandler {
    public func respond(to challenge: AuthenticationChallenge, for operation: RequestOperation) async -> ChallengeDisposition {
        await respond(to: challenge)
    }
}
