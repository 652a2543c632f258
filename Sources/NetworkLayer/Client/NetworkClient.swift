import Synchronization

/// What the queues of a program share: the transport, the time, the settings and the observers. TNL's global configuration,
/// but injectable: one for a program, one for each test.
public final class NetworkClient: Sendable {
    public let transport: any Transport
    public let time: any TimeSource
    public let settings: Settings
    let observers = ObserverList()
    private let queueIdentifiers = Mutex<Set<String>>([])

    public init(transport: any Transport, time: any TimeSource = SystemTimeSource(), settings: Settings = .init()) {
        self.transport = transport
        self.time = time
        self.settings = settings
    }

    public struct Settings: Sendable, Hashable {
        /// The most operations of one queue that are under way to one host at a time; the others are
        /// `waiting(concurrencyLimit)`. `nil`: no limit.
        public var maxConcurrentPerHost: Int?
        /// The most operations of one queue that are under way at a time; `nil`: no limit.
        public var maxConcurrent: Int?

        public init(maxConcurrentPerHost: Int? = 6, maxConcurrent: Int? = nil) {
            self.maxConcurrentPerHost = maxConcurrentPerHost
            self.maxConcurrent = maxConcurrent
        }
    }

    /// From now on `observer` sees every event of every operation of this client's queues, after the queue's own observers.
    @discardableResult
    public func addObserver(_ observer: any NetworkObserver) -> Registration {
        observers.add(observer)
    }

    /// - Returns: whether no living queue has the identifier.
    func claim(_ identifier: String) -> Bool {
        queueIdentifiers.withLock { $0.insert(identifier).inserted }
    }

    func release(_ identifier: String) {
        _ = queueIdentifiers.withLock { $0.remove(identifier) }
    }
}
