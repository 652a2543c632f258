import Base
import HTTPTypes
import MockTransport
package import NetworkLayer
import RequestCollections
import Synchronization
import WebSockets

extension CollectionRunner {
    /// Enqueues it, after the delay that it wants. Until then it is idle.
    func enqueue(_ run: PreparedRun) { enqueue(run, after: run.delay) }

    private func enqueue(_ run: PreparedRun, after pause: Duration) {
        pauses.enqueue(run.operation, on: queue, after: pause)
        run.player?.socket.follow(run.operation)
    }

    /// Ends every wait before a request, now and from now on.
    package func endPauses(_ source: CancelSource) { pauses.end(source) }

    /// Cancels every operation, and ends what requests wait for that is no operation: pauses, commands, questions and filters.
    package func interrupt(_ source: CancelSource) {
        endPauses(source)
        queue.cancelAll(source)
        worker.stop()
        work.end()
    }

    /// Undoes ``endPauses(_:)`` and ``interrupt(_:)`` for the requests that follow.
    func resume() {
        pauses.resume()
        work.resume()
        worker.resume()
    }

    /// The answer to a run that was enqueued. One with `until` is sent again until it is as it should be; the last time counts.
    func answer(to first: PreparedRun) async -> (run: PreparedRun, response: Response, polling: Polling?) {
        guard let until = first.resolved.until else {
            let (run, response) = await wholeAnswer(to: first)
            return (run, response, nil)
        }
        var polling = Polling(until)
        var run = first
        var last: (run: PreparedRun, response: Response)?
        let time = queue.client.time
        let start = time.now + first.delay
        while true {
            let response: Response
            (run, response) = await wholeAnswer(to: run, by: start + until.limit)
            if case .cancelled = response.metrics.state {
                // Before that, somebody has cancelled it.
                if time.now >= start + until.limit { polling.cut(wasSent: response.wasSent, now: time.now - start) }
                // The answer before it counts: nobody knows what this one would have been.
                guard let last else { return (run, response, polling) }
                tellOfPoll(run, RunResult(run.job))
                return (last.run, last.response, polling)
            }
            let (poll, answer, scratch) = await look(at: response, to: run, until, since: start, number: polling.polls.count + 1)
            let pause = polling.add(poll, answer, now: time.now - start)
            for observer in observers.withLock({ $0 }) {
                observer.didPoll(
                    run, polling.polls[polling.polls.count - 1], number: polling.polls.count, next: pause, hiding: scratch.redactor)
            }
            guard let pause, !Task.isCancelled else {
                polling.forgetLastMetrics()
                return (run, response, polling)
            }
            tellOfPoll(run, scratch)
            last = (run, response)
            guard let next = await again(run) else { return (run, response, polling) }
            run = next
            for observer in observers.withLock({ $0 }) { observer.willSend(run) }
            enqueue(run, after: pause)
        }
    }

    private static let limitSource: CancelSource = "`within` is over"

    private func response(to run: PreparedRun) async -> Response {
        async let played: Void = play(run)
        var response = await run.operation.response(orCancel: "the run was cancelled")
        await played
        run.player?.complete(&response, hiding: run.redactor)
        pauses.remove(run.id)
        mocks?.unregister(run.operation.id)
        return response
    }

    /// The answer to a run; a persisted query whose hash the server doesn't know is sent again as a whole.
    ///
    /// - Parameter deadline: ends either.
    private func wholeAnswer(
        to run: PreparedRun, by deadline: MonotonicTime? = nil
    ) async -> (run: PreparedRun, response: Response) {
        let response = await response(to: run, by: deadline)
        guard let whole = run.resolved.wholeQuery, !Task.isCancelled, let body = try? response.info?.body.contents(),
            QueryErrors(inAnswer: body)?.saysUnknownHash == true
        else { return (run, response) }
        var resolved = run.resolved
        resolved.request.body = whole
        guard let next = await again(run, with: Shared(wrappedValue: resolved)) else { return (run, response) }
        tellOfPoll(run, begun(run, response))
        for observer in observers.withLock({ $0 }) { observer.willSend(next) }
        enqueue(next, after: .zero)
        return (next, await self.response(to: next, by: deadline))
    }

