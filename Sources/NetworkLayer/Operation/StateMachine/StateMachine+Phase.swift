extension RequestOperation.StateMachine {
    /// What an operation is doing, with what it needs for that alone; ``state`` is what others see of it.
    ///
    ///     waiting ─> preparing ─> (awaitingSlot) ─> attempting ─┬───────────────────> over
    ///                    ▲                           ▲  │       └─> asking ─┬───────>
    ///                    │                           └──┘ another hop       │
    ///                    └────────────────── waitingToRetry <───────────────┘
    ///
    /// From each phase an operation may come to its end. What is large lies behind a reference: a phase is taken out and put back at every
    /// step of an attempt, so it must be a word or two.
    enum Phase: Sendable {
        /// It hasn't started; without a reason it is `idle`. `awaitsNetwork`: the queue has started it, and the network isn't known to be
        /// there.
        case waiting(RequestOperation.WaitReason?, awaitsNetwork: Bool)
        indirect case preparing(Preparation)
        /// An attempt starts as soon as there is a slot for its transfer. `spent`: how much of the attempt timeout had passed; `state`: as
        /// far as the preparation, or the attempt before, had brought it.
        indirect case awaitingSlot(PendingAttempt, spent: Duration?, state: State)
        /// `isRunning`: the server gave a sign, or a byte of a body went to it; on a hop, whether that was so before.
        case attempting(CopyOnWrite<Exchange>, isRunning: Bool)
        /// The policies are asked whether it tries again.
        indirect case asking(Asking)
        indirect case waitingToRetry(RetryWait)
        /// `keepsLastAnswer`: what the last attempt brought is what it ends with, although that was to be retried.
        case over(State, keepsLastAnswer: Bool)
    }

    /// How an operation ends unless it tries again.
    struct Candidate: Sendable, Hashable {
        var final: State
        var error: NetworkError?
        var time: MonotonicTime
    }

    /// While policies are asked, everything else that could end the operation is dropped but a cancel and the operation timeout (RTY-5,
    /// RTY-6, SM-7).
    struct Asking: Sendable {
        let candidate: Candidate
        /// The attempt that they are asked about; `nil` when its preparation failed.
        var exchange: CopyOnWrite<Exchange>?
        /// The state that it came from, which lasts.
        let state: State
    }

    /// The wait before a retry: for the delay, dependencies and the network, at last for its turn in line.
    struct RetryWait: Sendable {
        let candidate: Candidate
        /// When the delay is over; `nil` when it is.
        var due: MonotonicTime?
        /// Whether the delay was over and the network wasn't there.
        var awaitsNetwork = false
        /// Whether hosts may ask for pauses, so that it stands in line as a new operation does (BKO-4).
        let standsInLine: Bool
    }

    /// Whether the policies are asked.
    var isAsking: Bool {
        if case .asking = phase { true } else { false }
    }

    /// The way to an attempt, while it prepares.
    var preparation: Preparation? {
        if case .preparing(let preparation) = phase { preparation } else { nil }
    }

    /// Whether the attempt with this number is under way, and nobody is asked about its end.
    func isAttempting(_ number: Int) -> Bool {
        if case .attempting(let exchange, _) = phase { exchange.number == number } else { false }
    }

    func isTransferring(_ number: Int) -> Bool {
        if case .attempting(let exchange, _) = phase { exchange.number == number && exchange.isTransferring } else { false }
    }
}

extension RequestOperation.StateMachine.Phase {
    /// What others see of it.
    var state: RequestOperation.State {
        switch self {
        case .waiting(let reason, _): reason.map(RequestOperation.State.waiting) ?? .idle
        case .preparing: .preparing
        case .awaitingSlot(_, _, let state): state
        case .attempting(_, let isRunning): isRunning ? .running : .starting
        case .asking(let asking): asking.state
        case .waitingToRetry: .waitingToRetry
        case .over(let state, _): state
        }
    }

    var isOver: Bool {
        if case .over = self { true } else { false }
    }
}

/// How an operation comes to its end.
extension RequestOperation.StateMachine {
    /// Every final candidate passes here (SM-6): the policies are asked, or the operation ends.
    mutating func finish(_ final: State, _ error: NetworkError?, at time: MonotonicTime) {
        if case .asking(let asking) = phase {
            // What can't wait for an answer takes back the question.
            guard final == .cancelled || error?.isWorthAsking == false else { return }
            return end(final, error, attemptEnd: asking.candidate.time, at: time)
        }
        if let error, final == .failed { reportFailedPreparation(error, at: time) }
        rememberPart(error)
        if asksForRetry(final, error, at: time) { return }
        let failure = endOfHalfBody(final, error)
        end(failure == nil ? final : final == .cancelled ? .cancelled : .failed, failure, at: time)
    }

    /// Ends an attempt that runs, or has ended at `attemptEnd`, then the operation.
    mutating func end(
        _ final: State, _ error: NetworkError?, attemptEnd: MonotonicTime? = nil, keepsLastAnswer: Bool = false,
        at time: MonotonicTime
    ) {
        if let number = exchange?.number {
            if case .consume = exchange?.plan, holdsBody { perform(.release(attempt: number)) }
            endAttempt(.completing, error, endedAt: attemptEnd ?? time, at: time)
        }
        enter(.over(final, keepsLastAnswer: keepsLastAnswer), at: time)
        emit(.completed(final, error), at: time)
        if alarm != nil { perform(.clearAlarm) }
        alarm = nil
        if isInLine { leaveLine() }
        perform(.finish)
    }

    /// Fails, and cuts off the transfer if there is one.
    mutating func abandon(_ error: NetworkError, at time: MonotonicTime) {
        if exchange?.isTransferring == true {
            perform(.cancelTransfer)
            exchange?.transfer = .cutOff
        }
        finish(.failed, error, at: time)
    }
}
