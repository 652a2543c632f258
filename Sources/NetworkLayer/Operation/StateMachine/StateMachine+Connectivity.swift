extension RequestOperation.StateMachine {
    /// Whether the configuration wants an operation to wait for the network (``ConnectivityOptions``).
    var waitsForNetwork: Bool {
        hasNetworkConditions
            && (configuration.connectivity.contains(.wait)
                || configuration.connectivity.contains(.waitWhenRetryPolicyProvided) && !configuration.retry.isEmpty)
    }

    /// The queue has a place for it: prepares it, once the network is there if it wants to wait for it.
    mutating func start(at time: MonotonicTime) {
        guard isEnqueued, state.canBecome(.preparing), state != .waitingToRetry, !isAwaitingNetwork else { return }
        deadlines.release(at: time)
        if usesSlots { slot = .held(request.url) }
        guard waitsForNetwork else { return beginPreparation(isRetry: false, at: time) }
        isAwaitingNetwork = true
        perform(.awaitNetwork)
    }

    /// The answer to ``Effect/awaitNetwork``: no at most once, yes at last.
    mutating func network(isReachable: Bool, at time: MonotonicTime) {
        if state == .waitingToRetry {
            guard retrying.awaitsNetwork, isReachable else { return }
            retrying.awaitsNetwork = false
            // A dependency may have come meanwhile.
            if unfinishedDependencies.isEmpty { takeTurn(at: time) }
            return
        }
        guard isAwaitingNetwork, state.canBecome(.preparing) else { return }
        guard !isReachable else {
            isAwaitingNetwork = false
            return beginPreparation(isRetry: false, at: time)
        }
        guard transition(to: .waiting(.connectivity), at: time) else { return }
        if !configuration.connectivity.contains(.invalidateAttemptTimeoutWhenTriggered) { deadlines.attemptArmed = time }
        lookAgain(at: time)
    }
}