    private func response(to run: PreparedRun, by deadline: MonotonicTime?) async -> Response {
        let limit = deadline.map { deadline in
            queue.client.time.schedule(at: deadline) { [operation = run.operation] in operation.cancel(Self.limitSource) }
        }
        defer { limit?.cancel() }
        return await response(to: run)
    }

    private func tellOfPoll(_ run: PreparedRun, _ scratch: RunResult) {
        var result = scratch
        result.operation = run.id
        result.response = run.operation.finalResponse
        result.isPoll = true
        result.redactor = scratch.redactor.union(run.redactor)
        for observer in observers.withLock({ $0 }) { observer.didFinish(result) }
    }

    /// The same request once more; who sends it is shown anew, and hydrating is done anew.
    ///
    /// - Parameter shared: what is sent in place of the request.
    private func again(_ run: PreparedRun, with shared: Shared<ResolvedRequest>? = nil) async -> PreparedRun? {
        let shared = shared ?? run.$resolved
        let resolved = shared.wrappedValue
        let authorizer = authorizer(for: resolved)
        guard await authorizer?.prepare(nil) != false else { return nil }
        let player = SessionPlayer(resolved, in: run.player?.context ?? NodeContext(), time: queue.client.time)
        let operation = operation(for: resolved, of: run.job, authorizer, player)
        if let mock = resolved.mock, let mocks { mocks.register(mock, for: operation.id, of: resolved.request) }
        var next = PreparedRun(
            job: run.job, resolved: shared, operation: operation, needed: run.needed, authorizer: authorizer,
            secretCookies: secretCookies, player: player)
        next.isNeeded = run.isNeeded
        next.isAgain = true
        return next
    }

    private func look(
        at response: Response, to run: PreparedRun, _ until: UntilDefinition, since start: MonotonicTime, number: Int
    ) async -> (Polling.Poll, Polling.Answer, RunResult) {
        var result = begun(run, response)
        var facts = await facts(of: run, response, &result)
        facts.polls = number
        let conditions = until.conditions(of: run.resolved.expectations)
        let checked = conditions.check(facts, hiding: result.redactor)
        let isAboutErrors = conditions.contains { $0.subject == .error }
        let metrics = response.metrics
        let poll = Polling.Poll(
            start: metrics.enqueued.map { $0 - start } ?? .zero, duration: metrics.total, status: response.info?.head.status,
            unmet: checked.filter { !$0.isMet },
            error: isAboutErrors ? nil : response.error.map { result.redactor.text($0.message) },
            metrics: number <= Polling.mostMetrics ? metrics : nil)
        var answer = Polling.Answer()
        answer.isMet = (response.error == nil || isAboutErrors) && checked.allSatisfy(\.isMet)
        answer.givesUp = !until.giveUp.isEmpty && until.giveUp.check(facts).allSatisfy(\.isMet)
        answer.isFinal = response.error.map { !isAboutErrors && !FailureKind($0).passes } ?? false
        answer.isFixed = mocks != nil && run.resolved.mock != nil
        answer.programFailure = conditions.failingProgram(on: facts).map(result.redactor.text)
        let now = queue.client.time.date
        // A `Retry-After` that can't be read is ignored.
        if let asked = response.info?.head.headers[.retryAfter].map({ RetryAfter($0, receivedAt: now) }), asked.isValid {
            answer.retryAfter = .milliseconds(Int64(max(0, asked.delay(from: now)) * 1000))
        }
        return (poll, answer, result)
    }
}

extension FailureKind {
    /// Whether a server that is only just starting, or is busy, fails in this way.
    fileprivate var passes: Bool {
        switch self {
        case .timeout, .dns, .connection: true
        default: false
        }
    }
}

extension [ExpectationDefinition] {
    /// What is wrong with a program for jq that fails on JSON of an answer whose status is as wanted: it is the program that is at fault.
    /// What isn't JSON yet, or comes with an error's status, may be another time.
    fileprivate func failingProgram(on facts: ResponseFacts) -> String? {
        guard let info = facts.response.info, info.head.status.code < 400, facts.response.error == nil, facts.isJSON,
            filter({ $0.subject == .status }).check(facts).allSatisfy(\.isMet)
        else { return nil }
        for expectation in self {
            guard case .filter(let source) = expectation.subject, JSONFilter(source).language == .jq,
                case .failure(let error)? = facts.filtered[ExactText(source)]
            else { continue }
            return "\(expectation.subject) can't be evaluated: \(error.message)"
        }
        return nil
    }
}
