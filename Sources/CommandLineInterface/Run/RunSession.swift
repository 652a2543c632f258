import Base
import CollectionRunner
import History
import MockTransport
import NetworkLayer
import Presentation
import RequestCollections
import Synchronization
import TerminalUI

/// One run of `run`: a client, a queue and a runner around the plan, and what is said of it.
final class RunSession: Sendable {
    private let options: Run
    private let plan: RunPlan
    private let context: CommandLineContext
    private let queue: RequestOperationQueue
    private let runner: CollectionRunner
    private let screen: RunScreen
    private let prompter: TerminalPrompter?
    /// `nil`: runs are not kept.
    private let history: HistoryWriter?
    /// With `--duration` or `--rate`.
    private let pacer: LoadPacer?
    private let state: Mutex<State>
    private let alarm = Mutex<(any Alarm)?>(nil)
    /// Held while the run is being stopped: what undoes begins after all else is cancelled, or it would be cancelled, too.
    private let stopping = Mutex(())

    fileprivate struct State {
        /// The first reason for it.
        var stop: RunOutcome.Stop?
        var outcome: RunOutcome
        /// In the order of the options.
        var reports: [ReportWriter]
        /// Whether each place of the plan is over, whether its request was sent or not.
        var isOver: [Bool]
        /// How many are not over that are no tear-down.
        var mainLeft: Int
        /// Whether the run was given up altogether, so that tear-downs aren't sent either.
        var isAbandoned = false
        /// In a load: the places of the plan that the reports have, how many failures they have, and what they have besides.
        var reported: Set<Int> = []
        var reportedFailures = 0
        var extra = 0
        /// In a load: how many failures were shown for the same reasons.
        var alike: [String: Int] = [:]
        /// What the requests want isn't allowed, and none was sent.
        var isRefused = false
    }

    /// - Parameters:
    ///   - unread: what of the files isn't in the plan, since it can't be read.
    ///   - secrets: what is known before anything is sent, and shown nowhere.
    init(
        _ options: Run, _ plan: RunPlan, unread: [CollectionProblem], _ trust: TrustKeeper, hiding secrets: Redactor,
        _ context: CommandLineContext
    ) throws {
        self.options = options
        self.plan = plan
        self.context = context
        let mocks = options.mocks ? MockTransport(time: context.time, fallback: context.transport) : nil
        var settings = NetworkClient.Settings()
        // The user says how many.
        settings.maxConcurrent = options.jobs
        settings.maxConcurrentPerHost = nil
        settings.maxStreamsPerHost = nil
        let client = context.client(over: mocks, settings: settings)
        state = Mutex(
            State(
                outcome: RunOutcome(started: context.time.date, load: options.load.plan(atOnce: options.jobs)),
                reports: options.report.map {
                    ReportWriter($0.format.report(in: context), places: plan.nodes.count)
                },
                isOver: [Bool](repeating: false, count: plan.nodes.count), mainLeft: plan.mainCount * plan.rounds))
        state.withLock { state in
            state.outcome.unread = unread
            state.outcome.failsSkips = options.noSkips
        }
        history = options.noHistory || options.load.isPaced ? nil : Self.history(context).map { HistoryWriter($0) }
        queue = try RequestOperationQueue(identifier: "run", client: client)
        pacer = options.load.pacer(context.time, places: options.jobs)
        screen = RunScreen(options, planned: plan.nodes.count, hiding: secrets, context)
        prompter = options.trust.prompter(context, beside: screen)
        runner = CollectionRunner(
            queue: queue, secrets: SystemSecrets(environment: context.environment, given: context.givenEnvironment),
            prompter: prompter, trust: trust,
            mocks: mocks,
            history: history,
            limits: .init(
                timeout: options.filterTimeout.duration, bodyBytes: Int64(options.bodyLimit.bytes), program: context.program),
            cookies: SessionCookies(), environment: context.environment, given: context.givenEnvironment)
        runner.hide(secrets)
        runner.addObserver(screen)
        if screen.followsEvents { queue.addObserver(screen) }
    }

    /// Where there is no home, or the disk is full, runs are not kept: that is no reason not to run.
    private static func history(_ context: CommandLineContext) -> History? {
        guard let path = UserDirectories(context.environment).history else { return nil }
        do throws(HistoryError) {
            return try History(path: path)
        } catch {
            try? context.note("\(error.message); runs are not kept")
            return nil
        }
    }

