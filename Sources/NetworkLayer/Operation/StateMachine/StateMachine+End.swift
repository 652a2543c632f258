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
