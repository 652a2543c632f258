import Base

extension RequestOperation.StateMachine {
    enum Input: Sendable {
        /// The operation was handed to a queue.
        case enqueue(queue: String, date: Date, callbackTimeout: Duration? = .seconds(10), terms: Terms = Terms())
        /// The queue can't start it yet.
        case wait(RequestOperation.WaitReason, for: WaitDetail? = nil)
        /// The queue doesn't take it.
        indirect case refused(NetworkError)
        /// All operations that must be over before it starts or tries again, whenever that changes; none when it may.
        case dependencies([OperationID])
        /// The queue has a slot for its first transfer.
        case start
        /// The answer to ``Effect/askSlot(_:isUnderWay:)``.
        case slot
        /// The answer to ``Effect/prepare``: who takes part, and what the transport decodes by itself.
        case participants(Participants, transportCodings: [String] = [])
        /// The answer to ``Effect/ask(_:about:number:)``.
        indirect case answered(PreparationAnswer, number: Int)
        /// A call of a role has begun, under a number that no other call of the operation has.
        indirect case callbackBegan(CallbackTag, number: Int)
        case callbackEnded(number: Int)
        case transport(TransportEvent.Kind, attempt: Int)
        /// What the computer's network looks like now, noted for the attempt under way (GLB-5).
        indirect case conditions(NetworkConditions)
        /// The answer to ``Effect/decode(_:attempt:)``, and with `isEnd` to ``Effect/finishDecoding(attempt:)``.
        indirect case decoded(Data, latency: Duration, isEnd: Bool, attempt: Int)
        /// The head that came last asked for a pause.
        case backoffSignalled(key: String, BackoffBehavior, attempt: Int)
        /// The answer to ``Effect/closeBody(attempt:)``.
        indirect case bodyClosed(attempt: Int, hash: BodyHash? = nil)
        /// The body could not be kept.
        indirect case bodyFailed(NetworkError, attempt: Int)
        /// Something of a session: an event that belongs to the attempt under way, or its end.
        indirect case session(NetworkEvent.Kind)
        indirect case sessionEnded(NetworkError?)
        /// The reader of a streamed body is behind, or has caught up.
        case readerIsBehind(Bool, attempt: Int)
        /// The answer to ``Effect/askRedirect(proposed:after:from:attempt:)``.
        indirect case redirectDecided(Request?, attempt: Int)
        /// The answer to ``Effect/askChallenges(_:attempt:)``.
        indirect case challengesAnswered(ChallengeAnswer, attempt: Int)
        /// The alarm set by ``Effect/setAlarm(_:)`` rang.
        case alarm
        /// The answer to ``Effect/askRetryPolicy(_:)``, and which policy gave it. `pausesHosts`: hosts may ask for pauses now (BKO-4).
        indirect case retryDecided(RetryDecision, by: String?, pausesHosts: Bool = false)
        case retryNow
        case stopRetrying
        /// The answer to ``Effect/awaitNetwork``.
        case network(isReachable: Bool)
        /// The answer to ``Effect/joinLine(isLongPoll:)``, perhaps several: at last `pass`.
        case lineAnswered(Backoff.Answer)
        case cancel(CancelSource)
    }
    /// What holds for an operation in the queue that took it.
    struct Terms: Sendable {
        /// Whether a transfer needs a slot of the queue's.
        var usesSlots = false
        /// Whether a retry doesn't stand in line for hosts' pauses: somebody in that line may wait for the operation.
        var skipsLine = false
        /// Whether the client knows the machine's network, so that it can be waited for.
        var hasNetworkConditions = false
    }
}

extension RequestOperation.StateMachine {
    enum Effect: Sendable, Hashable {
        /// Determine who takes part in preparing the request.
        case prepare
        /// Ask the roles that take part in a step.
        indirect case ask(PreparationStep, about: Request, number: Int)
        /// Its first attempt is about to start (CNT-1).
        case beginExecuting
        /// Ask the queue for a slot: a transfer to this URL is about to start. `isUnderWay`: it isn't the first of the operation.
        indirect case askSlot(URL, isUnderWay: Bool)
        /// Give the slot back: no transfer is under way, or a role decides what becomes of the answer.
        case leaveSlot
        indirect case startTransfer(Request, attempt: Int)
        case cancelTransfer
        case pauseReceiving
        case resumeReceiving
        case decode(Data, attempt: Int)
        case finishDecoding(attempt: Int)
        case write(Data, attempt: Int)
        /// Keep it until it is decided whether it is the answer: see ``holdsBody``.
        case hold(Data, attempt: Int)
        /// It is: hand out what was kept.
        case release(attempt: Int)
        case closeBody(attempt: Int)
        /// Nothing more comes of a session, for this reason; whoever reads it says how it ended.
        indirect case endStream(NetworkError?)
        indirect case askRedirect(proposed: Request, after: ResponseHead, from: Request, attempt: Int)
        /// At least one, the strongest scheme first.
        indirect case askChallenges([AuthenticationChallenge], attempt: Int)
        indirect case askRetryPolicy(RetryQuestion)
        /// Forget what was kept of the last attempt's body: another attempt begins.
        case dropBody
        /// Keep it instead: the attempt may go on with it.
        case setBodyAside
        /// The body goes on where the one that was set aside ended.
        case restoreBody
        /// Forget what was set aside.
        case dropBodyAside
        case awaitNetwork
        /// Wait in line until a host's pause is over.
        case joinLine(isLongPoll: Bool)
        /// The place that the operation had when it started is left, too.
        case leaveLine
        /// In place of the one that was set before.
        case setAlarm(MonotonicTime)
        case clearAlarm
        /// The last effect of an operation: everything that waits for its end may go on.
        case finish
    }

    /// An effect and its place among the events, so that observers hear of what led to it before it has its effect, and of what
    /// follows afterwards (section 2.2 of the reference).
    struct PlacedEffect: Sendable, Hashable {
        let effect: Effect
        /// How many events of the log come before it.
        let eventsBefore: Int
    }
}
