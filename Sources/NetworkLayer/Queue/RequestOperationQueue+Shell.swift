import Base
import HTTPTypes
import Synchronization

extension RequestOperationQueue {
    /// What the lock of a queue guards.
    struct Core {
        /// Others only read it; all changes go through ``handle(_:)``.
        private(set) var machine: StateMachine
        var hasClaim = false
        var operations: [OperationID: RequestOperation] = [:]
        /// The operations that are over and whose hook hasn't been called yet.
        var ended: [OperationID: RequestOperation] = [:]
        /// The operations that are over, and whose dependents haven't been released yet.
        var awaited: [OperationID: RequestOperation] = [:]
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

        mutating func handle(_ input: StateMachine.Input) { machine.handle(input, into: &effects) }

        /// The callers that wait until no operation is left.
        mutating func popDrains() -> [CheckedContinuation<Void, Never>] {
            guard !drains.isEmpty, isIdle else { return [] }
            defer { drains = [:] }
            return Array(drains.values)
        }

        mutating func drainEffects(into batch: inout [(StateMachine.Effect, RequestOperation?)]) {
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
            if let input = input(&core) { core.handle(input) }
            guard !core.isPerforming, !core.effects.isEmpty else {
                drains = core.popDrains()
                return false
            }
            core.isPerforming = true
            core.drainEffects(into: &batch)
            return true
        }
        while isPerforming {
            for (effect, operation) in batch { perform(effect, on: operation) }
            batch.removeAll(keepingCapacity: true)
            isPerforming = core.withLock { core in
                core.isPerforming = !core.effects.isEmpty
                core.drainEffects(into: &batch)
                drains = core.popDrains()
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
        case .proceed: operation?.handle(.slot)
        case .askSlot(let ticket, let host, let turn):
            let wish = TransferSlots.Wish(ticket: ticket, host: host, queue: number, queueLimit: configuration.maxConcurrent)
            client.slots.ask(wish) { [self] answer in
                handle { _ in .slot(ticket.operation, answer, turn: turn) }
            }
        case .releaseDependents(let id):
            core.withLock { $0.awaited.removeValue(forKey: id) }?.leaveDependencyGraph()
            handle { _ in .dependentsReleased(id) }
        case .leaveSlot(let id): client.slots.leave(id)
        case .setSlotPriority(let id, let priority): client.slots.setPriority(priority, of: id)
        case .wait(_, let reason, let detail): operation?.handle(.wait(reason, for: detail))
        case .cancel(_, let source): operation?.cancel(source)
        case .refuse(_, let waiting): operation?.handle(.refused(.queueFull(identifier, waiting: waiting)))
        case .askBackoff(let id):
            guard let operation else { return }
            client.backoffGate.join(
                .operation(id), operation.originalRequest.url, isLongPoll: operation.configuration.isLongPoll
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
            if outcome.hasDependents { core.awaited[operation.id] = operation }
            if core.machine.reportsBatches, core.machine.hasStarted(operation.id) { core.ended[operation.id] = operation }
            return .finished(operation.id, outcome)
        }
        client.finished(operation)
    }

    /// An operation has no transfer under way, or about to start.
    func standsAside(_ operation: RequestOperation) {
        handle { _ in .standsAside(operation.id) }
    }

    /// An operation that has started wants to begin its next transfer.
    func wantsSlot(_ operation: RequestOperation, for url: URL, isUnderWay: Bool) {
        let host = slotHost(of: url, for: operation)
        handle { _ in .wantsSlot(operation.id, host: host, isUnderWay: isUnderWay) }
    }

    /// The name under which a host is limited, where any is; its streams, which may stay open for ever, have one of their own.
    func slotHost(of url: URL, for operation: RequestOperation) -> String {
        guard client.slots.isByHost else { return "" }
        let isStream = operation.stream != nil && operation.configuration.isOpenEnded
        return isStream ? TransferSlots.streams(of: url.slotHost) : url.slotHost
    }

    /// The operations that one must wait for are others now.
    func dependenciesChanged(of operation: RequestOperation) {
        handle { core in
            core.operations[operation.id] == nil ? nil : .dependencies(operation.id, operation.dependencies)
        }
    }

    /// An operation is more urgent than before, or less.
    func priorityChanged(of operation: RequestOperation) {
        handle { core in
            core.operations[operation.id] == nil ? nil : .priority(operation.id, operation.priority)
        }
    }

    private func outcome(of operation: RequestOperation) -> StateMachine.Outcome {
        // Most queues have no dependencies, and then this check costs nothing.
        let hasDependents = operation.isInDependencyGraph.load(ordering: .sequentiallyConsistent)
        guard configuration.failureMode != .continue || !configuration.hooks.isEmpty else {
            return StateMachine.Outcome(hasDependents: hasDependents)
        }
        let metrics = operation.metrics
        let status = metrics.attempts.last?.head?.status.code ?? 0
        return StateMachine.Outcome(
            isFailure: metrics.state == .failed
                || (configuration.failures == .errorsAndStatuses && metrics.state == .succeeded && status >= 400),
            hasDependents: hasDependents)
    }
}

extension RequestOperationQueue.StateMachine.Effect {
    /// The operation that it concerns.
    var operation: OperationID? {
        switch self {
        case .start(let id), .proceed(let id), .wait(let id, _, _), .cancel(let id, _), .refuse(let id, _), .askBackoff(let id),
            .leaveBackoff(let id), .releaseDependents(let id), .leaveSlot(let id), .setSlotPriority(let id, _),
            .ended(let id):
            id
        case .askSlot(let ticket, _, _): ticket.operation
        case .batchStarted, .batchEnded: nil
        }
    }
}
