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
        /// A retry may change it. Behind a reference: it is read everywhere and hardly ever set.
        var configuration: RequestConfiguration {
            get { configurationBox.value }
            set { configurationBox = Box(newValue) }
        }
        private var configurationBox: Box<RequestConfiguration>
        var redirectRules: RedirectRules
        /// Whether answers may ask for a pause.
        var checksBackoff = false

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
        private(set) var unfinishedDependencies: [OperationID] = []
        /// The transfer under way, and what is to become of its answer.
        var exchange: Exchange?
        var deadlines: Deadlines
        var retrying = Retrying()
        /// Whether the client knows the machine's network, so that it can be waited for.
        var hasNetworkConditions = false
        var isAwaitingNetwork = false
        /// The calls of roles under way.
        var callbacks = CallbackWatch()
        /// What has been said of who we are.
        var credentials = Credentials()
        private var alarm: MonotonicTime?
        private var lastTime = MonotonicTime(nanoseconds: .min)
        private var effects: [Effect] = []

        init(id: OperationID, request: Request, configuration: RequestConfiguration, hasRedirectDecider: Bool = false) {
            self.id = id
            self.request = request
            self.configurationBox = Box(configuration)
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
        case enqueue(queue: String, date: Date, callbackTimeout: Duration? = .seconds(10))
        /// The queue can't start it yet.
        case wait(RequestOperation.WaitReason, for: WaitDetail? = nil)
        /// The queue doesn't take it.
        indirect case refused(NetworkError)
        /// All operations that must be over before it starts or tries again, whenever that changes; none when it may.
        case dependencies([OperationID])
        /// The queue has a place for it.
        case start
        /// The answer to ``Effect/prepare``: who takes part, and what the transport decodes by itself.
        case participants(Participants, transportCodings: [String] = [])
        /// The answer to ``Effect/ask(_:about:number:)``.
        indirect case answered(PreparationAnswer, number: Int)
        /// A call of a role has begun, under a number that no other call of the operation has.
        indirect case callbackBegan(CallbackTag, number: Int)
        case callbackEnded(number: Int)
        case transport(TransportEvent.Kind, attempt: Int)
        /// The answer to ``Effect/decode(_:attempt:)``, and with `isEnd` to ``Effect/finishDecoding(attempt:)``.
        indirect case decoded(Data, latency: Duration, isEnd: Bool, attempt: Int)
        /// The answer to ``Effect/checkBackoff(_:from:attempt:)``, when it is one.
        case backoffSignalled(key: String, BackoffBehavior, attempt: Int)
        /// The answer to ``Effect/closeBody(attempt:)``.
        indirect case bodyClosed(attempt: Int, hash: BodyHash? = nil)
        /// The body could not be kept.
        indirect case bodyFailed(NetworkError, attempt: Int)
        /// The reader of a streamed body is behind, or has caught up.
        case readerIsBehind(Bool, attempt: Int)
        /// The answer to ``Effect/askRedirect(proposed:after:from:attempt:)``.
        indirect case redirectDecided(Request?, attempt: Int)
        /// The answer to ``Effect/askChallenges(_:attempt:)``.
        indirect case challengesAnswered(ChallengeAnswer, attempt: Int)
        /// The alarm set by ``Effect/setAlarm(_:)`` rang.
        case alarm
        /// The answer to ``Effect/askRetryPolicy(_:)``, and which policy gave it.
        indirect case retryDecided(RetryDecision, by: String?)
        case retryNow
        case stopRetrying
        /// The answer to ``Effect/awaitNetwork``.
        case network(isReachable: Bool)
        case cancel(CancelSource)
    }

    enum Effect: Sendable, Hashable {
        /// Say who takes part in making the request ready to be sent.
        case prepare
        /// Ask the roles that take part in a step.
        indirect case ask(PreparationStep, about: Request, number: Int)
        indirect case startTransfer(Request, attempt: Int)
        case cancelTransfer
        /// Whether this answer asks for a pause.
        indirect case checkBackoff(ResponseHead, from: URL, attempt: Int)
        case pauseReceiving
        case resumeReceiving
        case decode(Data, attempt: Int)
        case finishDecoding(attempt: Int)
        case write(Data, attempt: Int)
        case closeBody(attempt: Int)
        indirect case askRedirect(proposed: Request, after: ResponseHead, from: Request, attempt: Int)
        /// At least one, the strongest scheme first.
        indirect case askChallenges([AuthenticationChallenge], attempt: Int)
        indirect case askRetryPolicy(RetryQuestion)
        /// Tell the policy that decided last.
        case tellRetryPolicy(RetryNotice)
        /// Forget what was kept of the last attempt's body: another attempt begins.
        case dropBody
        case awaitNetwork
        /// In place of the one that was set before.
        case setAlarm(MonotonicTime)
        case clearAlarm
        /// The last effect of an operation: everything that waits for its end may go on.
        case finish
    }

    /// A value that isn't copied with what refers to it.
    final class Box<Value: Sendable>: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    enum RetryNotice: Sendable, Hashable {
        case willStart(after: Duration), didStart
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
        case .enqueue(let queue, let date, let callbackTimeout):
            guard !isEnqueued else { return }
            isEnqueued = true
            callbacks.setLimit(callbackTimeout)
            deadlines.enqueued = time
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
        case .cancel(let source):
            if exchange?.isTransferring == true { perform(.cancelTransfer) }
            let isClosingBody = exchange?.isClosingBody == true
            finish(.cancelled, .cancelled(by: source, metrics, step: askedStep, isClosingBody: isClosingBody), at: time)
        }
    }

    // MARK: Waiting

    private mutating func wait(_ reason: RequestOperation.WaitReason, for detail: WaitDetail?, at time: MonotonicTime) {
        guard isEnqueued else { return }
        if transition(to: .waiting(reason), at: time) { lookAgain(at: time) }
        guard state == .waiting(reason), let detail, detail != metrics.waitsFor else { return }
        emit(.waitsFor(detail), at: time)
    }

    /// Whether it hasn't started.
    private var attemptsNothing: Bool {
        switch state {
        case .idle, .waiting: true
        default: false
        }
    }

    private mutating func setDependencies(_ unfinished: [OperationID], at time: MonotonicTime) {
        guard unfinished != unfinishedDependencies else { return }
        unfinishedDependencies = unfinished
        guard state == .waitingToRetry else { return }
        if unfinished.isEmpty { retryIfReady(at: time) } else { emit(.waitsFor(.operations(unfinished)), at: time) }
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
        exchange?.number == attempt && exchange?.isTransferring == true && !retrying.isAsking
    }

    // MARK: Ends

    /// Every final candidate passes here (SM-6): the policies are asked, or the operation ends.
    mutating func finish(_ final: State, _ error: NetworkError?, at time: MonotonicTime) {
        if retrying.isAsking {
            // What can't wait for an answer takes back the question.
            guard final == .cancelled || error?.isWorthAsking == false else { return }
            retrying.isAsking = false
            return end(final, error, attemptEnd: retrying.candidate?.time, at: time)
        }
        if let error, final == .failed { endPreparation(error, at: time) }
        preparation = nil
        if !asksForRetry(final, error, at: time) { end(final, error, at: time) }
    }

    /// Ends an attempt that runs, or has ended at `attemptEnd`, then the operation.
    mutating func end(_ final: State, _ error: NetworkError?, attemptEnd: MonotonicTime? = nil, at time: MonotonicTime) {
        if exchange != nil { endAttempt(.completing, error, endedAt: attemptEnd ?? time, at: time) }
        transition(to: final, at: time)
        emit(.completed(final, error), at: time)
        if alarm != nil { perform(.clearAlarm) }
        alarm = nil
        perform(.finish)
    }

    /// Fails, and cuts off the transfer if there is one.
    mutating func abandon(_ error: NetworkError, at time: MonotonicTime) {
        if exchange?.isTransferring == true {
            perform(.cancelTransfer)
            exchange?.isCutOff = true
        }
        finish(.failed, error, at: time)
    }

    // MARK: Timeouts

    private mutating func alarmRang(at time: MonotonicTime) {
        // One that was replaced may still ring.
        guard let alarm, alarm <= time else { return }
        self.alarm = nil
        callbacks.look(at: time)
        if let timeout = deadlines.due(at: time) ?? (callbacks.isDue ? .callback : nil) {
            let asked = retrying.isAsking ? retrying.candidate?.error : nil
            abandon(
                .timedOut(
                    timeout, configuration.timeouts, metrics, request: request, step: askedStep, callbacks: callbacks,
                    underlying: asked),
                at: time)
        } else {
            retryIfReady(at: time)
        }
        // A policy that is asked may take its time: the operation timeout goes on.
        if !state.isFinal { lookAgain(at: time) }
    }

    mutating func lookAgain(at time: MonotonicTime) {
        guard let next = earlier(earlier(deadlines.nextLook(after: time), callbacks.nextLook), retrying.due) else { return }
        if let alarm, alarm <= next { return }
        alarm = next
        perform(.setAlarm(next))
    }
}
