/// Policies that are asked one after the other; the first that doesn't abstain decides. Empty: nothing is retried.
///
///     configuration.retry = [RefreshToken(), RetryRules(attempts: 4, on: [.kind(.connection), .status(503)])]
public struct RetryPolicies: Sendable, ExpressibleByArrayLiteral {
    /// In the order in which they are asked.
    public let policies: [any RetryPolicy]

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

    /// Whether nothing is retried.
    public var isEmpty: Bool { policies.isEmpty }

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
