import Synchronization

extension RequestOperation {
    /// Cuts the wait before a retry short; it still waits for dependencies, the network, and a host that asked for a pause. In any
    /// other state it does nothing.
    public func retryNow() { handle(.retryNow) }

    /// Makes no further try: an operation that waits to retry ends with what its last attempt brought, and one that is under way ends
    /// after the present attempt.
    public func stopRetrying() { handle(.stopRetrying) }

    /// Asks the policies, outside of the lock; the machine takes the answer unless the operation is over by then (RTY-5).
    func ask(_ question: StateMachine.RetryQuestion, on client: NetworkClient?) {
        guard let client else { return }
        let context = retryContext(question, on: client)
        let policies = context.configuration.retry
        callRole { [self] in
            let (decision, policy) = await watched(policies, as: "RetryPolicy", "decide") { await $0.ask(context) }
            let (isWanted, host) = core.withLock { core in
                core.retryPolicy = policy.map { ($0, context) }
                return (core.machine.ruling(on: decision, at: core.now).isRetry, originalRequest.url.lowercasedHost ?? "")
            }
            // The budget is asked last: it counts the retries that are made.
            if isWanted, policy?.countsForBudget != false, !client.retryBudgets.tryWithdraw(for: host, at: client.time.now),
                let reason = decision.reason
            {
                handle(.retryDecided(.stop(reason: "\(reason), but the retry budget of \(host) is used up"), by: nil))
            } else {
                handle(.retryDecided(decision, by: policy?.identifier, pausesHosts: client.backoffGate.isOn))
            }
        }
    }

    private func retryContext(_ question: StateMachine.RetryQuestion, on client: NetworkClient) -> RetryContext {
        core.withLock { core in
            var metrics = core.machine.metrics
            metrics.error = question.error
            var info: ResponseInfo?
            if let attempt = metrics.attempts.last, attempt.disposition == nil, let head = attempt.head {
                info = ResponseInfo(finalRequest: attempt.request, head: head, body: core.bodySoFar)
            }
            return RetryContext(
                operation: id,
                response: Response(originalRequest: originalRequest, error: question.error, info: info, metrics: metrics),
                configuration: core.machine.configuration, retryCount: question.retryCount, elapsed: question.elapsed,
                isReplayable: question.isReplayable, isResumable: question.isResumable, date: client.time.date,
                random: client.randomFraction())
        }
    }

    func tell(_ notice: StateMachine.RetryNotice) {
        guard let (policy, context) = core.withLock({ $0.retryPolicy }) else { return }
        switch notice {
        case .willStart(let delay): policy.willStartRetry(context, after: delay)
        case .didStart: policy.didStartRetry(context)
        }
    }

    /// Reports once that there is no network, and later that there is.
    func awaitNetwork(on client: NetworkClient?) {
        guard let source = client?.conditions, source.current.reachability == .notReachable else {
            return handle(.network(isReachable: true))
        }
        handle(.network(isReachable: false))
        let task = Task { [self] in
            for await conditions in source.changes where conditions.reachability != .notReachable {
                return handle(.network(isReachable: true))
            }
            // The network's state can't be known any more.
            handle(.network(isReachable: true))
        }
        let isOver = core.withLock { core in
            core.networkWait = task
            return core.machine.state.isFinal
        }
        if isOver { task.cancel() }
    }
}

// MARK: Pauses of hosts

extension RequestOperation {
    /// A retry waits for its host's pause as a new operation does (BKO-3, BKO-4).
    func joinLine(isLongPoll: Bool, on client: NetworkClient?) {
        client?.backoffGate.join(.operation(id), originalRequest.url, isLongPoll: isLongPoll) { [weak self] answer in
            self?.handle(.lineAnswered(answer))
        }
    }
}

extension RequestOperation.Core {
    /// A file that another attempt may go on with stays open, so nobody can read it yet.
    fileprivate var bodySoFar: ResponseBody {
        guard let sink else { return .none }
        return machine.resuming.isInPlace ? sink.peek() : sink.close()
    }
}
