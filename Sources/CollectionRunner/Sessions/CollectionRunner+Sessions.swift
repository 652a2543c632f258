import Base
import HTTPTypes
import NetworkLayer
import RequestCollections
import WebSockets

extension CollectionRunner {
    /// Plays the steps of a session that was enqueued, and returns when it is over.
    func play(_ run: PreparedRun) async {
        guard let player = run.player else { return }
        async let reading: Void = player.read()
        var isPlayed = true
        if (try? await player.socket.opened()) != nil, !player.session.steps.isEmpty {
            for number in player.session.steps.indices {
                guard await play(step: number, of: run, player) else {
                    isPlayed = false
                    break
                }
            }
            // A subscription without steps of its own goes on until the server completes it.
            if !isPlayed || player.session.hasOwnSteps { player.socket.close() }
        }
        player.inbox.close()
        await reading
    }

    /// - Returns: whether the next one can follow.
    private func play(step number: Int, of run: PreparedRun, _ player: SessionPlayer) async -> Bool {
        let action: ResolvedStep.Action
        do throws(ResolutionError) {
            action = try await self.action(number, of: run, player)
        } catch {
            player.change { $0.failure = RunFailure(error) }
            return false
        }
        switch action {
        case .send(let message):
            do throws(NetworkError) {
                try await player.socket.send(message.sent)
                return true
            } catch {
                report(number, "to be sent", found: player.ending, of: player)
                return false
            }
        case .wait(let duration):
            await wait(duration, for: player) { _ = await player.inbox.next(from: .max) }
            return true
        case .close(let code, let reason):
            player.socket.close(code: code, reason: reason)
            return true
        case .receive(let receive): return await self.receive(receive, number, of: run, player)
        }
    }

    /// A step, with what earlier ones have captured.
    private func action(
        _ number: Int, of run: PreparedRun, _ player: SessionPlayer
    ) async throws(ResolutionError) -> ResolvedStep.Action {
        let step = player.session.steps[number]
        if !step.isDeferred, let action = step.action { return action }
        return try await filledIn(number, in: run.job.definition, of: run, player)
    }

    /// - Parameter definition: has the step, and is otherwise the one of the run.
    func filledIn(
        _ number: Int, in definition: RequestDefinition, of run: PreparedRun, _ player: SessionPlayer
    ) async throws(ResolutionError) -> ResolvedStep.Action {
        var context = player.context
        context.captured.merge(player.played.captured) { $1 }
        let job = run.job
        let here = run.operation.currentRequest?.url ?? run.resolved.request.url
        let (filled, secrets) = try await answering(job, in: context) { (sources) throws(ResolutionError) in
            try job.collection.resolve(
                step: number, of: definition, to: here, environment: job.environment, variables: job.variables,
                secretVariables: job.secretVariables, with: sources)
        }
        player.change { $0.secrets.formUnion(secrets) }
        guard let action = filled.action else {
            throw ResolutionError(.template, "the step can't be filled in", at: filled.location)
        }
        return action
    }

    private func wait(_ duration: Duration, for player: SessionPlayer, _ work: () async -> Void) async {
        let time = queue.client.time
        player.inbox.beginWaiting()
        let alarm = time.schedule(at: time.now + duration) { [inbox = player.inbox] in inbox.endWaiting() }
        await work()
        alarm.cancel()
    }

    // MARK: Receiving

    private func receive(
        _ receive: SessionStep.Receive, _ number: Int, of run: PreparedRun, _ player: SessionPlayer
    ) async -> Bool {
        var others: (count: Int, last: WebSocket.Message?) = (0, nil)
        var isOver = false
        var taken: ResponseFacts?
        await wait(receive.limit, for: player) {
            var next = 0
            while true {
                switch await player.inbox.next(from: next) {
                case .over: isOver = true
                case .late: break
                case .message(let message, let index):
                    let facts = await facts(of: message, RequestDefinition.filtersToAsk(of: receive), run)
                    guard receive.conditions.check(facts).allSatisfy(\.isMet) else {
                        others = (others.count + 1, message)
                        next = index + 1
                        // Looking at each may take long.
                        if player.inbox.isLate || Task.isCancelled { return }
                        continue
                    }
                    player.inbox.remove(index)
                    taken = facts
                }
                return
            }
        }
        let wanted = receive.conditions.map(\.sentence).joined(separator: " and ")
        let demand = "to receive \(wanted) within \(DurationText.format(receive.limit))"
        guard let taken else {
            let found = others.last.map { Self.shown($0, of: others.count, hiding: run.redactor) } ?? "nothing"
            report(number, demand, found: isOver ? "\(found) before \(player.ending)" : found, of: player)
            return false
        }
        report(number, demand, found: nil, of: player)
        return capture(receive.captures, from: taken, of: run, player)
    }

    /// `3 other messages, the last one {"type":"tick"}`
    private static func shown(_ message: WebSocket.Message, of count: Int, hiding redactor: Redactor) -> String {
        let last: String
        switch message {
        case .text(let text):
            let text = redactor.text(text)
            last = text.unicodeScalars.count > 200 ? "\(String(text.unicodeScalars.prefix(200)))…" : text
        case .binary(let data): last = "\(data.count) bytes"
        }
        return count == 1 ? "another message, \(last)" : "\(count) other messages, the last one \(last)"
    }

    /// - Parameter found: what came instead; `nil`: it is met.
    private func report(_ number: Int, _ demand: String, found: String?, of player: SessionPlayer) {
        let result = ExpectationResult(
            subject: .step(number + 1), expected: demand, demand: demand, found: found ?? "it", isMet: found == nil,
            location: player.session.steps[number].location)
        player.change { $0.checks.append(result) }
    }

    private func capture(
        _ captures: [CaptureDefinition], from facts: ResponseFacts, of run: PreparedRun, _ player: SessionPlayer
    ) -> Bool {
        for capture in captures {
            do throws(CaptureError) {
                let (value, secrets) = try capture.evaluate(facts, of: run.job.definition.id, hiding: run.redactor)
                player.change {
                    $0.captured[capture.name] = value
                    $0.secrets.formUnion(secrets)
                }
            } catch {
                player.change { $0.failure = RunFailure(error) }
                return false
            }
        }
        return true
    }

    // MARK: What is said of messages

    /// A message, as a body.
    private func facts(of message: WebSocket.Message, _ filters: [JSONFilter], _ run: PreparedRun) async -> ResponseFacts {
        let body: Data =
            switch message {
            case .text(let text): Data(text.utf8)
            case .binary(let data): data
            }
        let metrics = run.operation.metrics
        let head = metrics.attempts.last?.head ?? ResponseHead(status: .switchingProtocols)
        let info = ResponseInfo(finalRequest: run.operation.currentRequest ?? run.resolved.request, head: head, body: .data(body))
        var facts = ResponseFacts(Response(originalRequest: run.resolved.request, info: info, metrics: metrics), body: body)
        facts.filtered = await filtered(filters, of: run, info)
        return facts
    }

    /// The messages that were received, for what is expected of them.
    func messages(of run: PreparedRun) async -> [ResponseFacts] {
        guard let player = run.player,
            run.resolved.expectations.contains(where: { if case .message = $0.subject { true } else { false } })
        else { return [] }
        let filters = run.job.definition.messageFiltersToAsk
        var messages: [ResponseFacts] = []
        for message in player.played.record.received { messages.append(await facts(of: message, filters, run)) }
        return messages
    }
}

extension ResolvedStep.Message {
    var sent: WebSocket.Message {
        switch self {
        case .text(let text): .text(text)
        case .binary(let data): .binary(data)
        }
    }
}
