package import HTTPTypes
package import NetworkLayer
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Plays every role of an operation and writes down what it hears and is asked, as one story:
///
///     OD idle>preparing
///        hydrate
///     OD prepared hydration
///
/// `O` is the observer, `D` the event handler (TNL's delegate), an indented line a call of a role. The handler may hear an event
/// any time after the observer has, so the lines stand where they belong, not when they were written; that no handler heard an
/// event before an observer, or out of order, is checked on the way: ``violations``.
package final class Storyteller: NetworkObserver, RequestEventHandler, RequestHydrator, RequestAuthorizer, RedirectDecider,
    HostSanitizer, HeaderProvider
{
    private let state = Mutex(State())
    private let answers: Answers

    /// What it says when it is asked.
    package struct Answers: Sendable {
        package var hydrated: @Sendable (Request) async throws -> Request? = { _ in nil }
        package var authorization: @Sendable (Request) async throws -> Authorization = { _ in .unchanged }
        package var host: @Sendable (String) -> HostDecision = { _ in .keep }
        package var redirect: @Sendable (Request) -> Request? = { $0 }
        package var defaults: HTTPFields = [:]
        package var overrides: HTTPFields = [:]
        /// May take its time over an event.
        package var hears: @Sendable (NetworkEvent) async -> Void = { _ in }
        package var dependencies: @Sendable () async -> [RequestOperation] = { [] }

        package init() {}
    }

    private struct State {
        var lines: [(event: Int, text: String)] = []
        var observed: [NetworkEvent] = []
        var heard = 0
        var violations: [String] = []
    }

    package init(_ answers: Answers = Answers()) {
        self.answers = answers
    }

    /// Itself in every role that belongs to an operation.
    package var delegate: RequestDelegate {
        RequestDelegate(hydrator: self, authorizer: self, redirects: self, events: self)
    }

    package var violations: [String] {
        state.withLock { $0.violations } + EventRules.violations(in: state.withLock { $0.observed }, isComplete: false)
    }

    /// How many events the handler has heard.
    package var heardCount: Int { state.withLock { $0.heard } }

    package var observedCount: Int { state.withLock { $0.observed.count } }

    package var story: [String] {
        state.withLock { state in
            state.observed.flatMap { event in
                let listeners = event.sequence < state.heard ? "OD" : "O "
                let calls = state.lines.filter { $0.event == event.sequence }.map { "   \($0.text)" }
                return ["\(listeners) \(event.kind.sentence)"] + calls
            }
        }
    }

    // MARK: Listening

    package func observe(_ event: NetworkEvent, of operation: RequestOperation) {
        state.withLock { $0.observed.append(event) }
    }

    package func handle(_ event: NetworkEvent, of operation: RequestOperation) async {
        state.withLock { state in
            if event.sequence != state.heard { state.violations.append("The handler heard \(event.kind.sentence) out of order.") }
            if event.sequence >= state.observed.count {
                state.violations.append("The handler heard \(event.kind.sentence) before the observer.")
            }
        }
        await answers.hears(event)
        state.withLock { $0.heard += 1 }
    }

    // MARK: Being asked

    package func readyToEnqueue(_ operation: RequestOperation, isRetry: Bool) async -> [RequestOperation] {
        note("readyToEnqueue" + (isRetry ? ", a retry" : ""))
        return await answers.dependencies()
    }

    package func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request? {
        note("hydrate \(request.url.absoluteString)")
        return try await answers.hydrated(request)
    }

    package func authorize(_ request: Request, for operation: RequestOperation) async throws -> Authorization {
        note("authorize \(request.url.absoluteString)")
        return try await answers.authorization(request)
    }

    package func redirect(to proposed: Request, after response: ResponseHead, from request: Request) async -> Request? {
        note("redirect to \(proposed.url.absoluteString)")
        return answers.redirect(proposed)
    }

    package func sanitize(host: String, of request: Request, isRedirect: Bool) async -> HostDecision {
        note("sanitize \(host)" + (isRedirect ? ", a redirect" : ""))
        return answers.host(host)
    }

    package func defaultHeaders(for original: Request, preparedAs request: Request) async -> HTTPFields {
        note("defaultHeaders")
        return answers.defaults
    }

    package func overrideHeaders(for original: Request, preparedAs request: Request) async -> HTTPFields {
        note("overrideHeaders")
        return answers.overrides
    }

    /// Writes a line behind the last event that the observer has heard.
    package func note(_ text: String) {
        state.withLock { $0.lines.append(($0.observed.count - 1, text)) }
    }
}

extension NetworkEvent.Kind {
    /// The name, and what tells one from another in a story.
    package var sentence: String {
        switch self {
        case .transition(let from, let to): "\(from)>\(to)"
        case .attemptStarted(let kind, let request): "attemptStarted \(kind.rawValue) \(request.url.absoluteString)"
        case .attemptEnded(let attempt): "attemptEnded \(attempt.disposition?.rawValue ?? "?")"
        case .prepared(let step): "prepared \(step.rawValue)"
        case .preparationFailed(let step, let error): "preparationFailed \(step.rawValue) \(error.code.rawValue)"
        case .hostSanitized(let from, let to): "hostSanitized \(from) \(to)"
        case .completed(let state, let error): "completed \(state)" + (error.map { " \($0.code.rawValue)" } ?? "")
        default: name
        }
    }
}
