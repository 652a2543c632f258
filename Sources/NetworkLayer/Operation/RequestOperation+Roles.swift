import Base
import HTTPTypes
import Synchronization

/// Asks the roles that take part in the preparation of an attempt: each in a task of its own (``RoleTasks``), which hands its answer to
/// the machine.
extension RequestOperation {
    typealias Answer = StateMachine.PreparationAnswer

    func participate(_ client: NetworkClient?) {
        var participants: Participants = []
        if client?.headerProviders.isEmpty == false { participants.insert(.headerProviders) }
        if client?.hostSanitizer != nil { participants.insert(.hostSanitizer) }
        if delegate.hydrator != nil { participants.insert(.hydrator) }
        if delegate.authorizer != nil { participants.insert(.authorizer) }
        if delegate.events != nil { participants.insert(.eventHandler) }
        handle(.participants(participants, transportCodings: client?.transport.contentCodings ?? []))
    }

    func ask(_ step: PreparationStep, about request: Request, number: Int, of client: NetworkClient?) {
        guard let client else { return }
        callRole { [self] in
            handle(.answered(await answer(step, request, client), number: number))
        }
    }

    private func answer(_ step: PreparationStep, _ request: Request, _ client: NetworkClient) async -> Answer {
        switch step {
        case .hydration: await hydrate(request)
        case .headers: await askHeaderProviders(request, client)
        case .contentEncoding: await encode(request, client)
        case .hostSanitizer: await sanitize(request, client)
        case .authorization: await authorize(request)
        case .readyToEnqueue: await becomeReady()
        case .validation, .revalidation, .configuration, .acceptEncoding: .done
        }
    }

    private func hydrate(_ request: Request) async -> Answer {
        guard let hydrator = delegate.hydrator else { return .done }
        do {
            return .hydrated(
                try await watched(hydrator, as: "RequestHydrator", "hydrate") { try await $0.hydrate(request, for: self) })
        } catch is CancellationError {
            return cancelled(by: hydrator)
        } catch {
            return .failed(.hydrationFailed(error, by: hydrator))
        }
    }

    /// The provider that was added last has the last word (HDR-1).
    private func askHeaderProviders(_ request: Request, _ client: NetworkClient) async -> Answer {
        var defaults: HTTPFields = [:]
        var overrides: HTTPFields = [:]
        for provider in client.headerProviders.all {
            let theirs = await watched(provider, as: "HeaderProvider", "defaultHeaders") {
                await $0.defaultHeaders(for: originalRequest, preparedAs: request)
            }
            defaults.merge(defaults: [:], overrides: theirs)
            let last = await watched(provider, as: "HeaderProvider", "overrideHeaders") {
                await $0.overrideHeaders(for: originalRequest, preparedAs: request)
            }
            overrides.merge(defaults: [:], overrides: last)
        }
        return .headers(defaults: defaults, overrides: overrides)
    }

    private func encode(_ request: Request, _ client: NetworkClient) async -> Answer {
        let encoder = core.withLock { $0.machine.configuration.contentCoding.encoder }
        guard let encoder, case .data(let body) = request.body else { return .done }
        let start = client.time.now
        do {
            let coded = try await watched(encoder, as: "ContentEncoder", "encode") { try $0.encode(body) }
            return .encoded(coded, latency: client.time.now - start)
        } catch is CancellationError {
            return cancelled(by: encoder)
        } catch {
            return .failed(.encodingFailed(error, by: encoder))
        }
    }

    private func sanitize(_ request: Request, _ client: NetworkClient) async -> Answer {
        guard let sanitizer = client.hostSanitizer else { return .host(.keep) }
        let isRedirect = core.withLock { $0.machine.exchange != nil }
        return .host(
            await watched(sanitizer, as: "HostSanitizer", "sanitize") {
                await $0.sanitize(host: request.url.lowercasedHost ?? "", of: request, isRedirect: isRedirect)
            })
    }

    private func authorize(_ request: Request) async -> Answer {
        guard let authorizer = delegate.authorizer else { return .done }
        do {
            return .authorization(
                try await watched(authorizer, as: "RequestAuthorizer", "authorize") {
                    try await $0.authorize(request, for: self)
                })
        } catch is CancellationError {
            return cancelled(by: authorizer)
        } catch {
            return .failed(.authorizationFailed(error, by: authorizer))
        }
    }

    /// A role that gives up as a cancelled task does gives the operation up.
    private func cancelled(by role: any Sendable) -> Answer {
        cancel(CancelSource("\(type(of: role)) threw CancellationError"))
        return .done
    }

    /// The time that the handler's dependencies take doesn't count against the deadline for callbacks.
    private func becomeReady() async -> Answer {
        guard let handler = delegate.events else { return .done }
        let isRetry = core.withLock { $0.machine.preparation?.isRetry ?? false }
        let dependencies = await watched(handler, as: "RequestEventHandler", "readyToEnqueue") {
            await $0.readyToEnqueue(self, isRetry: isRetry)
        }
        // This awaits `end()` and not `response`: cancelling this operation must not cancel the others.
        for dependency in dependencies where dependency !== self { await dependency.end() }
        return .done
    }
}

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
            let isWanted = core.withLock { core in core.machine.ruling(on: decision, at: core.now).isRetry }
            let host = originalRequest.url.lowercasedHost ?? ""
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
