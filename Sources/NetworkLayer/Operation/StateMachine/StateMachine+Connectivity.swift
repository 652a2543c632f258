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
