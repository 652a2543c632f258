import Base

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
        case leaveSlot(roundTrip: Duration?)
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
        indirect case askRedirect(proposed: Request, after: ResponseHead, from: Request, attempt: Int)
        /// At least one, the strongest scheme first.
        indirect case askChallenges([AuthenticationChallenge], attempt: Int)
        indirect case askRetryPolicy(RetryQuestion)
        /// Tell the policy that decided last.
        case tellRetryPolicy(RetryNotice)
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

    enum RetryNotice: Sendable, Hashable {
        case willStart(after: Duration), didStart
    }
}