    func run() async -> RunOutcome {
        let start = context.time.now
        screen.tell(of: plan)
        let interruption = context.onInterrupt { [self] in
            interrupt()
            prompter?.interrupt()
        }
        defer { withExtendedLifetime(interruption) {} }
        if await isAllowed() {
            let redrawing = screen.startDrawing { [self] in progress }
            if let pacer {
                let unsent = await runner.perform(
                    plan, by: pacer, mayBegin: self.mayBegin,
                    ended: { turn, index, outcome in self.end(index, outcome, of: turn) })
                state.withLock { $0.outcome.addUnsent(unsent) }
            } else {
                await runner.perform(
                    plan, jobs: options.jobs, mayBegin: self.mayBegin,
                    ended: { index, outcome in self.end(index, outcome) })
            }
            alarm.withLock { $0?.cancel() }
            redrawing?.cancel()
            await redrawing?.value
            context.save(queue.client.cookies)
            do throws(HistoryError) { try history?.close() } catch { screen.note(error) }
            addRest(failure: nil)
        } else {
            addRest(failure: RunFailure(.resolution(.notAllowed), "not sent: what it wants isn't allowed"))
        }
        let duration = context.time.now - start
        return state.withLock { state in
            state.outcome.duration = duration
            state.outcome.stop = state.stop
            return state.outcome
        }
    }

    /// What wasn't begun.
    private func addRest(failure: RunFailure?) {
        state.withLock { state in
            for index in state.isOver.indices where !state.isOver[index] {
                let result = failure.map { RunResult(plan.nodes[index].job, failure: $0) }
                state.add(RunOutcome.Entry(plan, index, result: result, stop: state.stop, isStrict: options.fail), at: index)
            }
        }
    }

    /// One of the reports that the options name.
    func write(_ number: Int, to output: any ByteOutput) throws {
        try state.withLock { try $0.reports[number].write($0.outcome, plan, to: output) }
    }

    /// Whether all is allowed that the requests want, those included that they need; it is asked before any of them is sent.
    private func isAllowed() async -> Bool {
        defer { try? context.say(warningsOf: runner.trust) }
        var isAllowed = true
        for (collection, wants) in plan.wants(usesMocks: options.mocks) {
            // A user who was asked for the files of loops and refused isn't asked again.
            let isRefused = plan.round.contains {
                $0.failure?.reason == .resolution(.notAllowed) && $0.job.collection.path.hasBytes(of: collection.path)
            }
            if !isRefused, await runner.trust.ask(for: wants, of: collection) != nil { continue }
            isAllowed = false
            let review = runner.trust.review(wants, of: collection)
            for line in TrustLines.refusal(review, isNever: runner.trust.trust(in: collection).isNever) {
                try? context.standardError.print(line)
            }
        }
        state.withLock { $0.isRefused = !isAllowed }
        return isAllowed
    }

    private func end(_ index: Int, _ outcome: NodeOutcome) {
        // An earlier answer was young enough, another node reports it, or nobody needed it any more.
        let isTearDown = plan.nodes[index].step == .tearDown
        if !isTearDown, outcome.item == nil { state.withLock { $0.mainLeft -= 1 } }
        guard let result = outcome.result, !outcome.isShared else { return state.withLock { $0.isOver[index] = true } }
        let entry = state.withLock { state in
            var entry = RunOutcome.Entry(plan, index, result: result, stop: state.stop, isStrict: options.fail)
            entry.job.node = index
            if let (number, job) = outcome.item {
                entry.job = job
                // The number lies behind all places of the plan, but still belongs to this one; see ``ReportPart``.
                state.add(entry, at: index + number * plan.nodes.count)
            } else {
                state.isOver[index] = true
                state.add(entry, at: index)
            }
            return entry
        }
        screen.tell(of: entry)
        if entry.verdict != .notSent { screen.show(entry) }
        if options.failFast, !isTearDown, ![.passed, .skipped].contains(entry.verdict) {
            self.stop(.failure, "another request failed")
        }
    }

    private func mayBegin(_ step: RunPlan.Step?) -> Bool {
        stopping.withLock { _ in state.withLock { step == .tearDown ? !$0.isAbandoned : $0.stop == nil } }
    }

    private func stop(_ stop: RunOutcome.Stop, _ reason: String) {
        stopping.withLock { _ in
            state.withLock { $0.stop = $0.stop ?? stop }
            pacer?.stop()
            runner.interrupt(CancelSource(reason))
        }
    }

