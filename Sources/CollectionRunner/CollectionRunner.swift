import Foundation
import HTTPTypes
package import History
package import MockTransport
package import NetworkLayer
import RequestCollections
import Synchronization

/// Runs saved requests: what they need first; then it fills everything in, sends, captures, checks and records.
///
///     run(job)  =  prepare ── needs ─> run(need) …, resolve (secrets, commands, prompts, earlier responses)
///                  enqueue
///                  finish ─── response ─> captures ─> expectations ─> history
///
/// All of it happens off the caller's thread. A request that several need at a time is run once for all of them.
package final class CollectionRunner: Sendable {
    package let queue: RequestOperationQueue
    let secrets: any SecretSource
    let prompter: (any Prompter)?
    let mocks: MockTransport?
    let history: (any RunRecorder)?
    let tokens: TokenSource
    let processEnvironment: [String: String]
    let observers = Mutex<[any RunObserver]>([])
    let memory = Mutex(RunMemory())
    /// What commands and people said: they are slow. Files and environment variables are read each time.
    let remembered = Mutex<[RememberedSecret: String]>([:])
    let asking = SingleFlight<RememberedSecret, String, ResolutionError>()
    private let underWay = Mutex<[RunKey: Task<RunResult, Never>]>([:])

    struct RememberedSecret: Hashable {
        var reference: SecretReference
        var directory: String
    }

    private struct RunKey: Hashable {
        var place: RunMemory.Place
        var request: RequestID
    }

    /// - Parameters:
    ///   - prompter: asks people; without one a request that must ask fails.
    ///   - mocks: the transport of the queue's client, when requests that have a mock are to be answered by it.
    ///   - history: where every run is kept.
    ///   - tokens: where tokens of OAuth 2 are kept; by default in the file that all runs of a user share.
    package init(
        queue: RequestOperationQueue, secrets: any SecretSource = SystemSecrets(), prompter: (any Prompter)? = nil,
        mocks: MockTransport? = nil, history: (any RunRecorder)? = nil, tokens: TokenStore? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.queue = queue
        self.secrets = secrets
        self.prompter = prompter
        self.mocks = mocks
        self.history = history
        processEnvironment = environment
        self.tokens = TokenSource(
            beside: queue, store: tokens ?? TokenStore(environment: environment), prompter: prompter, environment: environment)
    }

    package func addObserver(_ observer: any RunObserver) {
        observers.withLock { $0.append(observer) }
    }

    /// Asks commands and people again, and runs again what others need, from now on.
    package func forget() {
        remembered.withLock { $0 = [:] }
        memory.withLock { $0.forget() }
    }

    // MARK: Running

    /// The whole way. Cancelling the task cancels the operation.
    package func run(_ job: RunJob) async -> RunResult {
        await run(job, neededBy: [])
    }

    /// Everything up to the sending: what it needs is run, and everything is filled in.
    package func prepare(_ job: RunJob) async throws(RunFailure) -> PreparedRun {
        do throws(PreparationFailure) {
            return try await prepare(job, neededBy: [])
        } catch {
            throw error.failure
        }
    }

    /// Everything after the sending. The operation of `run` must have been enqueued by the caller.
    package func finish(_ run: PreparedRun) async -> RunResult {
        let response = await withTaskCancellationHandler {
            await run.operation.response
        } onCancel: {
            run.operation.cancel("the run was cancelled")
        }
        let result = await result(of: run, response)
        for observer in observers.withLock({ $0 }) { observer.didFinish(result) }
        return result
    }

    private func run(_ job: RunJob, neededBy chain: [RequestID]) async -> RunResult {
        do throws(PreparationFailure) {
            let run = try await prepare(job, neededBy: chain)
            for observer in observers.withLock({ $0 }) { observer.willSend(run) }
            queue.enqueue(run.operation)
            return await finish(run)
        } catch {
            var result = RunResult(job.definition, failure: error.failure)
            result.needed = error.needed
            for observer in observers.withLock({ $0 }) { observer.didFinish(result) }
            return result
        }
    }

    /// Why nothing was sent, and what had been run before: a need that failed is the last of it.
    private struct PreparationFailure: Error {
        var failure: RunFailure
        var needed: [RunResult]
    }

    private func prepare(_ job: RunJob, neededBy chain: [RequestID]) async throws(PreparationFailure) -> PreparedRun {
        var needed: [RunResult] = []
        do throws(RunFailure) {
            for need in job.definition.needs { try await satisfy(need, of: job, neededBy: chain, with: &needed) }
            return try await fill(job, after: needed, neededBy: chain)
        } catch {
            throw PreparationFailure(failure: error, needed: needed)
        }
    }

    private func fill(
        _ job: RunJob, after needed: [RunResult], neededBy chain: [RequestID]
    ) async throws(RunFailure) -> PreparedRun {
        guard !Task.isCancelled else { throw RunFailure(.cancelled, "the run was cancelled") }
        let resolved: ResolvedRequest
        do throws(ResolutionError) {
            resolved = try await resolve(job, neededBy: chain)
        } catch {
            throw RunFailure(error)
        }
        if let mock = resolved.mock, let mocks { mocks.register(mock, for: resolved.request) }
        let authorizer = authorizer(for: resolved)
        guard await authorizer?.prepare() != false else { throw RunFailure(.cancelled, "the run was cancelled") }
        return PreparedRun(
            job: job, resolved: resolved, operation: operation(for: resolved, authorizer), needed: needed, authorizer: authorizer)
    }

    // MARK: Needs

    /// - Parameter needed: takes the run, unless the last one is young enough.
    private func satisfy(
        _ need: NeedDefinition, of job: RunJob, neededBy chain: [RequestID], with needed: inout [RunResult]
    ) async throws(RunFailure) {
        guard let id = job.collection.find(need.name, from: job.definition.id), let definition = job.collection.request(id) else {
            throw RunFailure(
                .resolution(.definition), "`needs` names the request `\(need.name)`, which isn't there", at: need.location)
        }
        if let age = need.maxAge, success(of: id, in: job.place, within: age) != nil { return }
        let result = try await self.need(job.job(for: definition), neededBy: chain + [job.definition.id], at: need.location)
        needed.append(result)
        guard result.isUsable else { throw RunFailure(.need(id), Self.sentence(about: result), at: need.location) }
    }

    /// Runs a request for another one, once for all that ask for it at the same time.
    func need(
        _ job: RunJob, neededBy chain: [RequestID], at location: SourceLocation?
    ) async throws(RunFailure) -> RunResult {
        guard !chain.contains(job.definition.id) else {
            let circle = (chain + [job.definition.id]).map(\.rawValue).joined(separator: " → ")
            throw RunFailure(.resolution(.cycle), "the requests need each other in a circle: \(circle)", at: location)
        }
        let key = RunKey(place: job.place, request: job.definition.id)
        let task = underWay.withLock { underWay in
            if let task = underWay[key] { return task }
            let task = Task {
                let result = await self.run(job, neededBy: chain)
                self.underWay.withLock { $0[key] = nil }
                return result
            }
            underWay[key] = task
            return task
        }
        return await task.value
    }

    func success(of request: RequestID, in place: RunMemory.Place, within age: Duration?) -> RunMemory.Success? {
        let now = queue.client.time.now
        return memory.withLock { $0.success(of: request, in: place, within: age, at: now) }
    }

    static func sentence(about need: RunResult) -> String {
        let reason: String
        if let failure = need.failure {
            reason = failure.message
        } else if let error = need.errorSentence, !need.expectsError {
            reason = error
        } else if let unmet = need.unmet.first {
            reason = unmet.complaint
        } else {
            reason = need.response?.info.map { "its status was \($0.head.status.code)" } ?? "it has no response"
        }
        return "`\(need.id)` is needed first, and failed: \(reason)"
    }
}
