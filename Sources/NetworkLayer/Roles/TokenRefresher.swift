import HTTPTypes
import Synchronization

/// Signs requests with a token, and has it fetched anew when a server doesn't take it any more: an authorizer and a retry policy
/// in one. However many requests are refused at the same time, one refresh is made, and all of them go out again with what it brought.
///
///     let refresher = TokenRefresher { [queue] in try await queue.enqueue(.post(tokenURL)).text() }
///     configuration.retry = [refresher]
///     delegate.authorizer = refresher
///
/// `NetworkClient(authorizer: refresher)` does both for all requests of a client that bring no authorizer of their own. What the
/// refresh sends may go through the same queue: it waits for no slot, pause, limit or more urgent operation there, since who
/// waits for it may be what it would wait for. Nor is it signed, even where it is sent with the same delegate. A request is
/// refused for good when it was signed with a token that was fetched after its first refusal, and when a redirect led to the
/// refusal from a request that had its effect. A refresh that fails fails the requests that wait for it, with
/// `authorizationFailed`; the next request tries anew. It must be over within ``NetworkClient/Settings/callbackTimeout``.
public final class TokenRefresher: RetryPolicy, RequestAuthorizer {
    private let scheme: String
    private let statuses: Set<Int>
    private let refresh: @Sendable () async throws -> String
    private let state: Mutex<State>

    /// Those whose refresh the task is part of: what it sends isn't signed by them, which would wait for itself.
    @TaskLocal private static var refreshing: Set<ObjectIdentifier> = []

    private struct State {
        var token: String?
        var refresh: Task<String, any Error>?
        /// Counts the tokens that were set from outside: what a refresh brings that began before is of no interest.
        var generation = 0
    }

    /// - Parameters:
    ///   - token: what there is; `nil`: it is fetched for the first request.
    ///   - scheme: what stands before it in `Authorization`.
    ///   - statuses: the answers that say that it isn't good any more.
    ///   - refresh: fetches a new one.
    public init(
        token: String? = nil, scheme: String = "Bearer", statuses: Set<Int> = [401],
        refresh: @escaping @Sendable () async throws -> String
    ) {
        self.scheme = scheme
        self.statuses = statuses
        self.refresh = refresh
        self.state = Mutex(State(token: token))
    }

    /// What requests are signed with now; `nil` until it is fetched. Setting it takes the place of a refresh.
    public var token: String? {
        get { state.withLock { $0.token } }
        set {
            state.withLock { state in
                state.token = newValue
                state.refresh = nil
                state.generation += 1
            }
        }
    }

    public func authorize(_ request: Request, for operation: RequestOperation) async throws -> Authorization {
        if Self.refreshing.contains(ObjectIdentifier(self)) { return .unchanged }
        return .set("\(scheme) \(try await currentToken())")
    }

    private func currentToken() async throws -> String {
        let (token, task, generation) = state.withLock { state -> (String?, Task<String, any Error>?, Int) in
            let generation = state.generation
            if let token = state.token { return (token, nil, generation) }
            if let task = state.refresh { return (nil, task, generation) }
            // A task of its own: a request that is cancelled must not cancel it for the others.
            let task = Task {
                let result: Result<String, any Error>
                do {
                    let ours = Self.refreshing.union([ObjectIdentifier(self)])
                    result = .success(
                        try await Self.$refreshing.withValue(ours) { try await RequestOperationQueue.withoutLine(refresh) })
                } catch {
                    result = .failure(error)
                }
                self.state.withLock { state in
                    guard state.generation == generation else { return }
                    state.refresh = nil
                    if case .success(let token) = result { state.token = token }
                }
                return try result.get()
            }
            state.refresh = task
            return (nil, task, generation)
        }
        if let token { return token }
        guard let task else { throw CancellationError() }
        let result = await task.result
        guard state.withLock({ $0.generation }) == generation else { return try await currentToken() }
        return try result.get()
    }

    public func decide(_ context: RetryContext) async -> RetryDecision {
        guard let status = context.status, statuses.contains(status.code) else { return .abstain }
        let refusals = context.response.metrics.attempts.count { $0.head.map { statuses.contains($0.status.code) } ?? false }
        guard refusals == 1 else { return .abstain }
        // The token must have been sent: a redirect to another origin drops it.
        guard let used = context.request.headers[.authorization], used.hasPrefix("\(scheme) ") else { return .abstain }
        state.withLock { state in
            // Another request may already have refreshed the token.
            if let token = state.token, used == "\(scheme) \(token)" { state.token = nil }
        }
        let cause = "the token isn't good any more (\(status.code))"
        guard context.canStartOver(refusals: statuses) else {
            return .stop(reason: "\(cause), and \(context.methodOfTry.rawValue) may have had its effect")
        }
        return .retry(after: RetryDecision.minimumDelay, reason: cause)
    }

    /// It is no sign of a server in trouble.
    public var countsForBudget: Bool { false }

    public static func == (left: TokenRefresher, right: TokenRefresher) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