    private var progress: [StyledLine] { options.load.isPaced ? state.withLock { LoadLines.progress(of: $0.outcome) } : [] }

    /// In a turn of a load, what passed is only counted, and the first failures are told.
    private func end(_ index: Int, _ outcome: NodeOutcome, of turn: LoadPacer.Turn) {
        state.withLock { $0.isOver[index] = true }
        guard let result = outcome.result, !outcome.isShared else { return }
        let node = plan.round[index]
        let (entry, isShown) = state.withLock { state in
            var entry = RunOutcome.Entry(plan, index, result: result, stop: state.stop, isStrict: options.fail)
            if let (_, job) = outcome.item { entry.job = job }
            // What waits for another one's answer has no time of its own at which it is due.
            let isDue = node.edges.isEmpty && outcome.item == nil
            state.outcome.add(entry, at: index, due: isDue ? turn.due : nil, hasWaited: isDue && turn.hasWaited)
            return (entry, state.report(entry, at: index))
        }
        if isShown, ![.notSent, .passed].contains(entry.verdict) { show(entry) }
        if options.failFast, node.step != .tearDown, ![.passed, .skipped].contains(entry.verdict) {
            self.stop(.failure, "another request failed")
        }
    }

    /// A server that is down fails every request for the same reason: that is said a few times, and then counted.
    private func show(_ entry: RunOutcome.Entry) {
        // By the line of the file where there is one: what was found there may be a time, which differs always.
        let reasons = entry.causes.map { cause in cause.location.map { "\($0)" } ?? cause.text }
        let key = ([entry.job.definition.id.rawValue] + reasons).joined(separator: "\n")
        let count = state.withLock { state in
            state.alike[key, default: 0] += 1
            return state.alike[key] ?? 0
        }
        guard count <= Self.mostAlike else { return }
        screen.show(entry)
        if count == Self.mostAlike {
            screen.say("    Further failures of \(SafeText.line(entry.title)) for the same reason are only counted.")
        }
    }

    private static let mostAlike = 3

    /// What was begun is undone, for a while; a user who interrupts a second time doesn't want to wait for that.
    private func interrupt() {
        let isUndone = stopping.withLock { _ in
            let (isFirst, isMainOver) = state.withLock { state in
                defer { state.stop = state.stop ?? .interrupt }
                return (state.stop == nil, state.mainLeft == 0)
            }
            pacer?.stop()
            guard isFirst, plan.hasTearDowns else { return false }
            // Before anything is cancelled: the run may be over right after that.
            screen.say("Undoing what was begun, for \(Int(Self.timeToTearDown / .seconds(1))) s at most; Ctrl-C again ends that.")
            if !isMainOver { runner.interrupt("the user") }
            return true
        }
        guard isUndone else { return abandon() }
        let time = context.time
        alarm.withLock { $0 = time.schedule(at: time.now + Self.timeToTearDown) { [weak self] in self?.abandon() } }
    }

    private func abandon() {
        stopping.withLock { _ in
            state.withLock { $0.isAbandoned = true }
            runner.interrupt("the user")
        }
    }

    /// After an interrupt.
    private static let timeToTearDown = Duration.seconds(30)

    /// The last lines: percentiles, and how many of what.
    func conclude(_ outcome: RunOutcome) throws {
        // The message about what isn't allowed was printed already; there is nothing to count.
        if state.withLock({ $0.isRefused }) { return }
        try screen.conclude(outcome)
    }
}

extension RunSession.State {
    /// Into the reports: the first time of each request, and the first failures. A million entries are no report.
    ///
    /// - Returns: whether it is one of those.
    fileprivate mutating func report(_ entry: RunOutcome.Entry, at index: Int) -> Bool {
        let isFirst = reported.insert(index).inserted
        let isFailure = ![.passed, .skipped].contains(entry.verdict)
        guard isFirst || isFailure && reportedFailures < LoadOptions.mostReportedFailures else { return false }
        if isFailure { reportedFailures += 1 }
        if !isFirst { extra += 1 }
        for report in reports { report.add(entry, at: index + (isFirst ? 0 : extra * isOver.count)) }
        return true
    }

    fileprivate mutating func add(_ entry: RunOutcome.Entry, at index: Int) {
        outcome.add(entry, at: index)
        for report in reports { report.add(entry, at: index) }
    }
}
