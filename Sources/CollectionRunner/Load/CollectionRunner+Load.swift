package import NetworkLayer
import Synchronization

extension CollectionRunner {
    /// A plan of one round again and again, each round a turn: what it needs is sent in each of them.
    ///
    /// - Parameter ended: told of each node of each turn.
    /// - Returns: how many turns were due and never begun.
    package func perform(
        _ plan: RunPlan, by pacer: LoadPacer, mayBegin: @escaping @Sendable (RunPlan.Step?) -> Bool,
        ended: @escaping @Sendable (LoadPacer.Turn, Int, NodeOutcome) -> Void
    ) async -> Int {
        let plan = await compiled(plan)
        let repeated = plan.repeated
        let before = memory.withLock { $0 }
        let known = plan.round.map { _ in KnownRequest() }
        return await pacer.run { turn in
            // Nothing of an earlier round reaches a later one.
            _ = await self.perform(
                turn.number == 0 ? plan : repeated, upTo: nil, jobs: 1, neededBy: [], before: before, known: known,
                mayBegin: mayBegin, ended: { ended(turn, $0, $1) })
        }
    }

    /// One or several requests in turn, again and again. What they need is sent once, before.
    ///
    /// - Parameters:
    ///   - jobs: the first, the second …, the first again: so a drift hits all of them.
    ///   - ended: told of each turn, with the number of its job.
    /// - Returns: how many turns were due and never begun.
    /// - Throws: why the first turn can't begin.
    package func perform(
        _ jobs: [RunJob], by pacer: LoadPacer, ended: @escaping @Sendable (LoadPacer.Turn, Int, RunResult) -> Void
    ) async throws(RunFailure) -> Int {
        var contexts: [NodeContext] = []
        for job in jobs {
            var context = await fulfil(plan(for: job), neededBy: [])
            if let failure = context.failure { throw failure }
            context.known = KnownRequest()
            contexts.append(context)
        }
        return await pacer.run { [contexts] turn in
            let index = turn.number % jobs.count
            ended(turn, index, await self.send(jobs[index], in: contexts[index]))
        }
    }

    /// Another one on a queue of its own, that knows what this one knows by now, keeps no history, and tells nobody.
    ///
    /// - Parameter cookies: begins with those of this one; what answers set afterwards is nothing for those who come after.
    package func aside(on queue: RequestOperationQueue, cookies: SessionCookies? = nil) -> CollectionRunner {
        let runner = CollectionRunner(
            queue: queue, secrets: secrets, prompter: prompter, trust: trust, mocks: mocks, limits: limits, tokens: tokens.store,
            cookies: cookies, environment: processEnvironment, given: givenEnvironment)
        let (memory, answers) = (self.memory.withLock { $0 }, self.answers.withLock { $0 })
        runner.memory.withLock { $0 = memory }
        runner.answers.withLock { $0 = answers }
        return runner
    }
}
