import Synchronization

/// Decides when operations start: after those they depend on, highest priority first, at most so many at a time, none to a host
/// that asked for a pause, none while it is suspended.
///
/// A thin shell around ``StateMachine``, in the manner of ``RequestOperation``.
public final class RequestOperationQueue: Sendable {
    /// In events, logs and metrics as the queue's name.
    public let identifier: String
    /// Whose transport, time and limits it uses.
    public let client: NetworkClient
    /// As it was when the queue was made.
    public let configuration: Configuration
    /// Which queue of the process it is.
    let number: Int
    /// Whether anything limits how many of its transfers there may be at a time.
    let asksSlot: Bool
    /// Whether its limits, and the client's, let anything be sent at all.
    let hasPlaces: Bool
    let observers: Registrations<any NetworkObserver>
    let core: Mutex<Core>

    private static let count = Atomic<Int>(0)

    /// Whether what is enqueued goes out without standing in any line: somebody who stands there, or holds up the others there, waits
    /// for it.
    @TaskLocal static var skipsLine = false

    static func withoutLine<Result: Sendable>(_ body: () async throws -> Result) async rethrows -> Result {
        try await $skipsLine.withValue(true) { try await body() }
    }

    /// - Parameter identifier: ASCII letters, digits, dots and hyphens; no other living queue of the client may have it (QUE-1).
    public init(identifier: String, client: NetworkClient, configuration: Configuration = .init()) throws(NetworkError) {
        self.identifier = identifier
        self.client = client
        self.configuration = configuration
        self.number = Self.count.add(1, ordering: .relaxed).newValue
        self.asksSlot = client.slots.isOn || configuration.maxConcurrent != nil
        self.hasPlaces = client.slots.hasPlaces && configuration.maxConcurrent ?? 1 > 0
        self.observers = Registrations()
        self.core = Mutex(Core(machine: Self.machine(configuration)))
        if let error = Self.problem(with: identifier) ?? (client.claim(identifier) ? nil : Self.duplicate(identifier)) {
            // `deinit` runs for a throwing initializer too, and must not release what this queue didn't claim.
            throw error
        }
        core.withLock { $0.hasClaim = true }
        client.adopt(self)
    }

    /// A queue that nobody asks for by its name: that is "queue-" and a number.
    public convenience init(client: NetworkClient, configuration: Configuration = .init()) {
        self.init(claimed: client.claimIdentifier(), client: client, configuration: configuration, observers: Registrations())
        client.adopt(self)
    }

    /// The client's own, which has the only identifier that others can't have.
    convenience init(defaultOf client: NetworkClient, observers: Registrations<any NetworkObserver>) {
        self.init(claimed: Self.defaultIdentifier, client: client, configuration: Configuration(), observers: observers)
    }

    private init(
        claimed identifier: String, client: NetworkClient, configuration: Configuration,
        observers: Registrations<any NetworkObserver>
    ) {
        self.identifier = identifier
        self.client = client
        self.configuration = configuration
        self.number = Self.count.add(1, ordering: .relaxed).newValue
        self.asksSlot = client.slots.isOn || configuration.maxConcurrent != nil
        self.hasPlaces = client.slots.hasPlaces && configuration.maxConcurrent ?? 1 > 0
        self.observers = observers
        self.core = Mutex(Core(machine: Self.machine(configuration), hasClaim: true))
    }

    deinit {
        let (hasClaim, operations) = core.withLock { ($0.hasClaim, $0.operations.values) }
        for operation in operations { operation.cancel("its queue went away while it was suspended") }
        if hasClaim { client.release(identifier) }
    }

    private static func machine(_ configuration: Configuration) -> StateMachine {
        StateMachine(
            maxWaiting: configuration.maxWaiting, failureMode: configuration.failureMode,
            reportsBatches: !configuration.hooks.isEmpty)
    }

    // MARK: Operations

    /// Hands an operation over. It starts now, or shows what it waits for.
    ///
    /// - Returns: `false`, with nothing done, when it had been enqueued or cancelled before: it runs once (QUE-3).
    @discardableResult
    public func enqueue(_ operation: RequestOperation) -> Bool {
        let skipsLine = Self.skipsLine
        let asksSlot = asksSlot && !skipsLine
        guard operation.enqueue(on: self, usesSlots: asksSlot, skipsLine: skipsLine) else { return false }
        guard hasPlaces else {
            operation.handle(.refused(.noPlaces(in: identifier)))
            return true
        }
        if !skipsLine { client.applyThreshold(to: operation) }
        let host = slotHost(of: operation.originalRequest.url, for: operation)
        let asksBackoff = client.backoffGate.isOn && !skipsLine
        handle { core in
            core.operations[operation.id] = operation
            return .enqueue(
                .init(
                    operation: operation.id, host: host, priority: operation.priority, number: client.nextArrival(),
                    dependencies: operation.dependencies, asksBackoff: asksBackoff, asksSlot: asksSlot, skipsLine: skipsLine))
        }
        // A cancel from another thread may have come before the queue knew the operation.
        if operation.state.isFinal { finished(operation) }
        return true
    }

