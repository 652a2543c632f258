package import NetworkLayer

/// What holds for the events of every operation (section 6.3 of the reference: the rule of OkHttp's recorder).
package enum EventRules {
    /// What is wrong with a log, a sentence each; nothing for a good one.
    ///
    /// - Parameter isComplete: whether the operation is over, so that everything that started must have ended.
    package static func violations(in events: [NetworkEvent], isComplete: Bool = true) -> [String] {
        var check = Check()
        for event in events { check.take(event) }
        if isComplete { check.end() }
        return check.violations
    }

    private struct Check {
        var violations: [String] = []
        var next = 0
        var time: MonotonicTime?
        var state = RequestOperation.State.idle
        var attempts = 0
        var isAttemptOpen = false
        var open: Set<String> = []
        var isHeadSeen = false
        var hasConnected = false
        var isCompleted = false
        var operation: OperationID?

        mutating func take(_ event: NetworkEvent) {
            if isCompleted { fail(event, "comes after completed") }
            if event.sequence != next { fail(event, "has sequence \(event.sequence) instead of \(next)") }
            next = event.sequence + 1
            if let time, event.time < time { fail(event, "is earlier than the event before it") }
            time = max(time ?? event.time, event.time)
            if let operation, event.operation != operation { fail(event, "is of another operation") }
            operation = event.operation
            takeKind(event)
        }

        private mutating func takeKind(_ event: NetworkEvent) {
            switch event.kind {
            case .enqueued:
                if event.sequence != 0 { fail(event, "is not the first event") }
            case .transition(let from, let to):
                if from != state { fail(event, "leaves \(from) in state \(state)") }
                if !from.canBecome(to) { fail(event, "is no edge: \(from) to \(to)") }
                if to.isFinal, isAttemptOpen { fail(event, "ends an operation whose attempt goes on") }
                state = to
            case .configurationWarning, .prepared, .preparationFailed:
                if state != .preparing || isAttemptOpen { fail(event, "comes outside of a preparation") }
            case .hostSanitized:
                if state != .preparing, !isAttemptOpen { fail(event, "comes outside of a preparation and of an attempt") }
            case .waitsFor:
                if isAttemptOpen { fail(event, "waits while an attempt runs") }
            case .attemptStarted:
                if isAttemptOpen { fail(event, "starts an attempt inside of another") }
                attempts += 1
                isAttemptOpen = true
                isHeadSeen = false
                hasConnected = false
                requireAttempt(event)
            case .attemptEnded(let attempt):
                requireAttempt(event)
                if attempt.number != attempts { fail(event, "ends attempt \(attempt.number) instead of \(attempts)") }
                if attempt.end == nil || attempt.disposition == nil { fail(event, "has no end or no disposition") }
                isAttemptOpen = false
                open = []
            case .retryDecision:
                // One from outside may come while the operation waits.
                if isAttemptOpen { requireAttempt(event) }
            case .retryScheduled:
                if state != .waitingToRetry { fail(event, "comes in state \(state)") }
            case .retryStarted:
                if state != .preparing || attempts == 0 { fail(event, "comes in state \(state)") }
            case .completed(let final, let error):
                if !final.isFinal || final != state { fail(event, "says \(final) in state \(state)") }
                if (error == nil) != (final == .succeeded) {
                    fail(event, "has state \(final) and error \(error?.message ?? "nil")")
                }
                if isAttemptOpen { fail(event, "comes while an attempt runs") }
                isCompleted = true
            default:
                requireAttempt(event)
                takeTransferKind(event)
            }
        }

        private mutating func takeTransferKind(_ event: NetworkEvent) {
            switch event.kind {
            case .resolveStarted: start("resolve", event)
            case .resolveEnded: end("resolve", event)
            case .connectStarted:
                open.insert("connect")
                hasConnected = true
            case .connectFailed: if !open.contains("connect") { fail(event, "fails what didn't start") }
            case .connectEnded: end("connect", event)
            case .tlsStarted: start("tls", event)
            case .tlsEnded:
                // A connection that is used again tells what was negotiated before.
                if hasConnected { end("tls", event) }
            case .resent, .authenticationStep: (open, hasConnected) = ([], false)
            case .head:
                if isHeadSeen { fail(event, "is a second head") }
                isHeadSeen = true
            case .challenge(let report):
                // TLS asks before there is a head.
                if !isHeadSeen, report.method != AuthenticationChallenge.Method.clientCertificate.name {
                    fail(event, "comes before the head")
                }
            case .redirect: if !isHeadSeen { fail(event, "comes before the head") }
            default: break
            }
        }

        mutating func end() {
            if !isCompleted { violations.append("There is no completed event.") }
        }

        private mutating func requireAttempt(_ event: NetworkEvent) {
            if !isAttemptOpen { fail(event, "comes outside of an attempt") }
            if event.attempt != attempts { fail(event, "names attempt \(event.attempt ?? 0) instead of \(attempts)") }
        }

        private mutating func start(_ name: String, _ event: NetworkEvent) {
            if !open.insert(name).inserted { fail(event, "starts \(name) twice") }
        }

        private mutating func end(_ name: String, _ event: NetworkEvent) {
            if open.remove(name) == nil { fail(event, "ends \(name), which didn't start") }
        }

        private mutating func fail(_ event: NetworkEvent, _ problem: String) {
            violations.append("Event \(event.sequence), \(event.kind.name), \(problem).")
        }
    }
}

extension NetworkEvent.Kind {
    /// The case without its values: `transition`, `attemptStarted` …
    package var name: String {
        let text = String(describing: self)
        return String(text.prefix { $0 != "(" })
    }
}
