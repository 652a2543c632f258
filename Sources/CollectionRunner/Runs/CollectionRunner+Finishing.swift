import Base
import HTTPTypes
import History
package import NetworkLayer
import RequestCollections
import Synchronization

extension CollectionRunner {
    /// Captures, checks and records.
    func result(of run: PreparedRun, _ response: Response, _ polling: Polling?) async -> RunResult {
        var result = begun(run, response)
        result.polling = polling
        var facts = await facts(of: run, response, &result)
        facts.polls = max(1, polling?.polls.count ?? 1)
        if let complaint = polling?.complaint {
            result.failure = RunFailure(.until, result.redactor.text(complaint), at: polling?.until.location)
        }
        let redactor = result.redactor
        let shown = withKnownSecrets(redactor)
        facts.messages = await messages(of: run)
        result.expectations = run.resolved.expectations.check(facts, hiding: shown)
        // An error that is expected also keeps steps from what they wait for.
        let endsAsExpected = response.error != nil && result.expectations.contains { $0.subject == .error && $0.isMet }
        let steps = run.player?.played.checks.filter { $0.isMet || !endsAsExpected } ?? []
        result.expectations = steps.map { $0.redacted(by: shown) } + result.expectations
        if run.player != nil, let status = response.status, status != .switchingProtocols, response.error == nil,
            !Self.excludesSession(run.resolved.expectations, in: response)
        {
            let place = run.job.definition.places["url"] ?? run.job.definition.location
            result.expectations.insert(
                ExpectationResult(subject: .status, expected: "101", found: "\(status.code)", isMet: false, location: place), at: 0)
        }
        if polling?.end == .error, result.expectsError, result.failure == nil {
            // The error may be what is expected, and yet it isn't what was waited for.
            result.failure = RunFailure(
                .until, "until: it failed in a way that waiting doesn't mend", at: polling?.until.location)
        }
        if polling != nil, polling?.end == nil, result.failure == nil {
            result.failure = RunFailure(.cancelled, "it was cancelled before its answer was as `until` wants it")
        }
        if case .cancelled = response.metrics.state, result.failure == nil {
            result.failure = RunFailure(.cancelled, response.error.map { redactor.text($0.message) } ?? "it was cancelled")
        }
        if result.isUsable, let output = run.resolved.output { save(response, of: run, to: output, &result) }
        if result.isUsable, !run.job.isAside {
            let now = queue.client.time.now
            let captured = result.captured
            memory.withLock {
                // Nobody takes anything from a failed answer.
                $0.capture(captured, in: run.job.place)
                $0.keep(
                    EarlierResponse(info: response.info, redactor: redactor), captured, of: run.job.definition.id,
                    in: run.job.place, at: now)
            }
        }
        result.redactor = shown
        if let info = response.info { judge(run.resolved.secrets, by: info, isRedirected: response.metrics.redirectCount > 0) }
        record(run, response, &result)
        return result
    }

    /// Whether another status than that of a session is asked for, and not merely allowed.
    private static func excludesSession(_ expectations: [ExpectationDefinition], in response: Response) -> Bool {
        var opened = response
        opened.info?.head.status = .switchingProtocols
        let facts = ResponseFacts(opened, body: Data())
        return expectations.contains { $0.subject == .status && !$0.check(facts).isMet }
    }

    /// Notes whether the server took the secrets. A server that a redirect led to without them says nothing about them.
    private func judge(_ secrets: Set<String>, by info: ResponseInfo, isRedirected: Bool) {
        let (last, status) = (info.finalRequest, info.head.status)
        guard !secrets.isEmpty, !isRedirected || !last.secrets.uses.isEmpty else { return }
        let (origin, now) = (Origin(last.url), queue.client.time.now)
        answers.withLock { answers in
            if status == .unauthorized { answers.refuse(secrets, by: origin, at: now) }
            if status.kind == .successful { answers.accept(secrets, by: origin) }
        }
    }

    /// The body of an error page would take the place of what was good, so only what has passed is written.
    private func save(_ response: Response, of run: PreparedRun, to output: PermittedOutput, _ result: inout RunResult) {
        guard let body = response.info?.body else { return }
        do {
            try output.write(try body.contents())
            result.savedPath = output.name
        } catch {
            let place = run.resolved.origins.first { $0.subject == .setting("response.save") }?.location
            result.failure = RunFailure(.save, "the answer wasn't saved: \(error)", at: place)
        }
    }

    /// Hides these from the beginning, and not only from when a request is sent with them.
    package func hide(_ secrets: Redactor) { _ = withKnownSecrets(secrets) }

    /// What an answer sends back may also be a secret that another request of this runner was sent with.
    ///
    /// Only for what is shown and kept: to a request that captures it, it is what the server says. Short ones are left out, since they
    /// would hide words of answers that they have nothing to do with.
    private func withKnownSecrets(_ redactor: Redactor) -> Redactor {
        knownSecrets.withLock { known in
            let new = redactor.secrets.filter { $0.utf8.count >= Redactor.shortestSearched }.subtracting(known.secrets)
            if !new.isEmpty, known.secrets.count + new.count <= Self.mostKnownSecrets { known = known.union(Redactor(new)) }
            return redactor.secrets.isSubset(of: known.secrets) ? known : known.union(redactor)
        }
    }

    /// Each is looked for in each answer. Those beyond, such as the tokens of many rows, are hidden in their own answers alone.
    private static let mostKnownSecrets = 256