    /// Makes an operation and enqueues it.
    ///
    /// - Parameter configuration: `nil`: the client's, ``NetworkClient/configuration``.
    @discardableResult
    public func enqueue(
        _ request: Request, configuration: RequestConfiguration? = nil, delegate: RequestDelegate = .init(),
        priority: Priority = .normal
    ) -> RequestOperation {
        let (configuration, delegate) = client.completed(configuration, delegate)
        let operation = RequestOperation(request, custom: nil, configuration: configuration, delegate: delegate, priority: priority)
        enqueue(operation)
        return operation
    }

    /// The operations that aren't over, in the order of their numbers.
    public var operations: [RequestOperation] {
        // One that is over stays in the core until it has told everybody.
        core.withLock { Array($0.operations.values) }.filter { !$0.state.isFinal }.sorted { $0.id < $1.id }
    }

    /// Cancels every operation that isn't over, whatever it does or waits for; each completes once (QUE-4).
    public func cancelAll(_ source: CancelSource = "the queue was emptied") {
        handle { _ in .cancelAll(source) }
    }

    /// - Parameter error: why: the cause of the error that each ends with.
    public func cancelAll(_ source: CancelSource, underlying error: any Error) {
        cancelAll(source.with(underlying: error))
    }

    /// Returns when no operation is left, also none that was enqueued meanwhile, and the hooks have heard of it; or when the task is
    /// cancelled.
    public func drain() async {
        let number = core.withLock { core in
            core.drainCount += 1
            return core.drainCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = core.withLock { core in
                    if Task.isCancelled || core.isIdle { return true }
                    core.drains[number] = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            core.withLock { $0.drains.removeValue(forKey: number) }?.resume()
        }
    }

    // MARK: Suspending

    /// Starts nothing more until ``resume()`` was called as often; what runs goes on (QUE-2). The default queue can't be suspended. A
    /// queue that nobody refers to any more cancels what waits for that.
    public func suspend() {
        guard identifier != Self.defaultIdentifier else { return }
        handle { _ in .suspend }
    }

    /// Undoes one ``suspend()``. Without a suspension left it does nothing.
    public func resume() {
        handle { _ in .resume }
    }

    /// Whether ``suspend()`` was called more often than ``resume()``.
    public var isSuspended: Bool { core.withLock { $0.machine.isSuspended } }

    // MARK: Observers

    /// From now on `observer` sees every event of the operations of this queue, before the observers of the client do.
    @discardableResult
    public func addObserver(_ observer: any NetworkObserver) -> Registration {
        observers.add(observer)
    }

    var hasObservers: Bool { !observers.isEmpty || !client.observers.isEmpty }
}

extension RequestOperationQueue {
    /// The identifier of ``NetworkClient/defaultQueue``.
    static let defaultIdentifier = "client.default"

    static func problem(with identifier: String) -> NetworkError? {
        if identifier == defaultIdentifier { return duplicate(identifier) }
        let isValid =
            !identifier.isEmpty
            && identifier.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
        return isValid
            ? nil
            : NetworkError(
                .invalidQueue, phase: .queue, type: "queue.identifier.invalid",
                message: "\"\(identifier)\" can't name a queue: ASCII letters, digits, dots and hyphens only, at least one.")
    }

    static func duplicate(_ identifier: String) -> NetworkError {
        NetworkError(
            .invalidQueue, phase: .queue, type: "queue.identifier.duplicate",
            message: "There is a queue named \"\(identifier)\" already: use that one, or choose another name.")
    }
}

extension RequestOperationQueue {
    /// Sends a request of the caller's own type; see ``RequestConvertible``.
    @discardableResult
    public func enqueue(
        _ source: some RequestConvertible, configuration: RequestConfiguration? = nil, delegate: RequestDelegate = .init(),
        priority: Priority = .normal
    ) -> RequestOperation {
        let (configuration, delegate) = client.completed(configuration, delegate)
        let operation = RequestOperation(
            Request(source), custom: source, configuration: configuration, delegate: delegate, priority: priority)
        enqueue(operation)
        return operation
    }
}
