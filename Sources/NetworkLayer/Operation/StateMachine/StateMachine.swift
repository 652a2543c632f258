import Base

extension RequestOperation {
    /// What an operation does next, as a value: inputs in, effects out; no clock, no task, no I/O (section 2 of the reference).
    ///
    ///     idle ─> waiting(reason) ─> preparing ─> starting ─> running ─┬─> succeeded | failed | cancelled
    ///                                    ▲                             │
    ///                                    └──── waitingToRetry <────────┘
    ///
    /// Every event goes into ``log`` and through ``OperationMetrics/apply(_:)``, so the live metrics are the fold of the log by
    /// construction. An input that comes too late (of a transfer that is over, after the end) changes nothing.
    ///
    /// What it needs in one phase alone lies in ``phase``; beside it lies what outlasts phases.
    struct StateMachine: Sendable {
        let id: OperationID
        let request: Request
        /// A retry may change it.
        @Shared var configuration: RequestConfiguration
        var redirectRules: RedirectRules

        /// What happened so far.
        private(set) var log: [NetworkEvent] = []
        private(set) var metrics = OperationMetrics()
        /// What it is doing, and what it needs for that alone. It changes by ``enter(_:at:)``, which reports it.
        private(set) var phase = Phase.waiting(nil, awaitsNetwork: false)
        /// Who took part in the last preparation.
        var participants: Participants = []
        /// The codings that the transport takes off by itself.
        var transportCodings: [String] = []
        /// The warnings that were given.
        var warnings: [ConfigurationWarning] = []
        var questionCount = 0
        /// The original request as the hydrator made it.
        var hydratedRequest: Request?
        /// The operations that must be over before it starts, or tries again. The queue sees to the start; who ends
        /// `waitingToRetry` looks here, and at ``Input/dependencies(_:)``.
        var unfinishedDependencies: [OperationID] = []
        /// What it was told when a queue took it.
        private(set) var terms = Terms()
        /// The URL whose host the operation holds a slot for; `nil`: it holds none.
        var slot: URL?
        var deadlines: Deadlines
        /// Retries so far.
        var retryCount = 0
        /// Nobody is to be asked about a retry any more: ``RequestOperation/stopRetrying()``.
        var isRetryingStopped = false
        /// Whether a retry has a place in the line of those who wait for hosts' pauses, be it waiting or under way.
        var isInLine = false
        var resuming = Resuming()
        /// The calls of roles under way.
        var callbacks = CallbackWatch()
        /// The credentials that have been sent so far.
        var credentials = Credentials()
        /// The time of the alarm that was set last.
        var alarm: MonotonicTime?
        private var lastTime = MonotonicTime(nanoseconds: .min)
        private var effects: [PlacedEffect] = []

