package import NetworkLayer
import Synchronization

/// Begins turn after turn, at a rate or as soon as there is a free place, until there were enough of them, the time is over, or somebody
/// stops it.
///
/// With an interval it is an open model: each turn has its due time, `start + i × interval`, whatever became of those before it, and is begun
/// late when all places are taken. The clock of a turn starts at its due time, not when it gets its place.
package final class LoadPacer: Sendable {
    /// A turn that has begun.
    package struct Turn: Sendable, Hashable {
        /// From 0.
        package var number: Int
        /// `nil` without an interval.
        package var due: MonotonicTime?
        /// All places were taken when it was due.
        package var hasWaited = false
    }

    private let time: any TimeSource
    private let places: Int
    private let rounds: Int?
    private let duration: Duration?
    private let interval: Duration?
    private let state = Mutex(State())

    private struct State {
        var isStopped = false
        var running = 0
        var pausedSince: MonotonicTime?
        /// All pauses that are over.
        var paused = Duration.zero
        /// The continuation that waits for a due time, the end of a pause, or the end of the load.
        var waiter: CheckedContinuation<Void, Never>?
        var alarm: (any Alarm)?
    }

    /// - Parameters:
    ///   - places: how many turns are under way at a time, at least 1.
    ///   - rounds: `nil`: as many as the duration has room for.
    ///   - duration: no turn begins, or is due, after it.
    ///   - interval: between two due times; `nil`: each turn begins as soon as there is a place.
    package init(time: any TimeSource, places: Int, rounds: Int?, duration: Duration?, interval: Duration?) {
        self.time = time
        self.places = max(1, places)
        self.rounds = rounds
        self.duration = duration
        self.interval = interval
    }

    /// - Parameter turn: all that belongs to one.
    /// - Returns: how many turns were due and never begun.
    package func run(_ turn: @escaping @Sendable (Turn) async -> Void) async -> Int {
        let start = time.now
        return await withTaskGroup(of: Void.self) { group in
            var number = 0
            var underWay = 0
            while await mayBegin(number, since: start) {
                var next = Turn(number: number)
                if let interval {
                    // The pauses so far have moved it.
                    while let due = isStopped ? nil : self.due(number, interval, start), due > time.now { await wait(until: due) }
                    guard !isStopped else { break }
                    guard !isPaused else { continue }
                    next.due = due(number, interval, start)
                }
                if underWay == places {
                    // A turn that is over may not have been removed from the group yet.
                    next.hasWaited = next.due != nil && state.withLock { $0.running } == places
                    _ = await group.next()
                    underWay -= 1
                    // Meanwhile the time may be over, or somebody has paused it.
                    if isStopped { break }
                    if next.due != nil, !isWithin(time.now, since: start) { break }
                    if next.due == nil || isPaused { continue }
                }
                state.withLock { $0.running += 1 }
                group.addTask { [self, next] in
                    await turn(next)
                    state.withLock { $0.running -= 1 }
                }
                underWay += 1
                number += 1
            }
            let unsent = unsent(after: number, since: start)
            await group.waitForAll()
            return unsent
        }
    }

    /// No further turn begins; turns under way aren't affected.
    package func stop() { wake { $0.isStopped = true } }

    /// Due times move by as long as the pause takes.
    package func pause() { state.withLock { $0.pausedSince = $0.pausedSince ?? time.now } }

    package func resume() {
        wake { state in
            guard let since = state.pausedSince else { return }
            state.paused += time.now - since
            state.pausedSince = nil
        }
    }

    /// All pauses that are over.
    package var paused: Duration { state.withLock { $0.paused } }

    private var isStopped: Bool { state.withLock { $0.isStopped } }
    private var isPaused: Bool { state.withLock { $0.pausedSince != nil } }

    private func due(_ number: Int, _ interval: Duration, _ start: MonotonicTime) -> MonotonicTime {
        // Multiplied rather than added up: the rounding errors of a hundred thousand intervals would accumulate.
        start + interval * number + state.withLock { $0.paused }
    }

    private func isWithin(_ moment: MonotonicTime, since start: MonotonicTime) -> Bool {
        duration.map { moment < start + $0 + state.withLock { $0.paused } } ?? true
    }

    private func mayBegin(_ number: Int, since start: MonotonicTime) async -> Bool {
        if let rounds, number >= rounds { return false }
        while isPaused, !isStopped { await wait(until: nil) }
        guard !isStopped else { return false }
        return isWithin(interval.map { due(number, $0, start) } ?? time.now, since: start)
    }

    /// Those that were due when it ended.
    private func unsent(after number: Int, since start: MonotonicTime) -> Int {
        guard let interval, interval > .zero else { return 0 }
        var number = number
        let first = number
        while rounds.map({ number < $0 }) ?? true {
            let due = due(number, interval, start)
            guard due <= time.now, isWithin(due, since: start) else { break }
            number += 1
        }
        return number - first
    }

    // MARK: Waiting

    /// Also returns when somebody stops, pauses or resumes it.
    private func wait(until deadline: MonotonicTime?) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isStopped || deadline == nil && state.pausedSince == nil { return true }
                state.waiter = continuation
                return false
            }
            guard !isOver else { return continuation.resume() }
            guard let deadline else { return }
            let alarm = time.schedule(at: deadline) { [self] in wake { _ in } }
            let isLate = state.withLock { state in
                if state.waiter != nil { state.alarm = alarm }
                return state.waiter == nil
            }
            if isLate { alarm.cancel() }
        }
    }

    private func wake(_ change: (inout State) -> Void) {
        let (waiter, alarm) = state.withLock { state in
            change(&state)
            defer { (state.waiter, state.alarm) = (nil, nil) }
            return (state.waiter, state.alarm)
        }
        alarm?.cancel()
        waiter?.resume()
    }
}

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
        return await pacer.run { turn in
            // Nothing of an earlier round reaches a later one.
            _ = await self.perform(
                turn.number == 0 ? plan : repeated, upTo: nil, jobs: 1, neededBy: [], before: before,
                mayBegin: mayBegin, ended: { ended(turn, $0, $1) })
        }
    }

    /// One or several requests in turn, again and again. What they need is sent once, before.
    ///
    /// - Parameters:
    ///   - plans: of one request each, with what it needs: the first, the second …, the first again, so that a drift hits all of them.
    ///   - ended: told of each turn, with the number of its job.
    /// - Returns: how many turns were due and never begun.
    /// - Throws: why the first turn can't begin.
    package func perform(
        _ plans: [RunPlan], by pacer: LoadPacer, ended: @escaping @Sendable (LoadPacer.Turn, Int, RunResult) -> Void
    ) async throws(RunFailure) -> Int {
        var contexts: [NodeContext] = []
        for plan in plans {
            var context = await fulfil(plan, neededBy: [])
            if let failure = context.failure { throw failure }
            context.constant = (plan.constants, plan.round.count - 1)
            contexts.append(context)
        }
        return await pacer.run { [contexts] turn in
            let index = turn.number % plans.count
            ended(turn, index, await self.send(plans[index].last, in: contexts[index]))
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
