import CollectionRunner
import NetworkLayer
import Presentation
import RequestCollections
import Synchronization

extension EffectPerformer {
    /// On a queue and a client of its own: what is sent by the thousand goes neither through the loop's mail, nor into the history, and the
    /// limits of other operations don't make it wait.
    func startLab(_ order: LabOrder, of state: ExplorerState) {
        lab?.stop()
        guard let collection = state.workspace[order.collection] else {
            return mailbox.post(
                .labProgressed(LabProgress(number: order.number, figures: [], isOver: true, failure: "the collection isn't open")))
        }
        let given = state.givenVariables(in: order.collection)
        let jobs = order.variants.map { variant in
            var job = RunJob(
                variant.definition, in: collection, environment: variant.environment, variables: given.values,
                secretVariables: given.secrets)
            job.usesFreshConnection = variant.isCold
            return job
        }
        let session = LabSession(order, beside: queue.client, mailbox)
        lab = session
        Task.detached(priority: .userInitiated) { [runner, trust, path = order.collection] in
            // Signed in as the session is; what the server sets a hundred times is nothing for what is sent afterwards.
            let cookies = SessionCookies(part: "lab \(order.number) ")
            runner.lendCookies(of: path, to: cookies)
            defer { runner.forgetCookies(of: path, lentTo: cookies) }
            await session.run { () async throws(RunFailure) -> Int in
                var plans: [RunPlan] = []
                for job in jobs { plans.append(try await EffectPerformer.admit(job, runner, trust)) }
                let queue = try session.queue()
                let runner = runner.aside(on: queue, cookies: cookies)
                return try await runner.perform(plans, by: session.pacer) { turn, variant, result in
                    session.add(result, turn, variant)
                }
            }
        }
    }
}

/// One run of the lab: takes in what comes, and tells the loop of it ten times a second at most.
final class LabSession: Sendable {
    let pacer: LoadPacer
    private let order: LabOrder
    private let client: NetworkClient
    private let mailbox: Mailbox
    private let state: Mutex<State>

    private struct State {
        var figures: [LoadFigures]
        /// The figures of each variant, second by second; only of the last seconds.
        var seconds: [[(second: Int64, figures: LoadFigures)]]
        var told: MonotonicTime?
        var queue: RequestOperationQueue?
        var isStopped = false
        var isOver = false
        /// Tells of what came since, when nothing more does.
        var alarm: (any Alarm)?

        mutating func add(_ sample: LoadSample, _ variant: Int) {
            let second = sample.end.nanoseconds / 1_000_000_000
            if seconds[variant].last?.second != second { seconds[variant].append((second, LoadFigures())) }
            seconds[variant][seconds[variant].count - 1].figures.add(sample)
            seconds[variant].removeAll { $0.second <= second - LabSession.recentSeconds }
        }

        /// Counted from what came last.
        var recent: [LoadFigures] {
            let last = seconds.compactMap { $0.last?.second }.max() ?? 0
            return seconds.map { seconds in
                seconds.reduce(into: LoadFigures()) { all, next in
                    if next.second > last - LabSession.recentSeconds { all.merge(next.figures) }
                }
            }
        }
    }

    static let recentSeconds: Int64 = 10

    static let interval = Duration.milliseconds(100)

    init(_ order: LabOrder, beside other: NetworkClient, _ mailbox: Mailbox) {
        var settings = other.settings
        settings.maxConcurrent = order.plan.atOnce
        settings.maxConcurrentPerHost = nil
        settings.maxStreamsPerHost = nil
        client = NetworkClient(
            transport: other.transport, time: other.time, settings: settings, cookies: other.cookies, conditions: other.conditions)
        pacer = LoadPacer(
            time: other.time, places: order.plan.atOnce, rounds: order.plan.count, duration: order.plan.duration,
            interval: order.plan.interval)
        self.order = order
        self.mailbox = mailbox
        state = Mutex(State(figures: order.variants.map { _ in LoadFigures() }, seconds: order.variants.map { _ in [] }))
    }

    func queue() throws(RunFailure) -> RequestOperationQueue {
        do throws(NetworkError) {
            let queue = try RequestOperationQueue(identifier: "lab", client: client)
            state.withLock { $0.queue = queue }
            return queue
        } catch {
            throw RunFailure(.cancelled, error.message)
        }
    }

    func run(_ body: @Sendable () async throws(RunFailure) -> Int) async {
        var failure: String?
        do throws(RunFailure) {
            let unsent = try await body()
            state.withLock { state in
                for variant in state.figures.indices { state.figures[variant].leave(unsent / state.figures.count) }
            }
        } catch {
            failure = error.description
        }
        state.withLock { state in
            state.isOver = true
            state.alarm?.cancel()
            (state.alarm, state.queue) = (nil, nil)
        }
        tell(isOver: true, failure: failure)
    }

    func add(_ result: RunResult, _ turn: LoadPacer.Turn, _ variant: Int) {
        let metrics = result.response?.metrics
        // What was cancelled at the end has no time of its own.
        if metrics?.state == .cancelled || result.failure?.reason == .cancelled { return }
        let isDue = state.withLock { state in
            if turn.hasWaited { state.figures[variant].waited += 1 }
            if let metrics, let sample = LoadSample(metrics, due: turn.due, isGood: result.isUsable) {
                state.figures[variant].add(sample)
                state.figures[variant].paused = pacer.paused
                state.add(sample, variant)
            } else {
                state.figures[variant].fail(result.failure.map { "not sent: \($0.message)" } ?? "not sent")
            }
            let now = client.time.now
            if let told = state.told, now - told < Self.interval {
                // Samples may stop here: those that came are shown all the same.
                state.alarm = state.alarm ?? client.time.schedule(at: told + Self.interval) { [weak self] in self?.catchUp() }
                return false
            }
            state.told = now
            return true
        }
        if isDue { tell(isOver: false) }
    }

    private func catchUp() {
        state.withLock { state in
            state.alarm = nil
            state.told = client.time.now
            // Within the lock, so that nothing comes behind the end.
            if !state.isOver {
                mailbox.post(
                    .labProgressed(
                        LabProgress(number: order.number, figures: state.figures, recent: state.recent, isOver: false)))
            }
        }
    }

    private func tell(isOver: Bool, failure: String? = nil) {
        let (figures, recent) = state.withLock { ($0.figures, $0.recent) }
        mailbox.post(
            .labProgressed(
                LabProgress(number: order.number, figures: figures, recent: recent, isOver: isOver, failure: failure)))
    }

    /// What is under way is waited for; a second time it is cancelled.
    func stop() {
        let queue = state.withLock { state in
            defer { state.isStopped = true }
            return state.isStopped ? state.queue : nil
        }
        pacer.stop()
        queue?.cancelAll("the user")
    }

    /// Called when the explorer ends.
    func end() {
        stop()
        stop()
    }
}
