import Base
import HTTPTypes

/// An attempt that ends is a *candidate* for the end of the operation. Where a policy has a say, the attempt stays open while it is asked;
/// then the attempt ends, `completing` or `retrying`:
///
///     running ─> candidate ─ asked ─┬─ stop, abstain, overruled ─> succeeded | failed, with what the attempt brought
///                                   └─ retry ─> waitingToRetry ─ delay ∥ dependencies ∥ network ─ its turn ─> preparing
extension RequestOperation.StateMachine {
    /// What a policy needs to know.
    struct RetryQuestion: Sendable, Hashable {
        var final: State
        var error: NetworkError?
        var retryCount: Int
        var elapsed: Duration
        var isReplayable: Bool
        var isResumable = false
    }

    // MARK: The gate

    /// Puts a final candidate to the policies, if it may be (RTY-2).
    ///
    /// - Returns: whether it waits for their answer now.
    mutating func asksForRetry(_ final: State, _ error: NetworkError?, at time: MonotonicTime) -> Bool {
        // Nobody opens a session anew by himself.
        guard !configuration.retry.isEmpty, exchange?.isSession != true, isRetryCandidate(final, error) else { return false }
        if isRetryingStopped {
            emit(.retryDecision(.stop(reason: Self.stoppedFromOutside), by: nil), at: time)
            return false
        }
        let failure = endOfHalfBody(final, error)
        let candidate = Candidate(final: failure == nil ? final : .failed, error: failure, time: time)
        enter(.asking(Asking(candidate: candidate, exchange: exchange, state: state)), at: time)
        // The attempt is over (SM-6): only the operation timeout goes on.
        deadlines.attemptArmed = nil
        deadlines.idleSince = nil
        perform(
            .askRetryPolicy(
                RetryQuestion(
                    final: final, error: error, retryCount: retryCount,
                    elapsed: deadlines.operationArmed.map { time - $0 } ?? .zero, isReplayable: request.body.isReplayable,
                    isResumable: resuming.part != nil)))
        return true
    }

    private func isRetryCandidate(_ final: State, _ error: NetworkError?) -> Bool {
        switch state {
        case .preparing, .starting, .running: break
        default: return false
        }
        guard final != .cancelled, error?.isWorthAsking != false else { return false }
        guard let attempt = metrics.attempts.last, attempt.disposition == nil,
            let status = resuming.head?.status ?? attempt.head?.status
        else {
            return true
        }
        return error != nil || !status.isDefinitiveSuccess
    }

    // MARK: The answer

    /// What becomes of a policy's decision: delays have a minimum (RTY-1), and a retry needs time (RTY-3), a body that can be
    /// sent again, and a reader of the response's body who hasn't begun.
    func ruling(on decision: RetryDecision, at time: MonotonicTime) -> RetryDecision {
        guard case .retry(let wanted, let configuration, let reason) = decision else { return decision }
        let delay = max(wanted, RetryDecision.minimumDelay)
        let timeout = Timeouts.limit((configuration ?? self.configuration).timeoutsInForce.operation)
        if let timeout, let armed = deadlines.operationArmed, time - armed + delay >= timeout {
            return .stop(reason: "\(reason), but the operation timeout comes first")
        }
        guard request.body.isReplayable else { return .stop(reason: "\(reason), but the body can't be sent a second time") }
        if resuming.hasHandedOut, resuming.part == nil {
            return .stop(reason: "\(reason), but a part of the answer has been handed out")
        }
        return .retry(after: delay, configuration: configuration, reason: reason)
    }

    mutating func retryDecided(_ decision: RetryDecision, by policy: String?, pausesHosts: Bool, at time: MonotonicTime) {
        guard case .asking(let asking) = phase else { return }
        let candidate = asking.candidate
        let ruling = ruling(on: isRetryingStopped ? .stop(reason: Self.stoppedFromOutside) : decision, at: time)
        emit(.retryDecision(ruling, by: ruling == decision || decision.isRetry == ruling.isRetry ? policy : nil), at: time)
        guard case .retry(let delay, let configuration, _) = ruling else {
            return end(candidate.final, candidate.error, attemptEnd: candidate.time, at: time)
        }
        // Only an attempt can be retried: one that failed while it was prepared is told now (2.1: Starting is forced).
        if asking.exchange == nil { announceAttempt(request, at: candidate.time) }
        endAttempt(.retrying, candidate.error, endedAt: candidate.time, at: time)
        // Those behind it go on, and it rejoins the line at the end.
        let standsInLine = pausesHosts && !terms.skipsLine
        if standsInLine { leaveLine() }
        enter(.waitingToRetry(RetryWait(candidate: candidate, due: time + delay, standsInLine: standsInLine)), at: time)
        emit(.retryScheduled(after: delay), at: time)
        if !unfinishedDependencies.isEmpty { emit(.waitsFor(.operations(unfinishedDependencies)), at: time) }
        if let configuration { adopt(configuration) }
        retryCount += 1
        lookAgain(at: time)
    }

