public import NetworkLayer

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
