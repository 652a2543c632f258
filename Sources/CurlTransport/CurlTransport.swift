public import NetworkLayer
import Synchronization

/// The one place that opens a connection: a ``Transport`` over libcurl's multi interface.
///
///     start() ─> Mailbox ─> Loop (one thread) ─> CurlEasyHandle ─> libcurl
///                             │                        │ C callbacks
///                             │ finished               ▼
///     receive(event) <────────┴─────────────── CurlTransfer
///
/// Connections are kept and shared by all transfers of one transport. The thread starts with the first transfer, sleeps
/// while nothing happens, and ends with the transport; transfers that are still under way then are cancelled.
public final class CurlTransport: Transport {
    private let loop: Loop
    /// Runs tasks on the thread of the transfers: see ``LoopExecutor``.
    public let executor: LoopExecutor
    private let keptPool: Mutex<ConnectionPool>

    /// - Parameter userAgent: what requests call themselves that have no `User-Agent` of their own; `nil`: nothing.
    public init(userAgent: String? = nil, pool: ConnectionPool = .init()) {
        loop = Loop(userAgent: userAgent, pool: pool)
        executor = LoopExecutor(loop)
        keptPool = Mutex(pool)
    }

    /// The codings that requests ask for by themselves, as ``TransportOptions/acceptsCompression`` allows it.
    package static var contentCodings: [String] { CurlFeatures.present.contentCodings }

    init(descriptors: Descriptors = Descriptors(), longestSilence: Duration = .seconds(10), keptBytes: Int64 = 1 << 30) {
        loop = Loop(
            userAgent: nil, pool: .init(), descriptors: descriptors, longestSilence: longestSilence, keptBytes: keptBytes)
        executor = LoopExecutor(loop)
        keptPool = Mutex(.init())
    }

    /// How connections are kept; a change counts for what happens from then on.
    public var pool: ConnectionPool {
        get { keptPool.withLock { $0 } }
        set {
            keptPool.withLock { $0 = newValue }
            loop.post(.keep(newValue))
        }
    }

    public func pruneConnections(_ scope: PruneScope) {
        loop.post(.prune(scope))
    }

    /// Those that this libcurl was built with.
    public var contentCodings: [String] { CurlFeatures.present.contentCodings }

    deinit {
        loop.stop()
    }

    public func start(
        _ request: TransferRequest, receive: @escaping @Sendable (TransportEvent) -> Void
    ) -> any Transfer {
        let transfer = CurlTransfer(request, loop: loop, receive: receive)
        loop.post(.start(transfer))
        return transfer
    }
}
