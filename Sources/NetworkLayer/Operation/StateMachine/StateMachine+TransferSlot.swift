import Base

/// A transfer takes a slot of its host and queue (QUE-5). It is given back whenever none is under way, or somebody is asked about
/// the one that is: what they wait for may itself need the slot.
///
///     start ─ preparing ─┬─ a role is asked: aside ─ answered ─ asks ─ attempt ─┬─ redirect to another host: asks ─ attempt …
///      held              └──────────────── held ───────────────────── attempt ─┴─ retry: aside ─ preparing ─ asks ─ attempt …
///
/// An answer that is let stand after somebody was asked about it goes on without one: its connection is there.
extension RequestOperation.StateMachine {
    /// An attempt that starts as soon as there is a slot for its transfer.
    struct PendingAttempt: Sendable {
        let kind: AttemptKind
        let request: Request
        var sanitized: Sanitized?
        var coding: CodingMetrics?
    }

    /// Starts an attempt, or asks for its slot.
    mutating func startAttempt(_ attempt: PendingAttempt, at time: MonotonicTime) {
        if terms.usesSlots, !holdsSlot(for: attempt.request) {
            leaveSlot()
            // The server can't be blamed for time spent waiting for others.
            let spent = deadlines.attemptArmed.map { time - $0 }
            deadlines.attemptArmed = nil
            enter(.awaitingSlot(attempt, spent: spent, state: state), at: time)
            return perform(.askSlot(attempt.request.url, isUnderWay: !metrics.attempts.isEmpty))
        }
        begin(attempt, at: time)
    }

    mutating func slotGiven(at time: MonotonicTime) {
        guard case .awaitingSlot(let attempt, let spent, _) = phase else { return }
        slot = attempt.request.url
        deadlines.attemptArmed = spent.map { time - $0 }
        begin(attempt, at: time)
        lookAgain(at: time)
    }

    /// Called after every input, so that no way to a phase without a transfer is forgotten.
    mutating func leaveNeedlessSlot() {
        if !needsSlot, !phase.isOver { leaveSlot() }
    }

    private mutating func leaveSlot() {
        guard slot != nil else { return }
        slot = nil
        perform(.leaveSlot(roundTrip: metrics.attempts.last?.roundTrip))
    }

    private func holdsSlot(for request: Request) -> Bool {
        guard let url = slot else { return false }
        return url == request.url || url.slotHost == request.url.slotHost
    }

    /// Whether a transfer is under way or comes next, with nobody to be waited for in between.
    private var needsSlot: Bool {
        switch phase {
        case .preparing(let preparation): preparation.question == nil
        case .attempting(let exchange, _):
            switch exchange.plan {
            case .ask, .sanitize, .challenge: false
            case .consume: true
            case .undecided, .follow, .reissue: exchange.isTransferring
            }
        case .waiting, .awaitingSlot, .asking, .waitingToRetry, .over: false
        }
    }
}
