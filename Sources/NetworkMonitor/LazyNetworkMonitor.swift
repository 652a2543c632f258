public import NetworkLayer
import Synchronization

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
