package import NetworkLayer

/// A retry policy that does what a test says.
package final class ScriptedPolicy: RetryPolicy {
    private let decision: @Sendable (RetryContext) async -> RetryDecision

    package init(_ decision: @escaping @Sendable (RetryContext) async -> RetryDecision) {
        self.decision = decision
    }

    package func decide(_ context: RetryContext) async -> RetryDecision { await decision(context) }

    package static func == (left: ScriptedPolicy, right: ScriptedPolicy) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
