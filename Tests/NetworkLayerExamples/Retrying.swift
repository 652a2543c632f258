import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import Testing

/// The code of the article Retrying.
@Suite struct Retrying {
    let transport = MockTransport()
    let url = URL(string: "https://birds.example/knot")!

    @Test func `rules try again after a 503, three attempts in all`() async throws {
        transport.register(MockResponse(status: .serviceUnavailable), at: url)
        let queue = try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: transport))

        // snippet
        var configuration = RequestConfiguration()
        configuration.retry = [
            RetryRules(
                attempts: 3, on: [.kind(.connection), .status(503)],
                backoff: RetryBackoff(first: .milliseconds(100), max: .seconds(2), jitter: .none))
        ]
        let response = await queue.enqueue(.get(url), configuration: configuration).response
        // end

        #expect(response.info?.head.status == .serviceUnavailable)
        #expect(response.metrics.attempts.map(\.kind) == [.initial, .retry, .retry])
    }

    // snippet
    struct NotAtNight: RetryPolicy {
        func decide(_ context: RetryContext) async -> RetryDecision {
            guard context.status == .serviceUnavailable else { return .abstain }
            return context.retryCount < 2
                ? .retry(after: .milliseconds(100), reason: "the server starts")
                : .stop(reason: "the server stays down")
        }
    }
    // end

    @Test func `a policy of one's own goes first`() async throws {
        transport.register(MockResponse(status: .serviceUnavailable), at: url)
        let queue = try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: transport))
        var configuration = RequestConfiguration()

        // snippet
        configuration.retry = [NotAtNight(), RetryRules()]
        // end

        let response = await queue.enqueue(.get(url), configuration: configuration).response
        #expect(response.info?.head.status == .serviceUnavailable)
        #expect(response.metrics.attempts.map(\.kind) == [.initial, .retry, .retry])
    }
}
