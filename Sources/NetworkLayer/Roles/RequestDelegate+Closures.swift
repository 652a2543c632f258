/// What a role knows of the operation that it takes part in.
public struct RoleContext: Sendable {
    /// The request as it has been prepared so far: see <doc:PreparingRequests> for who changes it in which order.
    public let request: Request
    /// The operation that asks.
    public let operation: RequestOperation

    /// All attempts so far, the redirect hops among them; empty before the first.
    public var attempts: [AttemptMetrics] { operation.metrics.attempts }
}

extension RequestDelegate {
    /// Roles as closures. Each may throw what it likes, and is told what a type in its place would be.
    ///
    ///     RequestDelegate(
    ///         hydrate: { context in context.request.with { $0[header: "X-Attempt"] = "\(context.attempts.count + 1)" } },
    ///         authorize: { _ in .set("Bearer \(try await token())") })
    ///
    /// - Parameters:
    ///   - hydrate: see ``RequestHydrator``.
    ///   - authorize: see ``RequestAuthorizer``.
    ///   - challenge: see ``ChallengeHandler``.
    ///   - redirect: gets the request that would be sent next and the 3xx; counts with the policy `delegate` alone: see ``RedirectDecider``.
    ///   - trust: called in the middle of a handshake: see ``ServerTrustHandler``.
    ///   - event: see ``RequestEventHandler``.
    @_disfavoredOverload
    public init(
        hydrate: (@Sendable (RoleContext) async throws -> Request?)? = nil,
        authorize: (@Sendable (RoleContext) async throws -> Authorization)? = nil,
        challenge: (@Sendable (AuthenticationChallenge, RoleContext) async -> ChallengeDisposition)? = nil,
        redirect: (@Sendable (Request, ResponseHead) async -> Request?)? = nil,
        trust: (@Sendable (ServerTrust) -> ServerTrust.Disposition)? = nil,
        event: (@Sendable (NetworkEvent, RequestOperation) async -> Void)? = nil
    ) {
        self.init(
            hydrator: hydrate.map(ClosureHydrator.init), authorizer: authorize.map(ClosureAuthorizer.init),
            redirects: redirect.map(ClosureRedirectDecider.init), challenges: challenge.map(ClosureChallengeHandler.init),
            trust: trust.map(ClosureTrustHandler.init), events: event.map(ClosureEventHandler.init))
    }
}

private struct ClosureHydrator: RequestHydrator {
    let body: @Sendable (RoleContext) async throws -> Request?

    func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request? {
        try await body(RoleContext(request: request, operation: operation))
    }
}

private struct ClosureAuthorizer: RequestAuthorizer {
    let body: @Sendable (RoleContext) async throws -> Authorization

    func authorize(_ request: Request, for operation: RequestOperation) async throws -> Authorization {
        try await body(RoleContext(request: request, operation: operation))
    }
}

private struct ClosureChallengeHandler: ChallengeHandler {
    let body: @Sendable (AuthenticationChallenge, RoleContext) async -> ChallengeDisposition

    func respond(to challenge: AuthenticationChallenge, for operation: RequestOperation) async -> ChallengeDisposition {
        await body(challenge, RoleContext(request: challenge.request, operation: operation))
    }
}

private struct ClosureRedirectDecider: RedirectDecider {
    let body: @Sendable (Request, ResponseHead) async -> Request?

    func redirect(to proposed: Request, after response: ResponseHead, from request: Request) async -> Request? {
        await body(proposed, response)
    }
}

private struct ClosureTrustHandler: ServerTrustHandler {
    let body: @Sendable (ServerTrust) -> ServerTrust.Disposition

    func evaluate(_ trust: ServerTrust) -> ServerTrust.Disposition { body(trust) }
}

private struct ClosureEventHandler: RequestEventHandler {
    let body: @Sendable (NetworkEvent, RequestOperation) async -> Void

    func handle(_ event: NetworkEvent, of operation: RequestOperation) async { await body(event, operation) }
}

private struct ClosureObserver: NetworkObserver {
    let body: @Sendable (NetworkEvent, RequestOperation) -> Void

    func observe(_ event: NetworkEvent, of operation: RequestOperation) { body(event, operation) }
}

extension NetworkClient {
    /// As ``addObserver(_:)``, with a closure: it sees every event of every operation, and must return soon.
    @discardableResult
    public func observe(_ body: @escaping @Sendable (NetworkEvent, RequestOperation) -> Void) -> Registration {
        addObserver(ClosureObserver(body: body))
    }
}

extension RequestOperationQueue {
    /// As ``addObserver(_:)``, with a closure: it sees every event of the queue's operations, and must return soon.
    @discardableResult
    public func observe(_ body: @escaping @Sendable (NetworkEvent, RequestOperation) -> Void) -> Registration {
        addObserver(ClosureObserver(body: body))
    }
}

/// A retry policy as a closure.
///
///     configuration.retry = [ClosureRetryPolicy("not at night") { $0.status == .serviceUnavailable ? .stop(reason: "night") : .abstain }]
///
/// Two are equal when their names are, since closures can't be compared.
public struct ClosureRetryPolicy: RetryPolicy {
    /// The name under which the events report its decisions.
    public let identifier: String
    public let countsForBudget: Bool
    private let body: @Sendable (RetryContext) async -> RetryDecision

    /// - Parameter countsForBudget: see ``RetryPolicy/countsForBudget``.
    public init(
        _ identifier: String, countsForBudget: Bool = true, _ decide: @escaping @Sendable (RetryContext) async -> RetryDecision
    ) {
        self.identifier = identifier
        self.countsForBudget = countsForBudget
        self.body = decide
    }

    public func decide(_ context: RetryContext) async -> RetryDecision { await body(context) }

    public static func == (left: Self, right: Self) -> Bool { left.identifier == right.identifier }

    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
