package import NetworkLayer

/// A retry policy that does what a test says.
package final class ScriptedPolicy: RetryPolicy {
    private let decision: @Sendable (RetryContext) async -> RetryDecision
    /// Hears `willStartRetry` and `didStartRetry`.
    private let hears: @Sendable (String) -> Void

    package init(
        hears: @escaping @Sendable (String) -> Void = { _ in },
        _ decision: @escaping @Sendable (RetryContext) async -> RetryDecision
    ) {
        self.hears = hears
        self.decision = decision
    }

    package func decide(_ context: RetryContext) async -> RetryDecision { await decision(context) }

    package func willStartRetry(_ context: RetryContext, after delay: Duration) { hears("willStartRetry after \(delay)") }

    package func didStartRetry(_ context: RetryContext) { hears("didStartRetry") }

    package static func == (left: ScriptedPolicy, right: ScriptedPolicy) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
