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
