/// Decides whether an operation tries again (section 1.9). A value, so that configurations that carry one stay comparable.
///
/// It is asked whenever an attempt has ended and the operation could end with it, in this order (RTY-2):
///
/// | how it ended                                                                         | asked |
/// |--------------------------------------------------------------------------------------|-------|
/// | cancelled, or with an error that is terminal (``NetworkError/Code/isTerminal``)      | no    |
/// | a call of a role didn't return in time, code 205                                     | no    |
/// | a 2xx that is definitive (`HTTPResponse.Status.isDefinitiveSuccess`)     | no    |
/// | anything else: 202, 203, 207, 208, 226, 3xx, 4xx, 5xx, an error that isn't terminal  | yes   |
///
/// A yes is overruled when the retry would begin after the operation timeout (RTY-3), when the request's body can't be sent
/// again, or when the host's ``RetryBudget`` is used up; the operation then ends with what the attempt brought.
public protocol RetryPolicy: Sendable, Hashable {
    /// Names it in the event ``NetworkEvent/Kind/retryDecision(_:by:)``.
    var identifier: String { get }

    /// Whether its retries count for the host's ``RetryBudget``, which may forbid them: `true` unless it says otherwise.
    var countsForBudget: Bool { get }

    /// The operation waits for the answer; a cancel and the operation timeout don't.
    func decide(_ context: RetryContext) async -> RetryDecision
}

extension RetryPolicy {
    /// The name of the type.
    public var identifier: String { String(describing: Self.self) }

    public var countsForBudget: Bool { true }

    func isEqual(to other: any RetryPolicy) -> Bool { other as? Self == self }
}

/// What a ``RetryPolicy`` answers.
public enum RetryDecision: Sendable, Hashable {
    /// The shortest wait before a retry (RTY-1); a shorter one is made so long.
    package static let minimumDelay = Duration.milliseconds(100)

    /// Tries again after a wait, from the original request on, with another configuration if one is given (RTY-1). The wait
    /// also lasts as long as dependencies aren't finished (RTY-4).
    case retry(after: Duration, configuration: RequestConfiguration? = nil, reason: String)
    /// Ends the operation with what the attempt brought; no other policy is asked.
    case stop(reason: String)
    /// Leaves it to the next policy; without one the operation ends.
    case abstain

    /// Why; `nil` for `abstain`.
    public var reason: String? {
        switch self {
        case .retry(_, _, let reason), .stop(let reason): reason
        case .abstain: nil
        }
    }
}

/// Policies that are asked one after the other; the first that doesn't abstain decides. Empty: nothing is retried.
///
///     configuration.retry = [RefreshToken(), RetryRules(attempts: 4, on: [.kind(.connection), .status(503)])]
public struct RetryPolicies: Sendable, ExpressibleByArrayLiteral {
    package let policies: [any RetryPolicy]

    /// Chains among the policies are taken apart, so that what is decided names who decided it.
    public init(_ policies: [any RetryPolicy] = []) {
        self.policies = policies.flatMap { ($0 as? RetryPolicies)?.policies ?? [$0] }
    }

    public init(arrayLiteral elements: any RetryPolicy...) {
        self.init(elements)
    }

    /// ``RetryRules`` as they are by default: three tries of what can be sent again without harm.
    public static let standard: RetryPolicies = [RetryRules()]

    /// ``RetryRules`` with so many tries in all, the first included.
    public static func attempts(_ count: Int) -> RetryPolicies { [RetryRules(attempts: count)] }

    package var isEmpty: Bool { policies.isEmpty }

    /// - Returns: the decision, and who made it; `nil` when all abstained.
    func ask(_ context: RetryContext) async -> (decision: RetryDecision, policy: (any RetryPolicy)?) {
        for policy in policies {
            let decision = await policy.decide(context)
            if decision != .abstain { return (decision, policy) }
        }
        return (.abstain, nil)
    }
}

extension RetryPolicies: RetryPolicy {
    public func decide(_ context: RetryContext) async -> RetryDecision { await ask(context).decision }
}

extension RetryPolicies: Hashable {
    /// Equal when the same policies stand in the same order.
    public static func == (left: Self, right: Self) -> Bool {
        left.policies.count == right.policies.count
            && zip(left.policies, right.policies).allSatisfy { $0.isEqual(to: $1) }
    }

    public func hash(into hasher: inout Hasher) {
        for policy in policies { policy.hash(into: &hasher) }
    }
}
