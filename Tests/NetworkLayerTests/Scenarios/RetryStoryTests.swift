import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// Section 2.2 of the reference: the whole order of an operation that tries again. See ``WholeStoryTests``.
@Suite struct RetryStoryTests {
    /// Up to the wait: the first attempt was reset.
    static let firstAttempt =
        WholeStoryTests.preparation + [
            "   decide",
            "OD retryDecision",
            "OD attemptEnded retrying",
            "OD starting>waitingToRetry",
            "OD retryScheduled",
            willStart,
        ]

    static let willStart = "   willStartRetry after 2.0 seconds"

    /// An operation that waits to retry, because its first attempt was reset; its policy has a part in the story.
    private static func begin() async throws -> (Stage, RequestOperation) {
        let isFirst = Mutex(true)
        let stage = try Stage { _ in
            isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst ? .fail(.reset) : .respond()
            }
        }
        let teller = stage.teller
        let policy = ScriptedPolicy(hears: { teller.note($0) }) { _ in
            teller.note("decide")
            return .retry(after: .seconds(2), reason: "test")
        }
        let operation = stage.enqueue { $0.retry = [policy] }
        while !teller.story.contains(willStart) { await Task.yield() }
        return (stage, operation)
    }

    @Test func `EVT-1 RTY-4 retry, then success: every role is asked again, from the original request on`() async throws {
        let (stage, operation) = try await Self.begin()
        await stage.time.pass(.seconds(2), beforeRetryOf: operation)
        _ = await operation.response
        stage.expect(
            Self.firstAttempt + [
                "OD waitingToRetry>preparing",
                "OD retryStarted",
                "   didStartRetry",
                "   hydrate http://a.test/",
                "OD prepared hydration",
                "   defaultHeaders",
                "   overrideHeaders",
                "OD prepared headers",
                "   sanitize a.test",
                "OD prepared hostSanitizer",
                "   authorize http://a.test/",
                "OD prepared authorization",
                "   readyToEnqueue, a retry",
                "OD prepared readyToEnqueue",
                "OD attemptStarted retry http://a.test/",
                "OD preparing>starting",
                "OD connectionAcquired",
                "OD requestHeadSent",
                "OD requestSent",
                "OD starting>running",
                "OD head",
                "OD attemptEnded completing",
                "OD running>succeeded",
                "OD completed succeeded",
            ])
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
    }

    @Test func `CAN-1 EVT-1 cancel while waiting to retry`() async throws {
        let (stage, operation) = try await Self.begin()
        operation.cancel("the user")
        let response = await operation.response
        stage.expect(
            Self.firstAttempt + [
                "OD waitingToRetry>cancelled",
                "OD completed cancelled 201",
            ])
        #expect(response.metrics.attempts.map(\.disposition) == [.retrying])
        #expect(stage.transport.transfers.count == 1)
    }
}
