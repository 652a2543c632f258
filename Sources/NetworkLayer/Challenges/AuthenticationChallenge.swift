/// A demand for credentials, made by a server, a proxy or TLS before it answers (CHL-1).
public struct AuthenticationChallenge: Sendable, Hashable {
    public package(set) var space: Space
    /// The host that asks; for a proxy its own, not that of the URL.
    public package(set) var host: String
    public package(set) var port: Int
    public package(set) var method: Method
    /// What the credentials are for (RFC 9110, section 11.5).
    public package(set) var realm: String?
    package var parameters: [String: String]
    public package(set) var request: Request
    /// The 401 or 407; `nil` for what TLS asks.
    package var head: ResponseHead?
    /// The server's certificates, its own first, as far as TLS showed them.
    package var certificates: [Certificate]

    /// A challenge of the server's, unless `space` says otherwise; meant for tests of handlers as well.
    package init(
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

extension ChallengeCredential: CustomStringConvertible, CustomReflectable {
    public var description: String {
        switch self {
        case .password(let credential): "password(\(credential))"
        case .token: "token(<redacted>)"
        case .authorization: "authorization(<redacted>)"
        case .clientCertificate(let path, _): "clientCertificate(\(path))"
        }
    }
    public var customMirror: Mirror { Mirror(self, children: ["credential": description]) }
}

/// Answers challenges. The operation's own is asked first, then the client's in the order of their addition.
public protocol ChallengeHandler: Sendable {
    /// - Parameter operation: whose ``RequestOperation/metrics`` tell of the attempts so far, this one's included.
    func respond(to challenge: AuthenticationChallenge, for operation: RequestOperation) async -> ChallengeDisposition
}

/// What became of a challenge.
public struct ChallengeReport: Sendable, Hashable, Codable {
    public package(set) var space: AuthenticationChallenge.Space
    public package(set) var host: String
    /// ``AuthenticationChallenge/Method/name``
    public package(set) var method: String
    /// What the credentials were for; `nil` when the challenge named no realm.
    public package(set) var realm: String?
    public package(set) var decision: Decision

    init(_ challenge: AuthenticationChallenge, _ decision: Decision) {
        space = challenge.space
        host = challenge.host
        method = challenge.method.name
        realm = challenge.realm
        self.decision = decision
    }

    /// The ways in which a challenge can end. The raw values are what JSON holds.
    public enum Decision: String, Sendable, Hashable, Codable, CaseIterable {
        /// The request goes out again with credentials.
        case answered
        /// No handler had credentials that fit: the 401 or 407 is the response.
        case unanswered
        /// The credentials had been shown for this realm, and it asks again: the 401 or 407 is the response.
        case repeated
        /// There were credentials, but the body can't be sent a second time: the 401 or 407 is the response.
        case bodyNotReplayable
        /// A handler ended the operation.
        case cancelled
    }
}

/// What a server showed in the TLS handshake, before a byte of the request is sent: whether to trust it (CHL-1).
public struct ServerTrust: Sendable, Hashable {
    /// The host that the request was for, as the URL has it.
    public package(set) var host: String
    /// The port of the connection, 443 where the URL has none.
    public package(set) var port: Int
    public package(set) var chain: [Certificate]
    /// Why the usual evaluation would not trust it; `nil` when it would.
    public package(set) var failure: String?

    package init(host: String, port: Int, chain: [Certificate], failure: String? = nil) {
        self.host = host
        self.port = port
        self.chain = chain
        self.failure = failure
    }

    /// What a ``ServerTrustHandler`` says.
    public enum Disposition: Sendable, Hashable {
        /// Trusts it, whatever the usual evaluation says. Nobody else is asked.
        case accept
        /// The attempt fails with code `challengeCancelled`. Nobody else is asked.
        case cancel(context: String?)
        /// Doesn't trust it, unless a handler further on accepts it: the attempt fails with code `certificateRejected`.
        case reject
        /// The next handler is asked; after the last one the usual evaluation counts.
        case `default`
    }
}

/// Evaluates a server's certificates. The operation's own handler is asked first, then the client's in the order of their addition.
///
/// Connections are shared only among requests that have such a handler, and each asks anew.
public protocol ServerTrustHandler: Sendable {
    /// Called on the transport's thread in the middle of a handshake: it must return soon, and can't wait for anybody.
    func evaluate(_ trust: ServerTrust) -> ServerTrust.Disposition
}

/// Several handlers as one.
struct ServerTrustHandlers: ServerTrustHandler {
    var handlers: [any ServerTrustHandler]

    func evaluate(_ trust: ServerTrust) -> ServerTrust.Disposition {
        var isRejected = false
        for handler in handlers {
            switch handler.evaluate(trust) {
            case .accept: return .accept
            case .cancel(let context): return .cancel(context: context)
            case .reject: isRejected = true
            case .default: break
            }
        }
        return isRejected ? .reject : .default
    }
}