    private mutating func announceAttempt(_ request: Request, at time: MonotonicTime) {
        let number = metrics.attempts.count + 1
        if number == 1, configuration.countsAsExecutingConnection { perform(.beginExecuting) }
        emit(.attemptStarted(metrics.attempts.isEmpty ? .initial : .retry, request), attempt: number, at: time)
        enter(.attempting(CopyOnWrite(Exchange(number: number)), isRunning: false), at: time)
    }

    /// Timeouts count from where they counted before, so a changed operation timeout leaves what is left of it (RTY-1). Where the
    /// body goes, and what is made of it there, was settled when the operation was made.
    private mutating func adopt(_ new: RequestConfiguration) {
        let (consumption, hash) = (configuration.consumption, configuration.hash)
        configuration = new
        configuration.consumption = consumption
        configuration.hash = hash
        deadlines.adopt(configuration.timeoutsInForce)
        redirectRules.configuration = new.redirects
    }

    // MARK: The wait

    /// The delay may be over, and a dependency, or the network may be there.
    mutating func retryIfReady(at time: MonotonicTime) {
        guard case .waitingToRetry(var wait) = phase else { return }
        if let due = wait.due, due > time { return }
        wait.due = nil
        let isFree = unfinishedDependencies.isEmpty && !wait.awaitsNetwork
        let asksForNetwork = isFree && waitsForNetwork
        if asksForNetwork { wait.awaitsNetwork = true }
        enter(.waitingToRetry(wait), at: time)
        if asksForNetwork { perform(.awaitNetwork) } else if isFree { awaitTurn(at: time) }
    }

    /// Waits for its turn, as the last thing: in line before it is ready, it would hold up others.
    mutating func awaitTurn(at time: MonotonicTime) {
        guard case .waitingToRetry(let wait) = phase, wait.standsInLine else { return startRetry(at: time) }
        guard !isInLine else { return }
        isInLine = true
        perform(.joinLine(isLongPoll: configuration.isLongPoll))
    }

    /// The answer to ``Effect/joinLine(isLongPoll:)``.
    mutating func lineAnswered(_ answer: Backoff.Answer, at time: MonotonicTime) {
        guard case .waitingToRetry = phase, isInLine else { return }
        switch answer {
        case .pass: startRetry(at: time)
        case .wait(let key, let until): emit(.waitsFor(.backoff(key: key, until: until)), at: time)
        }
    }

    mutating func leaveLine() {
        isInLine = false
        perform(.leaveLine)
    }

    private mutating func startRetry(at time: MonotonicTime) {
        // The original request goes out again, without what challenges added to it.
        credentials.answered = []
        clearBody()
        beginPreparation(isRetry: true, at: time)
    }

    // MARK: From outside

    /// Cuts the delay short; dependencies, the network and the pauses of hosts still count.
    mutating func retryNow(at time: MonotonicTime) {
        guard case .waitingToRetry(var wait) = phase, wait.due != nil else { return }
        wait.due = nil
        enter(.waitingToRetry(wait), at: time)
        retryIfReady(at: time)
    }

    /// Ends the wait with what the last attempt brought, or makes sure that there will be no wait.
    mutating func stopRetrying(at time: MonotonicTime) {
        isRetryingStopped = true
        if isAsking { return retryDecided(.stop(reason: Self.stoppedFromOutside), by: nil, pausesHosts: false, at: time) }
        guard case .waitingToRetry(let wait) = phase else { return }
        emit(.retryDecision(.stop(reason: Self.stoppedFromOutside), by: nil), at: time)
        end(wait.candidate.final, wait.candidate.error, keepsLastAnswer: true, at: time)
    }

    private static let stoppedFromOutside = "retrying was stopped"

    /// Whether what the last attempt brought was given up for another that never came.
    var hasGivenUpLastAnswer: Bool {
        if case .over(_, keepsLastAnswer: true) = phase { return false }
        return metrics.attempts.last?.disposition == .retrying
    }
}

extension NetworkError {
    /// What is terminal is never retried, and a clogged callback neither (TMO-5): one more would clog it again.
    var isWorthAsking: Bool { !code.isTerminal && code != .callbackTimedOut }
}

extension RetryDecision {
    var isRetry: Bool {
        if case .retry = self { true } else { false }
    }
}
