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
