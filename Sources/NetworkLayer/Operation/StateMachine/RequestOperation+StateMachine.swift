#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RequestOperation {
    /// What an operation does next, as a value: inputs in, effects out; no clock, no task, no I/O (section 2 of the reference).
    ///
    ///     idle ─> waiting(reason) ─> preparing ─> starting ─> running ─┬─> succeeded | failed | cancelled
    ///                                    ▲                             │
    ///                                    └──── waitingToRetry <────────┘
    ///
    /// Every event goes into ``log`` and through ``OperationMetrics/apply(_:)``, so the live metrics are the fold of the log by
    /// construction. An input that comes too late (of a transfer that is over, after the end) changes nothing.
    struct StateMachine: Sendable {
        let id: OperationID
        let request: Request
        /// A retry may change it.
        @Shared var configuration: RequestConfiguration
        var redirectRules: RedirectRules

        /// What happened so far.
        private(set) var log: [NetworkEvent] = []
        private(set) var metrics = OperationMetrics()
        private(set) var state = State.idle
        private(set) var isEnqueued = false
        /// The way to an attempt, while it prepares.
        var preparation: Preparation?
        /// Who took part in the last preparation.
        var participants: Participants = []
        /// The codings that the transport takes off by itself.
        var transportCodings: [String] = []
        /// The warnings that were given.
        var warnings: [ConfigurationWarning] = []
        var questionCount = 0
        /// The original request on its way to the transport (REQ-7).
        var requests = RequestHistory()
        /// The operations that must be over before it starts, or tries again. The queue sees to the start; who ends
        /// `waitingToRetry` looks here, and at ``Input/dependencies(_:)``.
        var unfinishedDependencies: [OperationID] = []
        /// The transfer under way, and what is to become of its answer.
        var exchange: Exchange?
        /// Whether a transfer needs a slot of the queue's; and the one it has, or waits for.
        var usesSlots = false
        var slot = Slot.none
        var deadlines: Deadlines
        var retrying = Retrying()
        var resuming = Resuming()
        /// Whether the client knows the machine's network, so that it can be waited for.
        var hasNetworkConditions = false
        var isAwaitingNetwork = false
        /// The calls of roles under way.
        var callbacks = CallbackWatch()
        /// The credentials that have been sent so far.
        var credentials = Credentials()
        /// When the alarm rings that was asked for last.
        var alarm: MonotonicTime?
        private var lastTime = MonotonicTime(nanoseconds: .min)
        private var effects: [PlacedEffect] = []

        init(id: OperationID, request: Request, configuration: Shared<RequestConfiguration>, hasRedirectDecider: Bool = false) {
            self.id = id
            self.request = request
            self._configuration = configuration
            self.redirectRules = RedirectRules(configuration: configuration.wrappedValue.redirects, hasDelegate: hasRedirectDecider)
            self.deadlines = Deadlines(configuration.wrappedValue.timeouts)
            // As many as a request without redirects has.
            log.reserveCapacity(20)
            metrics.states.reserveCapacity(4)
        }
    }
}

extension RequestOperation.StateMachine {
    typealias State = RequestOperation.State

    mutating func handle(_ input: Input, at time: MonotonicTime) -> [Effect] {
        var effects: [PlacedEffect] = []
        handle(input, at: time, into: &effects)
        return effects.map(\.effect)
    }

