package import Base

/// Sends one request and takes in one response: one attempt, one hop. It follows no redirects and retries nothing.
///
/// `CurlTransport` is the real one; tests use scripts.
public protocol Transport: Sendable {
    /// Starts a transfer and returns at once.
    ///
    /// - Parameter receive: called with every event, one at a time and in order, on a thread of the transport's, which it must
    ///   not hold up. The last one is ``TransportEvent/Kind/finished(_:)``, exactly once, also after a cancel.
    ///   It may be called before `start` has returned.
    func start(_ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void) -> any Transfer

    /// The content codings, in lower case, that it decodes by itself with ``TransportOptions/acceptsCompression``. A body in any
    /// other it hands on as it is. By default none.
    var contentCodings: [String] { get }

    /// Closes connections that are kept for later transfers.
    func pruneConnections(_ scope: PruneScope)
}

extension Transport {
    public var contentCodings: [String] { [] }
}

/// A transfer under way.
public protocol Transfer: Sendable {
    /// Closes the connection (HTTP/2: the stream), soon, and then reports `finished` with code `cancelled`.
    func cancel()
    /// Stops taking bytes from the socket; a chunk that is on its way may still arrive.
    func pauseReceiving()
    /// Takes bytes from the socket again.
    func resumeReceiving()
    /// The operation's priority has changed. By default it has no meaning.
    func setPriority(_ priority: Priority)
}

extension Transfer {
    public func setPriority(_ priority: Priority) {}
}

/// What a transport gets to work with.
public struct TransferRequest: Sendable {
    /// As it is to go out: prepared, with its final host.
    public var request: Request
    /// From ``RequestConfiguration/transport``.
    public var options: TransportOptions {
        @inlinable get { sharedOptions.wrappedValue }
        set { sharedOptions.wrappedValue = newValue }
    }
    /// From ``RequestConfiguration/limits``: beyond one of them the transfer fails with `limitExceeded`.
    public var limits: ResponseLimits
    /// What the transport may do by itself when a connection that was kept turns out to be dead.
    package var resend: ResendRule
    /// From the start of the transfer to its connection; `nil`: no limit.
    package var connectTimeout: Duration?
    /// At the start; see ``Transfer/setPriority(_:)``.
    public var priority: Priority
    /// For ``CookieTransport``.
    package var cookies = CookieConfiguration()
    /// For ``CachingTransport``.
    package var cachePolicy = CachePolicy.useProtocol
    /// The URL of the operation's first request, which says what is another site; this request's own when `nil`.
    package var firstURL: URL?
    /// Whose attempt it is; `nil` when no operation sends it.
    package var operation: OperationID?
    /// Who is asked whether to trust a server; `nil`: the usual evaluation counts.
    package var trust: (any ServerTrustHandler)?
    @usableFromInline var sharedOptions: Shared<TransportOptions>

    /// A transfer by itself, without cookies, cache and operation.
    public init(
        request: Request, options: TransportOptions = .init(), limits: ResponseLimits = .init(),
        resend: ResendRule = .idempotentOnly,
        connectTimeout: Duration? = nil, priority: Priority = .normal, trust: (any ServerTrustHandler)? = nil
    ) {
        self.init(
            request: request, options: Shared(wrappedValue: options), limits: limits, resend: resend,
            connectTimeout: connectTimeout,
            priority: priority, trust: trust)
    }

    init(
        request: Request, options: Shared<TransportOptions>, limits: ResponseLimits, resend: ResendRule, connectTimeout: Duration?,
        priority: Priority, trust: (any ServerTrustHandler)?
    ) {
        self.request = request
        self.sharedOptions = options
        self.limits = limits
        self.resend = resend
        self.connectTimeout = connectTimeout
        self.priority = priority
        self.trust = trust
    }
}

/// How a transport keeps connections for later requests (SES-1). TNL prunes sessions; what a session holds here is its connections.
public struct ConnectionPool: Sendable, Hashable, Codable {
    /// TNL's 240 s.
    package static let defaultInactivity = Duration.seconds(240)

    /// A connection that was idle for longer isn't used again, and ``PruneScope/idle`` closes it. Zero closes every idle one; a
    /// negative value stands for ``defaultInactivity``.
    public var inactivity: Duration {
        didSet { if inactivity < .zero { inactivity = Self.defaultInactivity } }
    }
    /// The most connections that are kept, those in use included; beyond it the one that was idle the longest is closed.
    public var limit: Int
    /// Prunes the idle ones after every transfer (TNL's `afterEveryTask`).
    public var prunesAfterEveryTransfer: Bool

    /// 256 connections for 240 s by default.
    public init(inactivity: Duration = .seconds(240), limit: Int = 256, prunesAfterEveryTransfer: Bool = false) {
        self.inactivity = inactivity < .zero ? Self.defaultInactivity : inactivity
        self.limit = limit
        self.prunesAfterEveryTransfer = prunesAfterEveryTransfer
    }
}

/// Which of a transport's connections to close. Those in use are closed after their last transfer, none in the middle of one.
public enum PruneScope: Sendable, Hashable {
    /// Those that were idle for as long as ``ConnectionPool/inactivity`` says.
    case idle
    /// All of them.
    case all
    /// All to this host, compared without regard to case.
    case host(String)
}

extension Transport {
    /// A transport without connections has none to close.
    public func pruneConnections(_ scope: PruneScope) {}
}

extension NetworkClient {
    /// Closes connections that are kept for later requests (GLB-8), such as after the network has changed.
    public func pruneConnections(_ scope: PruneScope) {
        transport.pruneConnections(scope)
    }
}
