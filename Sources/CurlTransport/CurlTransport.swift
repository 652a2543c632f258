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
    package static var contentCodings: [String] { ContentDecoder.codings }

    init(longestSilence: Duration) {
        loop = Loop(userAgent: nil, pool: .init(), longestSilence: longestSilence)
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

    /// Those of zlib, and of what this libcurl brings.
    public var contentCodings: [String] { ContentDecoder.codings }

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

/// The I/O thread of a ``CurlTransport`` as a place for tasks: a task that prefers it starts its transfers and reads their answers without
/// another thread in between.
///
///     let response = await withTaskExecutorPreference(transport.executor) {
///         await queue.enqueue(.get(url)).response
///     }
///
/// Worth it where one request follows another, and what is done in between takes microseconds: it keeps all transfers of the transport
/// waiting, as would anything that blocks the thread. A task that goes on without an `await` can't be interrupted, and with it the
/// transport stands still; one that only yields takes turns with the transfers. When the transport is gone, its tasks go on elsewhere.
public final class LoopExecutor: TaskExecutor {
    private let loop: Loop

    init(_ loop: Loop) {
        self.loop = loop
    }

    /// Runs the job on the transport's thread, behind what waits there; elsewhere once the transport is gone.
    public func enqueue(_ job: consuming ExecutorJob) {
        loop.post(.job(UnownedJob(job), self))
    }
}

extension Loop.Command {
    /// What goes on after the thread has ended: nothing may be left waiting for ever. All other transfers end with the thread.
    func runElsewhere() {
        switch self {
        case .job(let job, _): globalConcurrentExecutor.enqueue(job)
        case .start(let transfer):
            transfer.markCancelled()
            transfer.finishUnstarted(.cancelled(in: .queue))
        case .cancel, .resume, .wakeUpload, .prioritize, .prune, .keep, .stop: break
        }
    }
}

extension NetworkClient {
    /// One for a whole program, made when it is first asked for: for scripts and first steps. What is to be tested gets its client from
    /// outside.
    public static let shared = NetworkClient()

    /// A client over a ``CurlTransport`` of its own.
    ///
    ///     let birds = try await NetworkClient().value(for: .get("https://birds.example/birds"), as: [Bird].self)
    ///
    /// - Parameters:
    ///   - configuration: for requests that are given none of their own.
    ///   - authorizer: signs the requests whose delegates have no authorizer, such as a ``NetworkLayer/TokenRefresher``.
    ///   - headers: for requests that don't have those fields: see ``NetworkLayer/FixedHeaders``.
    ///   - userAgent: what requests call themselves that have no `User-Agent` of their own; `nil`: nothing.
    ///   - pool: how connections are kept.
    public convenience init(
        settings: Settings = .init(), configuration: RequestConfiguration = .init(),
        authorizer: (any RequestAuthorizer)? = nil, observers: [any NetworkObserver] = [], headers: [String: String] = [:],
        userAgent: String? = nil, pool: ConnectionPool = .init(), cookies: CookieJars = .init(), cache: ResponseCache? = nil,
        conditions: (any NetworkConditionsSource)? = nil
    ) {
        self.init(
            transport: CurlTransport(userAgent: userAgent, pool: pool), settings: settings, configuration: configuration,
            authorizer: authorizer, observers: observers, cookies: cookies, cache: cache, conditions: conditions)
        if !headers.isEmpty { addHeaderProvider(FixedHeaders(defaults: headers)) }
    }
}
