/// What a server showed in the TLS handshake, before a byte of the request is sent: whether to trust it (CHL-1).
public struct ServerTrust: Sendable, Hashable {
    /// The host that the request was for, as the URL has it.
    public var host: String
    /// The port of the connection, 443 where the URL has none.
    public var port: Int
    /// The server's certificates, its own first.
    public var chain: [Certificate]
    /// Why the usual evaluation would not trust it; `nil` when it would.
    public var failure: String?

    /// Certificates that were shown, and the objection to them, if there is one.
    public init(host: String, port: Int, chain: [Certificate], failure: String? = nil) {
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