    /// Appends the effects of an input to `effects`, in the order in which they must be performed.
    mutating func handle(_ input: Input, at time: MonotonicTime, into effects: inout [PlacedEffect]) {
        guard !state.isFinal else { return }
        swap(&self.effects, &effects)
        defer { swap(&self.effects, &effects) }
        let time = max(time, lastTime)
        switch input {
        case .enqueue(let queue, let date, let callbackTimeout):
            guard !isEnqueued else { return }
            isEnqueued = true
            callbacks.setLimit(callbackTimeout)
            deadlines.enqueue(at: time)
            emit(.enqueued(queue: queue, date: date, timeouts: configuration.timeouts), at: time)
        case .wait(let reason, let detail):
            wait(reason, for: detail, at: time)
        case .refused(let error):
            guard isEnqueued, attemptsNothing else { return }
            finish(.failed, error, at: time)
        case .dependencies(let unfinished):
            setDependencies(unfinished, at: time)
        case .start:
            start(at: time)
        case .slot:
            slotGiven(at: time)
        case .participants(let participants, let transportCodings):
            participate(participants, transportCodings: transportCodings, at: time)
        case .answered(let answer, let number):
            answered(answer, number: number, at: time)
        case .callbackBegan(let tag, let number):
            callbacks.begin(number, tag, at: time)
            lookAgain(at: time)
        case .callbackEnded(let number):
            callbacks.end(number, at: time)
        case .transport(let kind, let attempt):
            guard isTransferring(attempt) else { return }
            handle(kind, at: time)
        case .decoded(let data, let latency, let isEnd, let attempt):
            guard exchange?.number == attempt, exchange?.decoding == .underWay, !retrying.isAsking else { return }
            decoded(data, latency: latency, isEnd: isEnd, at: time)
        case .backoffSignalled(let key, let behavior, let attempt):
            guard exchange?.number == attempt else { return }
            emit(.backoffSignalled(key: key, behavior), at: time)
        case .bodyClosed(let attempt, let hash):
            guard exchange?.number == attempt, exchange?.isClosingBody == true, !retrying.isAsking else { return }
            exchange?.bodyHash = hash
            finish(.succeeded, nil, at: time)
        case .bodyFailed(let error, let attempt):
            guard exchange?.number == attempt, !retrying.isAsking else { return }
            abandon(error, at: time)
        case .readerIsBehind(let isBehind, let attempt):
            guard isTransferring(attempt) else { return }
            setReaderBehind(isBehind, at: time)
        case .redirectDecided(let request, let attempt):
            guard exchange?.number == attempt, !retrying.isAsking else { return }
            redirectDecided(request, at: time)
        case .challengesAnswered(let answer, let attempt):
            guard exchange?.number == attempt, !retrying.isAsking else { return }
            challengesAnswered(answer, at: time)
        case .alarm:
            alarmRang(at: time)
        case .retryDecided(let decision, let policy):
            retryDecided(decision, by: policy, at: time)
        case .retryNow:
            retryNow(at: time)
        case .stopRetrying:
            stopRetrying(at: time)
        case .network(let isReachable):
            network(isReachable: isReachable, at: time)
        case .lineAnswered(let answer):
            lineAnswered(answer, at: time)
        case .cancel(let source):
            if exchange?.isTransferring == true { perform(.cancelTransfer) }
            let isClosingBody = exchange?.isClosingBody == true
            finish(.cancelled, .cancelled(by: source, metrics, step: askedStep, isClosingBody: isClosingBody), at: time)
        }
        if usesSlots { leaveNeedlessSlot() }
    }

    // MARK: States and events

    /// - Returns: whether there is such an edge; otherwise nothing happens (SM-1 to SM-4).
    @discardableResult
    mutating func transition(to next: State, at time: MonotonicTime) -> Bool {
        guard state.canBecome(next) else { return false }
        let previous = state
        state = next
        emit(.transition(from: previous, to: next), at: time)
        return true
    }

    mutating func emit(_ kind: NetworkEvent.Kind, at time: MonotonicTime) {
        lastTime = max(lastTime, time)
        let event = NetworkEvent(operation: id, attempt: exchange?.number, sequence: log.count, time: lastTime, kind: kind)
        metrics.apply(event)
        log.append(event)
    }

    mutating func perform(_ effect: Effect) {
        // As a rule one input has no more effects than that.
        if effects.capacity == 0 { effects.reserveCapacity(4) }
        effects.append(PlacedEffect(effect: effect, eventsBefore: log.count))
    }

    func isTransferring(_ attempt: Int) -> Bool {
        exchange?.number == attempt && exchange?.isTransferring == true && !retrying.isAsking
    }
}
