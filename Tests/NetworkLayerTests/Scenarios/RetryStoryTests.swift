import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// Section 2.2 of the reference: the whole order of an operation that tries again. See ``WholeStoryTests``.
@Suite(.watchesEvents) struct RetryStoryTests {
    /// Up to the wait: the first attempt was reset.
    static let firstAttempt =
        WholeStoryTests.preparation + [
            "   decide",
            "OD retryDecision",
            "OD attemptEnded retrying",
            "OD starting>waitingToRetry",
            "OD retryScheduled",
        ]

    /// An operation that waits to retry, because its first attempt was reset; its policy has a part in the story.
    private static func begin() async throws -> (Stage, RequestOperation) {
        let isFirst = Mutex(true)
        let stage = try Stage { _ in
            isFirst.withLock { exchange(&$0, with: false) } ? .fail(.reset) : .respond()
        }
        let teller = stage.teller
        let policy = ScriptedPolicy { _ in
            teller.note("decide")
            return .retry(after: .seconds(2), reason: "test")
        }
        let operation = stage.enqueue { $0.retry = [policy] }
        while operation.state != .waitingToRetry || teller.observedCount < operation.events(from: 0).count { await Task.yield() }
        return (stage, operation)
    }

    @Test func `RTY-1 EVT-1 a preparation that is retried is an attempt from when the policy has been told`() async throws {
        var answers = Storyteller.Answers()
        let isFirst = Mutex(true)
        answers.host = { _ in
            isFirst.withLock { exchange(&$0, with: false) } ? .block : .keep
        }
        let stage = try Stage(answers) { _ in .respond() }
        let teller = stage.teller
        let policy = ScriptedPolicy { _ in
            teller.note("decide")
            return .retry(after: .seconds(2), reason: "test")
        }
        let operation = stage.enqueue(delegate: RequestDelegate(events: teller)) { $0.retry = [policy] }
        await stage.time.pass(.seconds(2), beforeRetryOf: operation)
        _ = await operation.response
        #expect(
            Array(teller.story.drop { $0 != "   sanitize a.test" }.prefix(11)) == [
                "   sanitize a.test",
                "OD prepared hostSanitizer",
                "OD preparationFailed hostSanitizer 301",
                "   decide",
                "OD retryDecision",
                "OD attemptStarted initial http://a.test/",
                "OD preparing>starting",
                "OD attemptEnded retrying",
                "OD starting>waitingToRetry",
                "OD retryScheduled",
                "OD waitingToRetry>preparing",
            ])
        #expect(teller.violations == [])
    }

    @Test func `EVT-1 RTY-4 retry, then success: every role is asked again, from the original request on`() async throws {
        let (stage, operation) = try await Self.begin()
        await stage.time.pass(.seconds(2), beforeRetryOf: operation)
        _ = await operation.response
        stage.expect(
            Self.firstAttempt + [
                "OD waitingToRetry>preparing",
                "OD retryStarted",
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
                "   transfer starts",
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

    /// What TNL's delegate hears; a handler that takes its time over every event holds up the response, and nothing else.
    @Test(arguments: [false, true])
    func `T-ORD EVT-1 a slow handler hears everything in order, and only then the response is there`(retries: Bool) async throws {
        let heard = Recorder<String>()
        var answers = Storyteller.Answers()
        answers.hears = { event in
            for _ in 0..<50 { await Task.yield() }
            switch event.kind {
            case .head: heard.append("response")
            case .attemptEnded: heard.append("attemptComplete")
            case .retryScheduled: heard.append("willStartRetry")
            case .retryStarted: heard.append("didStartRetry")
            case .completed: heard.append("complete")
            default: break
            }
        }
        let isFirst = Mutex(retries)
        let stage = try Stage(answers) { _ in
            .respond(status: isFirst.withLock { exchange(&$0, with: false) } ? .serviceUnavailable : .ok)
        }
        let operation = stage.enqueue {
            $0.retry = [ScriptedPolicy { _ in .retry(after: .seconds(1), reason: "test") }]
        }
        if retries { await stage.time.pass(.seconds(1), beforeRetryOf: operation) }
        _ = await operation.response
        let first = ["response", "attemptComplete", "willStartRetry", "didStartRetry"]
        #expect(heard.all == (retries ? first : []) + ["response", "attemptComplete", "complete"])
        #expect(stage.teller.heardCount == operation.events(from: 0).count)
        #expect(stage.teller.violations == [])
    }
}
