import FoundationEssentials

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
        let configuration: RequestConfiguration
        let redirectRules: RedirectRules

        /// What happened so far.
        private(set) var log: [NetworkEvent] = []
        private(set) var metrics = OperationMetrics()
        private(set) var state = State.idle
        private(set) var isEnqueued = false
        /// The transfer under way, and what is to become of its answer.
        var exchange: Exchange?
        var deadlines: Deadlines
        private var alarm: MonotonicTime?
        private var lastTime = MonotonicTime(nanoseconds: .min)
        private var effects: [Effect] = []

        init(id: OperationID, request: Request, configuration: RequestConfiguration, hasRedirectDecider: Bool = false) {
            self.id = id
            self.request = request
            self.configuration = configuration
            self.redirectRules = RedirectRules(configuration: configuration.redirects, hasDelegate: hasRedirectDecider)
            self.deadlines = Deadlines(configuration.timeouts)
            // As many as a request without redirects has.
            log.reserveCapacity(14)
            metrics.states.reserveCapacity(4)
        }
    }
}

extension RequestOperation.StateMachine {
    typealias State = RequestOperation.State

    enum Input: Sendable {
        /// The operation was handed to a queue.
        case enqueue(queue: String, date: Date)
        /// The queue can't start it yet.
        case wait(RequestOperation.WaitReason)
        /// The queue has a place for it.
        case start
        /// The answer to ``Effect/prepare``.
        indirect case prepared(Request)
        indirect case preparationFailed(NetworkError)
        case transport(TransportEvent.Kind, attempt: Int)
        /// The answer to ``Effect/closeBody(attempt:)``.
        case bodyClosed(attempt: Int)
        /// The body could not be kept.
        indirect case bodyFailed(NetworkError, attempt: Int)
        /// The reader of a streamed body is behind, or has caught up.
        case readerIsBehind(Bool, attempt: Int)
        /// The answer to ``Effect/askRedirect(proposed:after:from:attempt:)``.
        indirect case redirectDecided(Request?, attempt: Int)
        /// The alarm set by ``Effect/setAlarm(_:)`` rang.
        case alarm
        case cancel(CancelSource)
    }

    enum Effect: Sendable, Hashable {
        /// Make the request as it was given ready to be sent (PRE-2): for now, validate it.
        case prepare
        indirect case startTransfer(Request, attempt: Int)
        case cancelTransfer
        case pauseReceiving
        case resumeReceiving
        case write(Data, attempt: Int)
        case closeBody(attempt: Int)
        indirect case askRedirect(proposed: Request, after: ResponseHead, from: Request, attempt: Int)
        /// In place of the one that was set before.
        case setAlarm(MonotonicTime)
        case clearAlarm
        /// The last effect of an operation: everything that waits for its end may go on.
        case finish
    }

    mutating func handle(_ input: Input, at time: MonotonicTime) -> [Effect] {
        var effects: [Effect] = []
        handle(input, at: time, into: &effects)
        return effects
    }

    /// Appends the effects of an input to `effects`, in the order in which they must be performed.
    mutating func handle(_ input: Input, at time: MonotonicTime, into effects: inout [Effect]) {
        guard !state.isFinal else { return }
        swap(&self.effects, &effects)
        defer { swap(&self.effects, &effects) }
        let time = max(time, lastTime)
        switch input {
        case .enqueue(let queue, let date):
            guard !isEnqueued else { return }
            isEnqueued = true
            deadlines.enqueued = time
            emit(.enqueued(queue: queue, date: date, timeouts: configuration.timeouts), at: time)
        case .wait(let reason):
            guard isEnqueued, transition(to: .waiting(reason), at: time) else { return }
            lookAgain(at: time)
        case .start:
            guard isEnqueued, state != .waitingToRetry, transition(to: .preparing, at: time) else { return }
            deadlines.attemptArmed = time
            lookAgain(at: time)
            perform(.prepare)
        case .prepared(let request):
            guard state == .preparing else { return }
            startAttempt(.initial, request, at: time)
        case .preparationFailed(let error):
            guard state == .preparing else { return }
            finish(.failed, error, at: time)
        case .transport(let kind, let attempt):
            guard isTransferring(attempt) else { return }
            handle(kind, at: time)
        case .bodyClosed(let attempt):
            guard exchange?.number == attempt, exchange?.isClosingBody == true else { return }
            finish(.succeeded, nil, at: time)
        case .bodyFailed(let error, let attempt):
            guard exchange?.number == attempt else { return }
            abandon(error, at: time)
        case .readerIsBehind(let isBehind, let attempt):
            guard isTransferring(attempt) else { return }
            setReaderBehind(isBehind, at: time)
        case .redirectDecided(let request, let attempt):
            guard exchange?.number == attempt else { return }
            redirectDecided(request, at: time)
        case .alarm:
            alarmRang(at: time)
        case .cancel(let source):
            if exchange?.isTransferring == true { perform(.cancelTransfer) }
            let isClosingBody = exchange?.isClosingBody == true
            finish(.cancelled, .cancelled(by: source, metrics, isClosingBody: isClosingBody), at: time)
        }
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
        effects.append(effect)
    }

    func isTransferring(_ attempt: Int) -> Bool {
        exchange?.number == attempt && exchange?.isTransferring == true
    }

    // MARK: Ends

    /// Every final candidate passes here (SM-6): an attempt that runs is ended, then the operation.
    mutating func finish(_ final: State, _ error: NetworkError?, at time: MonotonicTime) {
        if exchange != nil { endAttempt(.completing, error, at: time) }
        transition(to: final, at: time)
        emit(.completed(final, error), at: time)
        if alarm != nil { perform(.clearAlarm) }
        alarm = nil
        perform(.finish)
    }

    /// Fails, and cuts off the transfer if there is one.
    mutating func abandon(_ error: NetworkError, at time: MonotonicTime) {
        if exchange?.isTransferring == true { perform(.cancelTransfer) }
        finish(.failed, error, at: time)
    }

    // MARK: Timeouts

    private mutating func alarmRang(at time: MonotonicTime) {
        // One that was replaced may still ring.
        guard let alarm, alarm <= time else { return }
        self.alarm = nil
        if let timeout = deadlines.due(at: time) {
            abandon(.timedOut(timeout, configuration.timeouts, metrics, request: request, at: time), at: time)
        } else {
            lookAgain(at: time)
        }
    }

    private mutating func lookAgain(at time: MonotonicTime) {
        guard let next = deadlines.nextLook(after: time) else { return }
        if let alarm, alarm <= next { return }
        alarm = next
        perform(.setAlarm(next))
    }
}