    /// What is known of it without a look at its body.
    func begun(_ run: PreparedRun, _ response: Response) -> RunResult {
        var result = RunResult(run.job)
        result.operation = run.operation.id
        result.needed = run.needed
        result.response = response
        // The heads of hops and retries count, too, and that of a response that broke off.
        let attempts = response.metrics.attempts
        result.redactor = attempts.compactMap(\.sentHead).reduce(run.redactor) { $0.union(run.redactor(afterSending: $1)) }
        result.redactor = attempts.compactMap(\.head).reduce(result.redactor) { $0.union(run.redactor(after: $1)) }
        return result
    }

    /// - Parameter result: gets what is captured, and learns what nobody may see.
    func facts(of run: PreparedRun, _ response: Response, _ result: inout RunResult) async -> ResponseFacts {
        let facts = await facts(of: run, response)
        if let played = run.player?.played {
            result.captured = played.captured
            result.failure = played.failure
        }
        if run.job.definition.body?.kind == .graphql {
            let type = response.info?.head.headers[.contentType]
            result.queryErrors = run.player.map(\.played.queryErrors) ?? QueryErrors(inAnswer: facts.body, type: type)
        }
        if response.error == nil { capture(facts, of: run, into: &result) }
        return facts
    }

    private func facts(of run: PreparedRun, _ response: Response) async -> ResponseFacts {
        let body = (try? response.info?.body.contents()) ?? Data()
        var facts = ResponseFacts(response, body: body)
        facts.filtered = await filtered(run.job.definition.filtersToAsk, of: run, response.info)
        return facts
    }

    /// What the filters find that aren't paths: all questions at once, then the commands. They have one timeout together.
    func filtered(
        _ all: [JSONFilter], of run: PreparedRun, _ info: ResponseInfo?
    ) async -> [ExactText: Result<[JSONValue], JSONFilterError>] {
        guard !all.isEmpty else { return [:] }
        let body = BodyFilter.Body(info)
        var found: [ExactText: Result<[JSONValue], JSONFilterError>] = [:]
        for (source, values) in body.found(by: all) { found[ExactText(source)] = .success(values) }
        let filters = all.filter { found[ExactText($0.source)] == nil }
        guard !filters.isEmpty else { return found }
        var limits = BodyFilter.Limits(timeout: limits.timeout)
        let clock = AnswerClock(limits.timeout)
        let asked = filters.filter { $0.language == .jq }.map(\.source)
        var outputs: [BodyFilter: BodyAnswer] = [:]
        for (program, answer) in zip(asked, await worker.ask(asked, about: body, limits: limits)) {
            outputs[BodyFilter(program)] = answer
        }
        for (filter, answer) in await BodyFilter.xpathAnswers(to: filters, in: body, limit: limits.output) {
            outputs[filter] = answer
        }
        var left = filters.count - outputs.count
        for filter in filters.map({ BodyFilter($0.source) }) {
            if outputs[filter] == nil {
                limits.share = clock.share(of: left)
                left -= 1
            }
            do throws(BodyFilterError) {
                let permit = run.resolved.filterPermits[ExactText(filter.source)]
                let output =
                    if let output = outputs[filter] {
                        try output.get()
                    } else {
                        try await filter.output(
                            of: body, environment: environment(outside: run.job.collection), permit: permit, limits: limits,
                            worker: worker)
                    }
                trust.ran(permit, in: "", of: run.job.collection)
                found[ExactText(filter.source)] = .success(try filter.values(in: output))
            } catch {
                found[ExactText(filter.source)] = .failure(JSONFilterError(error.message))
            }
        }
        return found
    }

    /// Captures everything that can be captured, even when one capture fails.
    private func capture(_ facts: ResponseFacts, of run: PreparedRun, into result: inout RunResult) {
        let captures = run.resolved.captures
        // Secrets first: what another capture takes from the same value is a secret, too.
        for definition in captures.filter(\.isHidden) + captures.filter({ !$0.isHidden }) {
            do throws(CaptureError) {
                let (value, secrets) = try definition.evaluate(
                    facts, of: run.job.definition.id, hiding: result.redactor)
                result.captured[definition.name] = value
                if !secrets.isEmpty { result.redactor = result.redactor.union(Redactor(Set(secrets))) }
            } catch {
                if result.failure == nil { result.failure = RunFailure(error) }
            }
        }
        if var failure = result.failure {
            failure.message = result.redactor.text(failure.message)
            failure.evidence = failure.evidence.map(result.redactor.text)
            result.failure = failure
        }
    }

    /// A reason a line.
    private static func complaint(about result: RunResult) -> String? {
        let unmet = result.unmet.map { $0.complaint.pieces(at: "\n").joined(separator: " ") }
        return unmet.isEmpty ? result.failure?.message : unmet.joined(separator: "\n")
    }

    /// What can't be kept is no failure of the run.
    private func record(_ run: PreparedRun, _ response: Response, _ result: inout RunResult) {
        guard let history else { return }
        let finished = FinishedRun(
            of: run.job.definition, in: run.job.collection.path, environment: run.job.environment, response: response,
            redactor: result.redactor,
            complaint: result.polling?.complaint.map(result.redactor.text)
                ?? (response.error == nil ? Self.complaint(about: result) : nil),
            note: run.job.note)
        do throws(HistoryError) {
            result.historyID = try history.keep(finished)
        } catch {
            result.historyProblem = error.message
        }
    }
}

extension BodyFilter.Body {
    /// A body for a filter that takes text: in UTF-8, whatever `charset` it came in.
    package init(_ info: ResponseInfo?) {
        contentType = info?.head.headers[.contentType]
        content =
            switch info?.body {
            case nil, .some(.none): .data(Data())
            case .data(let data): .data(data)
            case .file(let file): .file(file)
            }
        guard let body = try? info?.body.contents() else { return }
        if let text = CharsetText.converted(body, contentType: contentType) { content = .data(text) }
    }
}
