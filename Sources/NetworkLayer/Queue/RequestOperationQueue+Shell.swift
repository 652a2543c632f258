import HTTPTypes
import Synchronization

extension RequestOperationQueue {
    /// What the lock of a queue guards.
    struct Core {
        var machine: StateMachine
        var hasClaim = false
        var operations: [OperationID: RequestOperation] = [:]
        /// Those that are over, until their hook has heard of it.
        var ended: [OperationID: RequestOperation] = [:]
        var effects: [StateMachine.Effect] = []
        /// Whether a thread is performing effects: it will come to what is added meanwhile.
        var isPerforming = false
        var drains: [Int: CheckedContinuation<Void, Never>] = [:]
        var drainCount = 0

        init(machine: StateMachine, hasClaim: Bool = false) {
            self.machine = machine
            self.hasClaim = hasClaim
        }

        var isIdle: Bool { operations.isEmpty && ended.isEmpty && effects.isEmpty && !isPerforming }

        /// Those who wait for nothing to be left, when that is so.
        mutating func takeDrains() -> [CheckedContinuation<Void, Never>] {
            guard !drains.isEmpty, isIdle else { return [] }
            defer { drains = [:] }
            return Array(drains.values)
        }

        mutating func takeBatch(_ batch: inout [(StateMachine.Effect, RequestOperation?)]) {
            for effect in effects { batch.append((effect, effect.operation.flatMap { operations[$0] })) }
            effects.removeAll(keepingCapacity: true)
        }
    }

    /// Feeds the machine with what `input` makes under the lock; the effects are performed outside of it, in order, by one thread
    /// at a time.
    func handle(_ input: (inout Core) -> StateMachine.Input?) {
        var batch: [(StateMachine.Effect, RequestOperation?)] = []
        var drains: [CheckedContinuation<Void, Never>] = []
        var isPerforming = core.withLock { core in
            if let input = input(&core) { core.machine.handle(input, into: &core.effects) }
            guard !core.isPerforming, !core.effects.isEmpty else {
                drains = core.takeDrains()
                return false
            }
            core.isPerforming = true
            core.takeBatch(&batch)
            return true
        }
        while isPerforming {
            for (effect, operation) in batch { perform(effect, on: operation) }
            batch.removeAll(keepingCapacity: true)
            isPerforming = core.withLock { core in
                core.isPerforming = !core.effects.isEmpty
                core.takeBatch(&batch)
                drains = core.takeDrains()
                return core.isPerforming
            }
        }
        for drain in drains { drain.resume() }
    }

    private func perform(_ effect: StateMachine.Effect, on operation: RequestOperation?) {
        switch effect {
        case .start:
            guard let operation else { return }
            configuration.hooks.beforeEach?(operation)
            operation.handle(.start)
        case .wait(_, let reason, let detail): operation?.handle(.wait(reason, for: detail))
        case .cancel(_, let source): operation?.cancel(source)
        case .refuse(_, let waiting): operation?.handle(.refused(.queueFull(identifier, waiting: waiting)))
        case .askBackoff(let id):
            guard let operation else { return }
            client.backoffGate.join(
                .operation(id), operation.originalRequest.url, isLongPoll: operation.configuration.timeouts.isLongPoll
            ) { [self] answer in
                handle { _ in .backoff(id, answer) }
            }
        case .leaveBackoff(let id): client.backoffGate.leave(.operation(id))
        case .batchStarted: configuration.hooks.beforeAll?()
        case .ended(let id): tellEnd(of: id)
        case .batchEnded(let hasFailure): configuration.hooks.afterAll?(hasFailure)
        }
    }

    private func tellEnd(of id: OperationID) {
        guard let operation = core.withLock({ $0.ended.removeValue(forKey: id) }) else { return }
        guard let hook = configuration.hooks.afterEach, let response = operation.finalResponse else { return }
        hook(operation, response)
    }

    // MARK: What operations tell

    func finished(_ operation: RequestOperation) {
        let outcome = outcome(of: operation)
        handle { core in
            guard core.operations.removeValue(forKey: operation.id) != nil else { return nil }
            if core.machine.reportsBatches, core.machine.isRunning(operation.id) { core.ended[operation.id] = operation }
            return .finished(operation.id, outcome)
        }
        client.finished(operation)
    }

    /// The operations that one must wait for are others now.
    func dependenciesChanged(of operation: RequestOperation) {
        handle { core in
            core.operations[operation.id] == nil ? nil : .dependencies(operation.id, operation.dependencies)
        }
    }

    private func outcome(of operation: RequestOperation) -> StateMachine.Outcome {
        // Most queues don't ask, and then looking costs nothing.
        guard client.settings.adaptiveLimit != nil || configuration.failureMode != .continue || !configuration.hooks.isEmpty else {
            return StateMachine.Outcome()
        }
        let metrics = operation.metrics
        let attempt = metrics.attempts.last
        let status = attempt?.head?.status.code ?? 0
        return StateMachine.Outcome(
            isFailure: metrics.state == .failed
                || (configuration.failures == .errorsAndStatuses && metrics.state == .succeeded && status >= 400),
            roundTrip: attempt?.head == nil || attempt?.error != nil ? nil : attempt?.phases[.wait]?.duration)
    }
}

extension RequestOperationQueue.StateMachine.Effect {
    /// Whom it concerns.
    var operation: OperationID? {
        switch self {
        case .start(let id), .wait(let id, _, _), .cancel(let id, _), .refuse(let id, _), .askBackoff(let id),
            .leaveBackoff(let id), .ended(let id):
            id
        case .batchStarted, .batchEnded: nil
        }
    }
}

extension Timeouts {
    /// Whether it is meant to wait for as long as it takes, TNL's way to tell (BKO-5): no attempt timeout, or one below a second.
    var isLongPoll: Bool { attempt.map { $0 < .seconds(1) } ?? true }
}
