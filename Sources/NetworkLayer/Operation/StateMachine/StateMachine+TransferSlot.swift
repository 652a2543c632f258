#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A transfer takes a slot of its host and queue (QUE-5). It is given back whenever none is under way, or somebody is asked about
/// the one that is: what they wait for may itself need the slot.
///
///     start ─ preparing ─┬─ a role is asked: aside ─ answered ─ asks ─ attempt ─┬─ redirect to another host: asks ─ attempt …
///      held              └──────────────── held ───────────────────── attempt ─┴─ retry: aside ─ preparing ─ asks ─ attempt …
///
/// An answer that is let stand after somebody was asked about it goes on without one: its connection is there.
extension RequestOperation.StateMachine {
    enum Slot: Sendable {
        case none
        /// For transfers to where this URL is.
        case held(URL)
        /// `spent`: how much of the attempt timeout had passed.
        indirect case awaited(PendingAttempt, spent: Duration?)
    }

    /// An attempt that starts as soon as there is a slot for its transfer.
    struct PendingAttempt: Sendable {
        let kind: AttemptKind
        let request: Request
        var sanitized: Sanitized?
        var coding: CodingMetrics?
    }

    /// Starts an attempt, or asks for its slot.
    mutating func startAttempt(_ attempt: PendingAttempt, at time: MonotonicTime) {
        if usesSlots, !holdsSlot(for: attempt.request) {
            leaveSlot()
            // The server can't be blamed for time spent waiting for others.
            slot = .awaited(attempt, spent: deadlines.attemptArmed.map { time - $0 })
            deadlines.attemptArmed = nil
            return perform(.askSlot(attempt.request.url, isUnderWay: !metrics.attempts.isEmpty))
        }
        begin(attempt, at: time)
    }

    mutating func slotGiven(at time: MonotonicTime) {
        guard case .awaited(let attempt, let spent) = slot else { return }
        slot = .held(attempt.request.url)
        deadlines.attemptArmed = spent.map { time - $0 }
        begin(attempt, at: time)
        lookAgain(at: time)
    }

    /// Called after every input, so that no way to a state without a transfer is forgotten.
    mutating func leaveNeedlessSlot() {
        if case .held = slot, !state.isFinal, !needsSlot { leaveSlot() }
    }

    private mutating func leaveSlot() {
        guard case .held = slot else { return }
        slot = .none
        perform(.leaveSlot(roundTrip: metrics.attempts.last?.roundTrip))
    }

    private func holdsSlot(for request: Request) -> Bool {
        guard case .held(let url) = slot else { return false }
        return url == request.url || url.slotHost == request.url.slotHost
    }

    /// Whether a transfer is under way or comes next, with nobody to be waited for in between.
    private var needsSlot: Bool {
        switch state {
        case .preparing:
            return preparation.map { $0.question == nil } ?? (exchange != nil)
        case .starting, .running:
            guard let exchange, !retrying.isAsking else { return false }
            switch exchange.plan {
            case .ask, .sanitize, .challenge: return false
            case .consume: return true
            case .undecided, .follow, .reissue: return exchange.isTransferring
            }
        case .idle, .waiting, .waitingToRetry, .cancelled, .failed, .succeeded:
            return false
        }
    }
}
