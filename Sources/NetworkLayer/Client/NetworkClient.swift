import Synchronization

/// What the queues of a program share: the transport, the time, the settings and the observers. TNL's global configuration,
/// but injectable: one for a program, one for each test.
public final class NetworkClient: Sendable {
    /// The version of this library (GLB-1), and of the program that is made of it; it follows semantic versioning.
    public static let version = "0.1.0"

    /// As it was given: what operations are sent through has cookies, the cache and signing in front of it.
    public let transport: any Transport
    /// What every timeout, wait and date of the client's operations comes from.
    package let time: any TimeSource
    /// As they were when the client was made; they don't change.
    package let settings: Settings
    /// What requests are sent with that are given no configuration of their own.
    public var configuration: RequestConfiguration { sharedConfiguration.wrappedValue }
    let sharedConfiguration: Shared<RequestConfiguration>
    /// The source of the machine's network conditions: it stamps attempts, and ends waits for the network.
    package let conditions: (any NetworkConditionsSource)?
    let crash: @Sendable (NetworkError) -> Void
    /// The jars that ``RequestConfiguration/cookies`` names.
    public let cookies: CookieJars
    /// `nil`: nothing is stored.
    public let cache: ResponseCache?
    /// The transport behind the cookies and the cache.
    let storing: any Transport
    let observers = Registrations<any NetworkObserver>()
    let retryBudgets: RetryBudgets
    private let generator: Mutex<any RandomNumberGenerator & Sendable>
    /// In the order in which they are asked; the last one decides.
    let headerProviders = Registrations<any HeaderProvider>()
    let challengeHandlers = Registrations<any ChallengeHandler>()
    let trustHandlers = Registrations<any ServerTrustHandler>()
    /// Signs the requests whose delegates have no authorizer.
    private let authorizer: (any RequestAuthorizer)?
    private let sanitizer = Mutex<(any HostSanitizer)?>(nil)
    let backoffGate: BackoffGate
    let slots: SlotGate
    private let arrivals = Atomic<Int>(0)
    let executing = ExecutingCount()
    /// The operations above the threshold of priority that hold back the others (DEP-2). It keeps none of them alive.
    private let urgent = Mutex<[OperationID: WeakOperation]>([:])
    private let queues = Mutex(Queues())

    private struct Queues {
        var byIdentifier: [String: WeakQueue] = [:]
        /// Outlives the default queue, which comes and goes with its use.
        let defaultObservers = Registrations<any NetworkObserver>()
    }

    private struct WeakQueue {
        weak var queue: RequestOperationQueue?
    }

    /// - Parameters:
    ///   - configuration: for requests that are given none of their own.
    ///   - authorizer: signs what is sent with a delegate that has none. One that is a retry policy, too, as a ``TokenRefresher`` is, is
    ///     asked about these requests before the policies of their configurations.
    ///   - observers: as by ``addObserver(_:)``.
    ///   - generator: for what is left to chance: the jitter of retries.
    ///   - crash: what ends the program, with ``Settings/crashesOnCloggedCallback``; tests take notes instead.
    public init(
        transport: any Transport, time: any TimeSource = SystemTimeSource(), settings: Settings = .init(),
        configuration: RequestConfiguration = .init(), authorizer: (any RequestAuthorizer)? = nil,
        observers: [any NetworkObserver] = [], cookies: CookieJars = .init(), cache: ResponseCache? = nil,
        conditions: (any NetworkConditionsSource)? = nil,
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        crash: @escaping @Sendable (NetworkError) -> Void = { fatalError($0.message) }
    ) {
        self.cookies = cookies
        self.cache = cache
        // Cookies come first: they belong to what an answer may vary by. Signatures come last: of what goes out, just when it does.
        self.storing = CookieTransport(
            CachingTransport(SigningTransport(transport, time: time), cache: cache, time: time), jars: cookies, time: time)
        self.transport = transport
        self.time = time
        self.settings = settings
        self.authorizer = authorizer
        self.sharedConfiguration = Shared(wrappedValue: configuration)
        self.conditions = conditions
        self.retryBudgets = RetryBudgets(settings.retryBudget)
        self.generator = Mutex(generator)
        self.crash = crash
        self.backoffGate = BackoffGate(time: time)
        self.slots = SlotGate(
            TransferSlots.Limits(
                perHost: settings.maxConcurrentPerHost, streamsPerHost: settings.maxStreamsPerHost,
                total: settings.maxConcurrent))
        for observer in observers { addObserver(observer) }
    }

