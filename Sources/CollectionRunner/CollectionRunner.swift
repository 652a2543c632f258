import Base
import HTTPTypes
package import History
package import MockTransport
package import NetworkLayer
import RequestCollections
import Synchronization

/// Runs saved requests: what they need first; then it fills everything in, sends, captures, checks and records.
///
///     send(job)  =  needs ─> send(need) …
///                   fill: secrets, commands, prompts, earlier responses ─> operation
///                   announce, enqueue
///                   finish: response ─> captures ─> expectations ─> history
///
/// All of it happens off the caller's thread. A request that several need at a time is run once for all of them.
package final class CollectionRunner: Sendable {
    package let queue: RequestOperationQueue
    let secrets: any SecretSource
    let prompter: (any Prompter)?
    /// Without its permission nothing is run, and nothing outside the collection is read.
    package let trust: TrustKeeper
    let mocks: MockTransport?
    let history: (any RunRecorder)?
    let tokens: TokenSource
    let processEnvironment: [String: String]
    /// Additional environment variables, for templates only.
    let givenEnvironment: [String: String]
    let limits: Limits
    /// For requests that say nothing of a jar; `nil`: they have none.
    let cookies: SessionCookies?
    let observers = Mutex<[any RunObserver]>([])
    let memory = Mutex(RunMemory())
    let keptAnswers: AnswerStore
    let itemCookies = ItemCookies()
    /// The secrets of all requests so far.
    let knownSecrets = Mutex(Redactor())
    /// What commands and people said: they are slow. Files and environment variables are read each time.
    let answers = Mutex(SecretAnswers())
    let secretCookies = SecretCookies()
    /// Requests that wait before they are sent.
    let pauses = Pauses()
    /// The nodes of plans that are under way.
    let work = CancellableWork()
    let starts = LoopStarts()
    let asking = SingleFlight<SecretQuestion, String, ResolutionError>()
    /// Answers questions about bodies.
    package let worker: QuestionWorker
    /// Answers that may be as old as others say are got once for all who want one at the same time.
    let fetching = SingleFlight<RunKey, NodeOutcome, Never>()

    /// What servers and collections may take of this machine unless more is asked for.
    package struct Limits: Hashable, Sendable {
        /// The timeout of each filter and each regular expression, some of which would never end.
        package var timeout: Duration
        /// How long the decoded body of a response may be when its request has no `response.limit`.
        package var bodyBytes: Int64
        /// The program to start as a second process; `nil`: filters and regular expressions are evaluated in this one, without a limit.
        package var program: String?

        package static let defaultTimeout: Duration = .seconds(10)
        package static let defaultBodyBytes: Int64 = 1 << 30

        package init(
            timeout: Duration = defaultTimeout, bodyBytes: Int64 = defaultBodyBytes, program: String? = nil
        ) {
            self.timeout = timeout
            self.bodyBytes = bodyBytes
            self.program = program
        }
    }

    struct RunKey: Hashable {
        var place: RunMemory.Place
        var request: RequestID
    }

    /// - Parameters:
    ///   - prompter: asks people; without one a request that must ask fails.
    ///   - trust: knows what collections are allowed; by default nothing.
    ///   - mocks: the transport of the queue's client, when requests that have a mock are to be answered by it.
    ///   - history: where every run is kept.
    ///   - limits: what servers and collections may take.
    ///   - tokens: where tokens of OAuth 2 are kept; by default in the file that all runs of a user share.
    ///   - cookies: what the requests of a collection share that say nothing of a cookie jar; it lasts as long as the queue's client. Those
    ///     of a row, or of an item of a folder's loop, have cookies of their own.
    package init(
        queue: RequestOperationQueue, secrets: any SecretSource = SystemSecrets(), prompter: (any Prompter)? = nil,
        trust: TrustKeeper = .closed, mocks: MockTransport? = nil, history: (any RunRecorder)? = nil, limits: Limits = Limits(),
        tokens: TokenStore? = nil, cookies: SessionCookies? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment, given: [String: String] = [:]
    ) {
        self.queue = queue
        self.secrets = secrets
        self.prompter = prompter
        self.trust = trust
        self.mocks = mocks
        self.history = history
        processEnvironment = environment
        givenEnvironment = given
        self.limits = limits
        self.cookies = cookies
        keptAnswers = AnswerStore(path: UserDirectories(environment).neededAnswers)
        worker = QuestionWorker(program: limits.program)
        self.tokens = TokenSource(
            beside: queue, store: tokens ?? TokenStore(environment: environment), prompter: prompter, environment: environment)
    }

    package func addObserver(_ observer: any RunObserver) {
        observers.withLock { $0.append(observer) }
    }

    // MARK: Running

    /// One request with everything before it, what gives it a variable included, unless an earlier run has given that a value.
    func plan(for job: RunJob, _ freshness: RunPlan.Freshness = .always) -> RunPlan {
        RunPlan(job, freshness, having: Set(memory.withLock { $0.captured(in: job.place) }.keys))
    }

    /// The whole way: what it needs first, each request once. Cancelling the task cancels the operation.
    package func run(_ job: RunJob) async -> RunResult {
        let outcome = await work.run { [self] in await perform(plan(for: job), neededBy: []) }
        return outcome.result ?? RunResult(job)
    }

    /// What is to be sent for a request. All that it and those before it want is asked for, before any of them is sent.
    package func admit(_ job: RunJob) async throws(RunFailure) -> RunPlan {
        // Another program may have allowed something, or taken it back.
        trust.reread()
        let plan = plan(for: job)
        let wants = plan.wants(usesMocks: mocks != nil && !job.ignoresMock).flatMap { $0.wants }
        let isOpen = !trust.trust(in: job.collection).open(wants).isEmpty
        if isOpen { job.turn?.waits(for: .person("what is allowed")) }
        defer { if isOpen { job.turn?.goesOn() } }
        guard await trust.ask(for: wants, of: job.collection) == nil else { return plan }
        let open = trust.trust(in: job.collection)
        throw RunFailure(ResolutionError(refused: open.open(wants), by: open, in: job.collection))
    }

    /// Sends a plan of one request, for a caller that follows its operation.
    ///
    /// - Parameters:
    ///   - announce: gets the run just before it is enqueued, after all that it needs.
    ///   - enqueued: called right after that.
    /// - Throws: why it isn't sent. Then nobody was told of it.
    package func send(
        _ plan: RunPlan, announce: (PreparedRun) -> Void, enqueued: () -> Void = {}
    ) async throws(RunFailure) -> RunResult {
        let job = plan.last
        let context = await fulfil(plan, neededBy: [])
        job.turn?.goesOn()
        return try await send(job, in: context, turn: job.turn, announce: announce) { _ in enqueued() }
    }

    /// One request, whose needs are fulfilled.
    func send(_ job: RunJob, in context: NodeContext) async -> RunResult {
        do throws(RunFailure) {
            return try await send(job, in: context, isNeeded: true) { run in
                for observer in observers.withLock({ $0 }) { observer.willSend(run) }
            } enqueued: { run in
                job.turn?.waits(for: .operation(run.id, then: job.next))
            }
        } catch {
            var result = RunResult(job, failure: error)
            result.needed = context.needed
            tell(result)
            return result
        }
    }

    /// The one way to the network.
    private func send(
        _ job: RunJob, in context: NodeContext, isNeeded: Bool = false, turn: (any RunTurn)? = nil,
        announce: (PreparedRun) -> Void, enqueued: (PreparedRun) -> Void
    ) async throws(RunFailure) -> RunResult {
        if let failure = context.failure { throw failure }
        var run = try await fill(job, in: context, turn: turn)
        run.isNeeded = isNeeded
        announce(run)
        enqueue(run)
        enqueued(run)
        let (last, response, polling) = await answer(to: run)
        let result = await result(of: last, response, polling)
        tell(result)
        return result
    }

    private func tell(_ result: RunResult) {
        for observer in observers.withLock({ $0 }) { observer.didFinish(result) }
    }

    /// - Parameter turn: taken before there is an operation, so that the numbers of operations are in the order of the turns.
    func fill(_ job: RunJob, in context: NodeContext, turn: (any RunTurn)? = nil) async throws(RunFailure) -> PreparedRun {
        guard !Task.isCancelled else { throw RunFailure(.cancelled, "the run was cancelled") }
        var resolved: Shared<ResolvedRequest>
        do throws(ResolutionError) {
            resolved = try await resolve(job, in: context)
        } catch {
            guard !Task.isCancelled else { throw RunFailure(.cancelled, "the run was cancelled") }
            throw RunFailure(error)
        }
        if job.ignoresMock { resolved.wrappedValue.mock = nil }
        if job.usesFreshConnection { resolved.wrappedValue.configuration.transport.reusesConnections = false }
        let authorizer = authorizer(for: resolved.wrappedValue)
        guard await authorizer?.prepare(job.turn) != false else { throw RunFailure(.cancelled, "the run was cancelled") }
        await turn?.acquire()
        guard !Task.isCancelled else { throw RunFailure(.cancelled, "the run was cancelled") }
        let player = SessionPlayer(resolved.wrappedValue, in: context, time: queue.client.time)
        let operation = operation(for: resolved.wrappedValue, of: job, authorizer, player)
        if let mock = resolved.mock, let mocks { mocks.register(mock, for: operation.id, of: resolved.request) }
        secretCookies.add(job.collection.hiddenCookies.union(resolved.captures.compactMap(\.hiddenCookie)))
        return PreparedRun(
            job: job, resolved: resolved, operation: operation, needed: context.needed, authorizer: authorizer,
            secretCookies: secretCookies, player: player,
            delay: resolved.delay.map { starts.pause(before: job, $0, at: queue.client.time.now) } ?? .zero)
    }

    func success(of job: RunJob, within age: Duration?) -> RunMemory.Success? {
        func known() -> RunMemory.Success? {
            let now = queue.client.time.now
            return memory.withLock { $0.success(of: job.definition.id, in: job.place, within: age, at: now) }
        }
        if let success = known() { return success }
        guard let age else { return nil }
        recall(job, within: age)
        return known()
    }
}
