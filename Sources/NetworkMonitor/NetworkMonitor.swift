public import Base
import HTTPTypes
public import NetworkLayer
import Synchronization

/// What the machine's network looks like, now and whenever it changes: its default routes, and the interfaces they lead over.
///
///     let client = NetworkClient(transport: CurlTransport(), conditions: NetworkMonitor())
///
/// The kernel says when something changes (`rtnetlink(7)`); a thread sleeps until it does. Where a sandbox refuses that, the
/// conditions are those of the start, for good. The monitor works until ``stop()``, or until nobody refers to it any more; then the
/// streams end.
public final class NetworkMonitor: NetworkConditionsSource {
    private let core: Core

    /// - Parameters:
    ///   - captivePortal: asks for captive portals, too; `nil`: no byte leaves the machine.
    ///   - host: a name or an address. Then the conditions are those of the way to this host: whether the kernel has a route to it,
    ///     and over which interfaces. Nothing is sent to it; only its name is looked up, at the start and whenever the network
    ///     changes. Until the first answer the conditions are `undetermined`; a name that nobody knows can't be reached.
    public convenience init(captivePortal: CaptivePortalProbe? = nil, host: String? = nil) {
        self.init(captivePortal, files: SystemFiles(host: host.map(HostRoute.init)), changes: NetlinkSocket.open())
    }

    /// - Parameter changes: becomes readable when the files may have changed; it is closed by the monitor.
    init(_ captivePortal: CaptivePortalProbe? = nil, files: SystemFiles, changes: Int32?) {
        core = Core(captivePortal, files: files)
        core.start(changes)
    }

    deinit { core.handle(.stop) }

    public var current: NetworkConditions { core.conditions }

    /// Any number of readers; one that reads slowly misses nothing.
    public var changes: AsyncStream<NetworkConditions> { core.changes() }

    /// Whether it hears of changes; `false` where that is refused, and after ``stop()``.
    public var isListening: Bool { core.isListening }

    /// Ends the streams, the thread and the probe; ``current`` stays what it was. A second time does nothing.
    public func stop() { core.handle(.stop) }
}

/// A ``NetworkMonitor`` that begins its work when it is first asked: for a program of which most runs send nothing.
public final class LazyNetworkMonitor: NetworkConditionsSource {
    private let open: @Sendable () -> any NetworkConditionsSource
    private let source = Mutex<(any NetworkConditionsSource)?>(nil)

    /// - Parameter captivePortal: asks for captive portals, too; `nil`: no byte leaves the machine.
    public convenience init(captivePortal: CaptivePortalProbe? = nil) {
        self.init { NetworkMonitor(captivePortal: captivePortal) }
    }

    init(_ open: @escaping @Sendable () -> any NetworkConditionsSource) {
        self.open = open
    }

    public var current: NetworkConditions { opened.current }

    public var changes: AsyncStream<NetworkConditions> { opened.changes }

    /// Whether it has been asked.
    public var isOpen: Bool { source.withLock { $0 != nil } }

    private var opened: any NetworkConditionsSource {
        source.withLock { source in
            if let source { return source }
            let new = open()
            source = new
            return new
        }
    }
}

/// How to find out whether somebody stands between us and the network, like a hotel that wants a room number first (COM-3).
///
/// It asks a server that answers 204 with nothing. Another status, or a body, is somebody else's; no answer proves nothing. It asks
/// when the way out changes, and again every ``interval``. Off unless a program wants it, because it tells a server where we are.
public struct CaptivePortalProbe: Sendable {
    /// Better not https, which a portal can't answer.
    public var url: URL
    /// What the question is sent through, without cookies and cache.
    public var transport: any Transport
    /// For ``interval`` and ``timeout``.
    public var time: any TimeSource
    /// From one answer to the next question.
    public var interval = Duration.seconds(60)
    /// For one question; beyond it there is no answer.
    public var timeout = Duration.seconds(30)

    /// - Parameter url: for instance ``google``, which TNL asks, or a server of your own.
    public init(url: URL, transport: any Transport, time: any TimeSource = SystemTimeSource()) {
        self.url = url
        self.transport = transport
        self.time = time
    }

    /// `http://connectivitycheck.gstatic.com/generate_204`
    public static var google: URL {
        var parts = URLComponents()
        parts.scheme = "http"
        parts.host = "connectivitycheck.gstatic.com"
        parts.path = "/generate_204"
        guard let url = parts.url else { preconditionFailure("a constant URL isn't one") }
        return url
    }

    /// Without cache, cookies and retries, over a connection of its own, which no portal has let through before.
    var configuration: RequestConfiguration {
        var configuration = RequestConfiguration()
        configuration.timeouts = Timeouts(connect: timeout, idle: timeout, attempt: timeout, operation: timeout)
        configuration.redirects.policy = .never
        configuration.consumption = .none
        configuration.cachePolicy = .reloadIgnoringLocal
        configuration.transport.reusesConnections = false
        return configuration
    }

    static func verdict(on response: Response) -> NetworkConditions.CaptivePortal {
        guard response.error == nil, let head = response.info?.head else { return .none }
        let announced = head.headers[.contentLength].flatMap { Int64($0) } ?? 0
        let received = response.metrics.attempts.last.map { max($0.bytes.responseBody, $0.bytes.decodedResponseBody) } ?? 0
        return head.status == .noContent && announced <= 0 && received == 0 ? .none : .captive
    }
}