    /// What an operation is made with whose caller says this much.
    func completed(
        _ configuration: RequestConfiguration?, _ delegate: RequestDelegate
    ) -> (Shared<RequestConfiguration>, RequestDelegate) {
        guard let authorizer, delegate.authorizer == nil else {
            return (configuration.map { Shared(wrappedValue: $0) } ?? sharedConfiguration, delegate)
        }
        var (configuration, delegate) = (configuration ?? self.configuration, delegate)
        delegate.authorizer = authorizer
        if let policy = authorizer as? any RetryPolicy {
            configuration.retry = RetryPolicies([policy] + configuration.retry.policies)
        }
        return (Shared(wrappedValue: configuration), delegate)
    }

    /// What the operations of all queues share: limits, retries in all, and how long roles may take.
    public struct Settings: Sendable, Hashable {
        /// The most transfers to one host and port that are under way at a time, over all queues, where each takes a connection:
        /// with HTTP/1. An operation that must wait for its turn is `waiting(concurrencyLimit)`; one that awaits a hook, a retry or
        /// another operation holds up nobody. `nil`: no limit.
        public var maxConcurrentPerHost: Int?
        /// The same for a host that answered with HTTP/2 or later, where each takes a stream; and for bodies that are read as they come,
        /// which are counted apart.
        public var maxStreamsPerHost: Int?
        /// The most transfers of the client that are under way at a time; `nil`: no limit. Each queue may have one of its own:
        /// ``RequestOperationQueue/Configuration/maxConcurrent``.
        public var maxConcurrent: Int?
        /// How long one call of a role may last before the operation fails with `callbackTimedOut`; `nil`: for ever (GLB-10). What holds
        /// when an operation is enqueued holds for it.
        public var callbackTimeout: Duration?
        /// Ends the program instead, for builds under test (GLB-11); see ``NetworkClient/init(transport:time:settings:configuration:authorizer:observers:cookies:cache:conditions:generator:crash:)``.
        public var crashesOnCloggedCallback: Bool
        /// What keeps retries to one host from being too many; `nil`: nothing but the policies.
        public var retryBudget: RetryBudget?
        /// Operations above this priority hold back those at or below it that are enqueued later, in any queue of the client,
        /// until they are over (DEP-2); `nil`: no.
        public var automaticDependencyThreshold: Priority?

        /// Six connections and 100 streams a host, ten seconds for a role, and a budget for retries by default.
        public init(
            maxConcurrentPerHost: Int? = 6, maxStreamsPerHost: Int? = 100, maxConcurrent: Int? = nil,
            automaticDependencyThreshold: Priority? = nil,
            callbackTimeout: Duration? = .seconds(10), crashesOnCloggedCallback: Bool = false,
            retryBudget: RetryBudget? = RetryBudget()
        ) {
            self.maxConcurrentPerHost = maxConcurrentPerHost
            self.maxStreamsPerHost = maxStreamsPerHost
            self.maxConcurrent = maxConcurrent
            self.automaticDependencyThreshold = automaticDependencyThreshold
            self.callbackTimeout = callbackTimeout
            self.crashesOnCloggedCallback = crashesOnCloggedCallback
            self.retryBudget = retryBudget
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
        headerProviders.add(provider) { $0 === provider }
    }

    /// Asks `sanitizer` for the host of every attempt from now on (GLB-2); `nil`: nobody.
    public func setHostSanitizer(_ sanitizer: (any HostSanitizer)?) {
        self.sanitizer.withLock { $0 = sanitizer }
    }

    var hostSanitizer: (any HostSanitizer)? { sanitizer.withLock { $0 } }

    /// From now on `handler` is asked about every challenge of this client's operations, after the operation's own handler (GLB-9).
    @discardableResult
    public func addChallengeHandler(_ handler: any ChallengeHandler) -> Registration {
        challengeHandlers.add(handler)
    }

    /// From now on `handler` is asked about every server's certificates, after the operation's own handler (GLB-9).
    @discardableResult
    public func addTrustHandler(_ handler: any ServerTrustHandler) -> Registration {
        trustHandlers.add(handler)
    }

    /// Counts the operations that are enqueued.
    func nextArrival() -> Int { arrivals.add(1, ordering: .relaxed).newValue }

    /// In `0..<1`.
    func randomFraction() -> Double {
        generator.withLock { generator in
            func draw(_ generator: inout some RandomNumberGenerator) -> Double { .random(in: 0..<1, using: &generator) }
            return draw(&generator)
        }
    }

    /// - Returns: whether no living queue has the identifier.
    func claim(_ identifier: String) -> Bool {
        queues.withLock { queues in
            guard queues.byIdentifier[identifier] == nil else { return false }
            queues.byIdentifier[identifier] = WeakQueue()
            return true
        }
    }

