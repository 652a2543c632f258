import Base

/// What keeps an operation from starting, or from trying again.
extension RequestOperation.StateMachine {
    mutating func wait(_ reason: RequestOperation.WaitReason, for detail: WaitDetail?, at time: MonotonicTime) {
        guard isEnqueued else { return }
        if case .waiting(_, let awaitsNetwork) = phase, enter(.waiting(reason, awaitsNetwork: awaitsNetwork), at: time) {
            if reason == .queueSuspended { deadlines.hold(at: time) } else { deadlines.release(at: time) }
            lookAgain(at: time)
        }
        var isAwaited = state == .waiting(reason)
        if case .awaitingSlot = phase, reason == .concurrencyLimit { isAwaited = true }
        guard isAwaited, let detail, detail != metrics.waitsFor else { return }
        emit(.waitsFor(detail), at: time)
    }

    mutating func setDependencies(_ unfinished: [OperationID], at time: MonotonicTime) {
        guard unfinished != unfinishedDependencies else { return }
        unfinishedDependencies = unfinished
        guard state == .waitingToRetry else { return }
        guard !unfinished.isEmpty else { return retryIfReady(at: time) }
        if isInLine { leaveLine() }
        emit(.waitsFor(.operations(unfinished)), at: time)
    }
}

extension RequestOperation.StateMachine {
    /// Whether the configuration wants an operation to wait for the network (``ConnectivityOptions``).
    var waitsForNetwork: Bool {
        terms.hasNetworkConditions
            && (configuration.connectivity.contains(.wait)
                || configuration.connectivity.contains(.waitWhenRetryPolicyProvided) && !configuration.retry.isEmpty)
    }

    /// The queue has a place for it: prepares it, once the network is there if it wants to wait for it.
    mutating func start(at time: MonotonicTime) {
        guard isEnqueued, case .waiting(let reason, awaitsNetwork: false) = phase else { return }
        deadlines.release(at: time)
        if terms.usesSlots { slot = request.url }
        guard waitsForNetwork else { return beginPreparation(isRetry: false, at: time) }
        enter(.waiting(reason, awaitsNetwork: true), at: time)
        perform(.awaitNetwork)
    }

    /// The answer to ``Effect/awaitNetwork``: no at most once, yes at last.
    mutating func network(isReachable: Bool, at time: MonotonicTime) {
        if case .waitingToRetry(var wait) = phase {
            guard wait.awaitsNetwork, isReachable else { return }
            wait.awaitsNetwork = false
            enter(.waitingToRetry(wait), at: time)
            // A dependency may have come meanwhile.
            if unfinishedDependencies.isEmpty { awaitTurn(at: time) }
            return
        }
        guard case .waiting(_, awaitsNetwork: true) = phase else { return }
        guard !isReachable else { return beginPreparation(isRetry: false, at: time) }
        guard enter(.waiting(.connectivity, awaitsNetwork: true), at: time) else { return }
        if !configuration.connectivity.contains(.invalidateAttemptTimeoutWhenTriggered) { deadlines.attemptArmed = time }
        lookAgain(at: time)
    }
}

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
        perform(.leaveSlot)
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

/// One alarm serves all timeouts, and reports that nothing follows: it rings no later than the next can be due, and then there is
/// another look.
extension RequestOperation.StateMachine {
    mutating func alarmRang(at time: MonotonicTime) {
        // An alarm that was replaced may still ring.
        guard let alarm, alarm <= time else { return }
        self.alarm = nil
        callbacks.look(at: time)
        if let timeout = deadlines.due(at: time) ?? (callbacks.isDue ? .callback : nil) {
            var asked: NetworkError?
            if case .asking(let asking) = phase { asked = asking.candidate.error }
            abandon(
                .timedOut(
                    timeout, configuration.timeouts, metrics, request: request, step: askedStep, callbacks: callbacks,
                    underlying: asked),
                at: time)
        } else {
            reportStalledProgress(at: time)
            if !isAsking, let leavesAt = exchange?.leavesAt, leavesAt <= time { goOn(at: time) }
            retryIfReady(at: time)
        }
        // A policy that is asked may take its time: the operation timeout goes on.
        if !phase.isOver { lookAgain(at: time) }
    }

    mutating func lookAgain(at time: MonotonicTime) {
        var soonest = earlier(deadlines.nextLook(after: time), callbacks.nextLook)
        switch phase {
        case .attempting(let exchange, _): soonest = earlier(soonest, earlier(exchange.leavesAt, exchange.reportDue))
        case .asking(let asking): soonest = earlier(soonest, asking.exchange?.reportDue)
        case .waitingToRetry(let wait): soonest = earlier(soonest, wait.due)
        case .waiting, .preparing, .awaitingSlot, .over: break
        }
        guard let next = soonest else { return }
        if let alarm, alarm <= next { return }
        alarm = next
        perform(.setAlarm(next))
    }
}
