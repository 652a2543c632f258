import Synchronization

/// Decides when operations start: highest priority first, at most so many at a time, none while it is suspended.
///
/// A thin shell around ``StateMachine``, in the manner of ``RequestOperation``.
public final class RequestOperationQueue: Sendable {
    public let identifier: String
    public let client: NetworkClient
    let observers = ObserverList()
    private let core: Mutex<Core>

    /// - Parameter identifier: ASCII letters, digits and dots; no other living queue of the client may have it (QUE-1).
    public init(identifier: String, client: NetworkClient) throws(NetworkError) {
        self.identifier = identifier
        self.client = client
        let machine = StateMachine(
            maxConcurrentPerHost: client.settings.maxConcurrentPerHost, maxConcurrent: client.settings.maxConcurrent)
        self.core = Mutex(Core(machine: machine))
        if let error = Self.problem(with: identifier) ?? (client.claim(identifier) ? nil : Self.duplicate(identifier)) {
            // `deinit` runs for a throwing initializer too, and must not release what this queue didn't claim.
            throw error
        }
        core.withLock { $0.hasClaim = true }
    }

    deinit {
        if core.withLock({ $0.hasClaim }) { client.release(identifier) }
    }

    /// Hands an operation over. It starts now, or shows what it waits for. One that was cancelled before is left as it is.
    ///
    /// - Precondition: it hasn't been enqueued before, here or elsewhere (QUE-3).
    public func enqueue(_ operation: RequestOperation) {
        guard operation.enqueue(on: self) else { return }
        // Without a limit nobody asks for the host, and finding it in a URL costs.
        let host = client.settings.maxConcurrentPerHost == nil ? "" : operation.originalRequest.url.lowercasedHost ?? ""
        handle(.enqueue(operation.id, host: host, priority: operation.priority), adding: operation)
        // A cancel from another thread may have come before the queue knew the operation.
        if operation.state.isFinal { finished(operation) }
    }

    /// Makes an operation and enqueues it.
    @discardableResult
    public func enqueue(
        _ request: Request, configuration: RequestConfiguration = .init(), delegate: RequestDelegate = .init(),
        priority: Priority = .normal
    ) -> RequestOperation {
        let operation = RequestOperation(request, configuration: configuration, delegate: delegate, priority: priority)
        enqueue(operation)
        return operation
    }

    /// Starts nothing more until ``resume()`` was called as often; what runs goes on (QUE-2).
    public func suspend() { handle(.suspend) }

    /// Takes back one ``suspend()``; one too many does nothing.
    public func resume() { handle(.resume) }

    public var isSuspended: Bool { core.withLock { $0.machine.isSuspended } }

    /// Cancels every operation that isn't over, whatever it does or waits for; each completes once (QUE-4).
    public func cancelAll(_ source: CancelSource = "the queue was emptied") {
        handle(.cancelAll(source))
    }

    /// The operations that aren't over, in the order in which they were enqueued.
    public var operations: [RequestOperation] {
        core.withLock { $0.operations.values.sorted { $0.id < $1.id } }
    }

    /// Returns when no operation is left, also none that was enqueued meanwhile; or when the task is cancelled.
    public func drain() async {
        let number = core.withLock { core in
            core.drainCount += 1
            return core.drainCount
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = core.withLock { core in
                    if Task.isCancelled || core.operations.isEmpty { return true }
                    core.drains[number] = continuation
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            core.withLock { $0.drains.removeValue(forKey: number) }?.resume()
        }
    }

    /// From now on `observer` sees every event of the operations of this queue.
    @discardableResult
    public func addObserver(_ observer: any NetworkObserver) -> Registration {
        observers.add(observer)
    }

    var hasObservers: Bool { !observers.isDeaf || !client.observers.isDeaf }

    func finished(_ operation: RequestOperation) {
        let drains = core.withLock { core -> [CheckedContinuation<Void, Never>] in
            guard core.operations.removeValue(forKey: operation.id) != nil, core.operations.isEmpty else { return [] }
            defer { core.drains = [:] }
            return Array(core.drains.values)
        }
        handle(.finished(operation.id))
        for drain in drains { drain.resume() }
    }

    // MARK: The shell

    private struct Core {
        var machine: StateMachine
        var operations: [OperationID: RequestOperation] = [:]
        var effects: [StateMachine.Effect] = []
        var isDraining = false
        var drains: [Int: CheckedContinuation<Void, Never>] = [:]
        var drainCount = 0
        var hasClaim = false
    }

    /// Feeds the machine; its effects are performed outside of the lock, in order, by one thread at a time.
    private func handle(_ input: StateMachine.Input, adding operation: RequestOperation? = nil) {
        var isPerforming = core.withLock { core in
            if let operation { core.operations[operation.id] = operation }
            core.machine.handle(input, into: &core.effects)
            guard !core.isDraining, !core.effects.isEmpty else { return false }
            core.isDraining = true
            return true
        }
        var batch: [(StateMachine.Effect, RequestOperation)] = []
        while isPerforming {
            core.withLock { core in
                batch = core.effects.compactMap { effect in core.operations[effect.operation].map { (effect, $0) } }
                core.effects.removeAll(keepingCapacity: true)
            }
            for (effect, operation) in batch { perform(effect, on: operation) }
            isPerforming = core.withLock { core in
                core.isDraining = !core.effects.isEmpty
                return core.isDraining
            }
        }
    }

    private func perform(_ effect: StateMachine.Effect, on operation: RequestOperation) {
        switch effect {
        case .start: operation.handle(.start)
        case .wait(_, let reason): operation.handle(.wait(reason))
        case .cancel(_, let source): operation.cancel(source)
        }
    }

    // MARK: Identifiers

    private static func problem(with identifier: String) -> NetworkError? {
        let isValid =
            !identifier.isEmpty
            && identifier.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
        return isValid
            ? nil
            : NetworkError(
                .invalidQueue, phase: .queue, type: "queue.identifier.invalid",
                message: "\"\(identifier)\" can't name a queue: ASCII letters, digits and dots only, at least one.")
    }

    private static func duplicate(_ identifier: String) -> NetworkError {
        NetworkError(
            .invalidQueue, phase: .queue, type: "queue.identifier.duplicate",
            message: "There is a queue named \"\(identifier)\" already: use that one, or choose another name.")
    }
}
