extension OperationMetrics {
    /// Takes in the next event of the operation. Every event once, in the order of their sequence.
    public mutating func apply(_ event: NetworkEvent) {
        let time = event.time
        switch event.kind {
        case .enqueued(_, let date, let timeouts):
            enqueued = time
            enqueuedDate = date
            self.timeouts = timeouts
        case .transition(_, let state):
            states.append(StateEntry(state: state, time: time))
            if state != .waitingToRetry { retryDue = nil }
            waitsFor = nil
            if state == .preparing { attemptArmed = time }
            if state.isFinal || state == .waitingToRetry { stopAttemptTimers() }
        case .waitsFor(let detail):
            waitsFor = detail
            waitsSince = time
        case .attemptStarted(let kind, let request):
            if case .concurrencyLimit? = waitsFor, let since = waitsSince {
                attemptArmed = attemptArmed.map { $0 + (time - since) }
            }
            waitsFor = nil
            attempts.append(AttemptMetrics(number: attempts.count + 1, kind: kind, request: request, start: time))
            attempts[attempts.count - 1].openPhase = .init(name: .queue, start: time)
            // A redirect stops the idle timer, and only this mode starts it anew (RDR-2).
            lastActivity = timeouts.idleMode == .includingInitialConnection ? time : nil
        case .retryDecision(.retry(_, let configuration?, _), _):
            self.timeouts = configuration.timeouts
        case .retryDecision, .retryStarted:
            break
        case .retryScheduled(let delay):
            retryDue = time + delay
        case .attemptEnded(let attempt):
            guard !attempts.isEmpty else { return }
            attempts[attempts.count - 1] = attempt
        case .completed(_, let error):
            completed = time
            self.error = error
        default:
            guard !attempts.isEmpty else { return }
            if event.kind.isActivity, timeouts.idleMode != .disabled { lastActivity = time }
            attempts[attempts.count - 1].apply(event.kind, at: time)
        }
    }

    private mutating func stopAttemptTimers() {
        attemptArmed = nil
        lastActivity = nil
    }
}

extension NetworkEvent.Kind {
    /// Whether it restarts the idle timeout (TMO-1): bytes of the request's body, and anything of the response.
    var isActivity: Bool {
        switch self {
        case .uploadProgress, .authenticationStep, .informational, .head, .downloadProgress: true
        default: false
        }
    }
}
