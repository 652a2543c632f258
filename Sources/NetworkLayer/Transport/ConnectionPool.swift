/// How a transport keeps connections for later requests (SES-1). TNL prunes sessions; what a session holds here is its connections.
public struct ConnectionPool: Sendable, Hashable, Codable {
    /// TNL's 240 s.
    public static let defaultInactivity = Duration.seconds(240)

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
    public init(inactivity: Duration = Self.defaultInactivity, limit: Int = 256, prunesAfterEveryTransfer: Bool = false) {
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