        init(id: OperationID, request: Request, configuration: Shared<RequestConfiguration>, hasRedirectDecider: Bool = false) {
            self.id = id
            self.request = request
            self._configuration = configuration
            self.redirectRules = RedirectRules(configuration: configuration.wrappedValue.redirects, hasDelegate: hasRedirectDecider)
            self.deadlines = Deadlines(configuration.wrappedValue.timeoutsInForce)
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
        guard !phase.isOver else { return }
        swap(&self.effects, &effects)
        defer { swap(&self.effects, &effects) }
        let time = max(time, lastTime)
        switch input {
        case .enqueue(let queue, let date, let callbackTimeout, let terms):
            guard !isEnqueued else { return }
            self.terms = terms
            callbacks.setLimit(callbackTimeout)
            deadlines.enqueue(at: time)
            emit(.enqueued(queue: queue, date: date, timeouts: configuration.timeoutsInForce), at: time)
        case .wait(let reason, let detail):
            wait(reason, for: detail, at: time)
        case .refused(let error):
            guard isEnqueued, case .waiting = phase else { return }
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
        case .conditions(let conditions):
            exchange?.network = conditions
        case .decoded(let data, let latency, let isEnd, let attempt):
            guard isAttempting(attempt), exchange?.decoding == .underWay else { return }
            decoded(data, latency: latency, isEnd: isEnd, at: time)
        case .backoffSignalled(let key, let behavior, let attempt):
            guard exchange?.number == attempt else { return }
            emit(.backoffSignalled(key: key, behavior), at: time)
        case .bodyClosed(let attempt, let hash):
            guard isAttempting(attempt), exchange?.isClosingBody == true else { return }
            exchange?.bodyHash = hash
            finish(.succeeded, nil, at: time)
        case .bodyFailed(let error, let attempt):
            guard isAttempting(attempt) else { return }
            abandon(error, at: time)
        case .session(let kind):
            if exchange?.isSession == true { emit(kind, at: time) }
        case .sessionEnded(let error):
            guard exchange?.isSession == true else { return }
            if let error { return abandon(error, at: time) }
            if exchange?.isTransferring == true {
                perform(.cancelTransfer)
                exchange?.transfer = .cutOff
            }
            finish(.succeeded, nil, at: time)
        case .readerIsBehind(let isBehind, let attempt):
            guard isTransferring(attempt) else { return }
            setReaderBehind(isBehind, at: time)
        case .redirectDecided(let request, let attempt):
            guard isAttempting(attempt) else { return }
            redirectDecided(request, at: time)
        case .challengesAnswered(let answer, let attempt):
            guard isAttempting(attempt) else { return }
            challengesAnswered(answer, at: time)
        case .alarm:
            alarmRang(at: time)
        case .retryDecided(let decision, let policy, let pausesHosts):
            retryDecided(decision, by: policy, pausesHosts: pausesHosts, at: time)
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
        if slot != nil { leaveNeedlessSlot() }
    }

    // MARK: States and events

    /// Whether a queue has it, or had it.
    var isEnqueued: Bool { metrics.enqueued != nil }

    /// Where it stands.
    var state: State { phase.state }

    /// Goes on to another phase, or goes on in the same with something else to keep, and reports the state where that is another one.
    ///
    /// - Returns: whether the state is another one; where no edge leads there, nothing happens (SM-1 to SM-4).
    @discardableResult
    mutating func enter(_ next: Phase, at time: MonotonicTime) -> Bool {
        let (previous, state) = (phase.state, next.state)
        guard previous != state else {
            phase = next
            return false
        }
        guard previous.canBecome(state) else { return false }
        phase = next
        emit(.transition(from: previous, to: state), at: time)
        return true
    }

    /// The attempt that isn't over, also while policies are asked about it.
    var exchange: CopyOnWrite<Exchange>? {
        get {
            switch phase {
            case .attempting(let exchange, _): exchange
            case .asking(let asking): asking.exchange
            default: nil
            }
        }
        // Taken out and put back, so that it is changed in place. Nobody puts back nothing. The short way is for the phase that most
        // events come in, and costs a third of what the compiler makes of both in one.
        _modify {
            if case .attempting(let attempting, let isRunning) = phase {
                var exchange: CopyOnWrite<Exchange>? = attempting
                phase = .waiting(nil, awaitsNetwork: false)
                defer { if let exchange { phase = .attempting(exchange, isRunning: isRunning) } }
                yield &exchange
            } else {
                var exchange = removeAskedExchange()
                defer { putBackAsked(exchange) }
                yield &exchange
            }
        }
    }

    @inline(never)
    private mutating func removeAskedExchange() -> CopyOnWrite<Exchange>? {
        guard case .asking(var asking) = phase else { return nil }
        defer {
            asking.exchange = nil
            phase = .asking(asking)
        }
        return asking.exchange
    }

    @inline(never)
    private mutating func putBackAsked(_ exchange: CopyOnWrite<Exchange>?) {
        guard case .asking(var asking) = phase else { return }
        asking.exchange = exchange
        phase = .asking(asking)
    }

    mutating func emit(_ kind: NetworkEvent.Kind, at time: MonotonicTime) {
        emit(kind, attempt: exchange?.number, at: time)
    }

    mutating func emit(_ kind: NetworkEvent.Kind, attempt: Int?, at time: MonotonicTime) {
        lastTime = max(lastTime, time)
        let event = NetworkEvent(operation: id, attempt: attempt, sequence: log.count, time: lastTime, kind: kind)
        metrics.apply(event)
        log.append(event)
    }

    mutating func perform(_ effect: Effect) {
        // As a rule one input has no more effects than that.
        if effects.capacity == 0 { effects.reserveCapacity(4) }
        effects.append(PlacedEffect(effect: effect, eventsBefore: log.count))
    }
}
