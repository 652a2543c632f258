/// How an operation comes to its end.
extension RequestOperation.StateMachine {
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
        rememberPart(error)
        if asksForRetry(final, error, at: time) { return }
        let failure = endOfHalfBody(final, error)
        end(failure == nil ? final : final == .cancelled ? .cancelled : .failed, failure, at: time)
    }

    /// Ends an attempt that runs, or has ended at `attemptEnd`, then the operation.
    mutating func end(_ final: State, _ error: NetworkError?, attemptEnd: MonotonicTime? = nil, at time: MonotonicTime) {
        if let exchange, case .consume = exchange.plan, holdsBody { perform(.release(attempt: exchange.number)) }
        if exchange != nil { endAttempt(.completing, error, endedAt: attemptEnd ?? time, at: time) }
        transition(to: final, at: time)
        emit(.completed(final, error), at: time)
        if alarm != nil { perform(.clearAlarm) }
        alarm = nil
        if retrying.isInLine { leaveLine() }
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
}
