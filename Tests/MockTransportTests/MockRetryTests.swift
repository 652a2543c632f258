import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import Testing

/// TNL's tests of retries over its pseudo protocol (T-PSE).
@Suite final class MockRetryTests: MockBench {
    private func enqueue(
        _ response: MockResponse, _ behavior: MockBehavior = .init(), retryAfter delay: Duration, timeouts: Timeouts
    ) -> RequestOperation {
        transport.register(response, at: .a, behavior: behavior)
        var configuration = RequestConfiguration()
        configuration.timeouts = timeouts
        configuration.retry = [
            RetryRules(
                attempts: 9, on: [.kind(.connection), .kind(.timeout), .status(404)],
                backoff: RetryBackoff(first: delay, factor: 1, max: .seconds(60), jitter: .none))
        ]
        return queue.enqueue(Request(url: .a), configuration: configuration)
    }

    @Test func `T-PSE PSE-2 the operation timeout ends retries in the second attempt`() async {
        let operation = enqueue(
            .hello, MockBehavior(delay: .seconds(10)), retryAfter: .milliseconds(500),
            timeouts: Timeouts(idle: nil, attempt: .seconds(1), operation: .seconds(2)))
        time.advance(by: .seconds(1))
        await time.pass(.milliseconds(500), beforeRetryOf: operation)
        while operation.metrics.attempts.count < 2 { await Task.yield() }
        await time.advance(by: .milliseconds(500), toEndOf: operation)
        let response = await operation.response
        #expect(response.error?.code == .operationTimedOut)
        #expect(response.metrics.attempts.map(\.error?.code) == [.attemptTimedOut, .operationTimedOut])
        #expect(response.metrics.attempts.map(\.kind) == [.initial, .retry])
        #expect(recorder.violations == [])
    }

    @Test func `T-PSE RTY-3 a delay beyond the operation timeout: the attempt's own error, after one attempt`() async {
        let operation = enqueue(
            .hello, MockBehavior(failure: .reset), retryAfter: .seconds(3),
            timeouts: Timeouts(idle: nil, attempt: nil, operation: .seconds(2)))
        let response = await operation.response
        #expect(response.error == .reset)
        #expect(response.metrics.attempts.map(\.kind) == [.initial])
        #expect(response.metrics.total == .zero)
        #expect(recorder.violations == [])
    }

    @Test func `T-PSE CAN-1 a 404 cancelled while it waits to retry has no status`() async {
        let operation = enqueue(
            MockResponse(status: .notFound), retryAfter: .seconds(3), timeouts: Timeouts(idle: nil, attempt: nil, operation: nil))
        while operation.state != .waitingToRetry { await Task.yield() }
        operation.cancel("the user")
        let response = await operation.response
        #expect(response.error?.code == .cancelled)
        #expect(response.info == nil)
        #expect(response.metrics.attempts.map(\.head?.status) == [.notFound])
        #expect(recorder.violations == [])
    }
}