    /// - Returns: one that no living queue has, for a queue that needs no name.
    func claimIdentifier() -> String {
        queues.withLock { queues in
            var number = queues.byIdentifier.count + 1
            while queues.byIdentifier["queue-\(number)"] != nil { number += 1 }
            queues.byIdentifier["queue-\(number)"] = WeakQueue()
            return "queue-\(number)"
        }
    }
}

// MARK: Queues

extension NetworkClient {
    /// The queue for callers who need none of their own (QUE-1). It can't be suspended.
    public var defaultQueue: RequestOperationQueue {
        queues.withLock { queues in
            if let queue = queues.byIdentifier[RequestOperationQueue.defaultIdentifier]?.queue { return queue }
            let queue = RequestOperationQueue(defaultOf: self, observers: queues.defaultObservers)
            queues.byIdentifier[queue.identifier] = WeakQueue(queue: queue)
            return queue
        }
    }

    /// All operations of all queues that aren't over, in the order of their numbers: for a debugger, or for a list of everything that is
    /// under way (GLB-16).
    public var allOperations: [RequestOperation] {
        let queues = queues.withLock { $0.byIdentifier.values.compactMap(\.queue) }
        return queues.flatMap(\.operations).sorted { $0.id < $1.id }
    }

    /// Cancels every operation of every queue that isn't over: see ``RequestOperationQueue/cancelAll(_:)``.
    public func cancelAll(_ source: CancelSource = "the client was emptied") {
        let queues = queues.withLock { $0.byIdentifier.values.compactMap(\.queue) }
        for queue in queues { queue.cancelAll(source) }
    }

    /// A claimed identifier got its queue.
    func adopt(_ queue: RequestOperationQueue) {
        queues.withLock { $0.byIdentifier[queue.identifier] = WeakQueue(queue: queue) }
    }

    func release(_ identifier: String) {
        _ = queues.withLock { queues -> RequestOperationQueue? in
            // The default queue may have been made anew before the old one was gone. It is let go outside of the lock only.
            if let other = queues.byIdentifier[identifier]?.queue { return other }
            queues.byIdentifier[identifier] = nil
            return nil
        }
    }
}

// MARK: Counts

extension NetworkClient {
    /// How many operations have sent something and aren't over (CNT-1), without those whose configuration doesn't want to be counted.
    public var executingConnectionCount: Int { executing.value }

    /// Tells when ``executingConnectionCount`` leaves zero and comes back to it, from now on: for an activity indicator. Every
    /// call makes a stream of its own.
    public var executingConnectionCounts: AsyncStream<Int> { executing.stream() }
}

// MARK: Automatic dependencies

extension NetworkClient {
    /// An operation is enqueued: it waits for those that are more urgent, or becomes one of them (DEP-2).
    func applyThreshold(to operation: RequestOperation) {
        guard let threshold = settings.automaticDependencyThreshold else { return }
        if operation.priority > threshold { return urgent.withLock { $0[operation.id] = WeakOperation(operation) } }
        // One that itself waits for this operation doesn't hold it back: what was said goes before what is assumed.
        operation.addDependencies(urgent.withLock { $0.sorted { $0.key < $1.key }.compactMap(\.value.operation) })
    }

    func finished(_ operation: RequestOperation) {
        if settings.automaticDependencyThreshold != nil { urgent.withLock { $0[operation.id] = nil } }
    }
}

/// How many operations have sent something and aren't over (CNT-1).
final class ExecutingCount: Sendable {
    private let count = Atomic<Int>(0)
    private let listeners = Mutex(Listeners())

    private struct Listeners {
        var next = 0
        var continuations: [Int: AsyncStream<Int>.Continuation] = [:]
        var isBusy = false
    }

    var value: Int { count.load(ordering: .relaxed) }

    func add() {
        if count.add(1, ordering: .acquiringAndReleasing).oldValue == 0 { edge() }
    }

    func remove() {
        if count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { edge() }
    }

    /// Looks again under the lock: of two threads that cross, the second finds that there is nothing to tell.
    private func edge() {
        listeners.withLock { listeners in
            let now = count.load(ordering: .acquiring)
            guard (now > 0) != listeners.isBusy else { return }
            listeners.isBusy = now > 0
            for continuation in listeners.continuations.values { continuation.yield(now) }
        }
    }

    /// From now on; ends with the task that reads it.
    func stream() -> AsyncStream<Int> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let id = listeners.withLock { listeners in
            listeners.next += 1
            listeners.continuations[listeners.next] = continuation
            return listeners.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { _ = $0.continuations.removeValue(forKey: id) }
        }
        return stream
    }

    deinit {
        listeners.withLock { for continuation in $0.continuations.values { continuation.finish() } }
    }
}
