import Synchronization

/// What the queues of a program share: the transport, the time, the settings and the observers. TNL's global configuration,
/// but injectable: one for a program, one for each test.
public final class NetworkClient: Sendable {
    public let transport: any Transport
    public let time: any TimeSource
    public let settings: Settings
    /// Who knows the machine's network; stamps attempts, and ends waits for it.
    public let conditions: (any NetworkConditionsSource)?
    let crash: @Sendable (NetworkError) -> Void
    /// The jars that ``RequestConfiguration/cookies`` names.
    public let cookies: CookieJars
    /// `nil`: nothing is stored.
    public let cache: ResponseCache?
    /// The transport behind the cookies and the cache.
    let storing: any Transport
    let observers = ObserverList()
    let retryBudgets: RetryBudgets
    private let generator: Mutex<any RandomNumberGenerator & Sendable>
    let roles = ClientRoles()
    let challengeHandlers = HandlerList<any ChallengeHandler>()
    let trustHandlers = HandlerList<any ServerTrustHandler>()
    private let queueIdentifiers = Mutex<Set<String>>([])

    /// - Parameters:
    ///   - generator: for what is left to chance: the jitter of retries.
    ///   - crash: what ends the program, with ``Settings/crashesOnCloggedCallback``; tests take notes instead.
    public init(
        transport: any Transport, time: any TimeSource = SystemTimeSource(), settings: Settings = .init(),
        cookies: CookieJars = .init(), cache: ResponseCache? = nil,
        conditions: (any NetworkConditionsSource)? = nil,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        crash: @escaping @Sendable (NetworkError) -> Void = { fatalError($0.message) }
    ) {
        self.cookies = cookies
        self.cache = cache
        // Cookies come first: they belong to what an answer may vary by.
        self.storing = CookieTransport(CachingTransport(transport, cache: cache, time: time), jars: cookies, time: time)
        self.transport = transport
        self.time = time
        self.settings = settings
        self.conditions = conditions
        self.retryBudgets = RetryBudgets(settings.retryBudget)
        self.generator = Mutex(generator)
        self.crash = crash
    }

    public struct Settings: Sendable, Hashable {
        /// The most operations of one queue that are under way to one host at a time; the others are
        /// `waiting(concurrencyLimit)`. `nil`: no limit.
        public var maxConcurrentPerHost: Int?
        /// The most operations of one queue that are under way at a time; `nil`: no limit.
        public var maxConcurrent: Int?
        /// How long one call of a role may last before the operation fails with `callbackTimedOut`; `nil`, and less than a tenth of
        /// a second: for ever (GLB-10). What holds when an operation is enqueued holds for it.
        public var callbackTimeout: Duration? = .seconds(10)
        /// Ends the program instead, for builds under test (GLB-11); see ``NetworkClient/init(transport:time:settings:crash:)``.
        public var crashesOnCloggedCallback = false
        /// What keeps retries to one host from being too many; `nil`: nothing but the policies.
        public var retryBudget: RetryBudget? = RetryBudget()

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

    /// Asks `provider` for header fields for every attempt from now on, redirect hops left out (HDR-1). It has the last word
    /// among the providers so far; adding it again gives it the last word again.
    @discardableResult
    public func addHeaderProvider(_ provider: any HeaderProvider) -> Registration {
        roles.add(provider)
    }

    /// Asks `sanitizer` for the host of every attempt from now on (GLB-2); `nil`: nobody.
    public func setHostSanitizer(_ sanitizer: (any HostSanitizer)?) {
        roles.hostSanitizer = sanitizer
    }

    /// In `0..<1`.
    func randomFraction() -> Double {
        generator.withLock { generator in
            func draw(_ generator: inout some RandomNumberGenerator) -> Double { .random(in: 0..<1, using: &generator) }
            return draw(&generator)
        }
    }

    /// - Returns: whether no living queue has the identifier.
    func claim(_ identifier: String) -> Bool {
        queueIdentifiers.withLock { $0.insert(identifier).inserted }
    }

    func release(_ identifier: String) {
        _ = queueIdentifiers.withLock { $0.remove(identifier) }
    }
}
