import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import Testing

/// Downloads over a mock that breaks off after so many bytes, every time.
@Suite struct MockResumeTests {
    let time = ManualTimeSource()
    let recorder = EventRecorder()

    private func ranges(_ behavior: MockBehavior, attempts: Int) async throws -> (Response, [String]) {
        let transport = MockTransport(time: time)
        transport.register(MockResponse(headers: [.eTag: "\"1\""], body: Data("hello".utf8)), at: .a, behavior: behavior)
        let client = NetworkClient(transport: transport, time: time)
        client.addObserver(recorder)
        let queue = try RequestOperationQueue(identifier: "mock", client: client)
        var configuration = RequestConfiguration()
        configuration.consumption = .file(directory: nil)
        configuration.retry = [
            RetryRules(attempts: attempts, backoff: RetryBackoff(first: .milliseconds(100), factor: 1, jitter: .none))
        ]
        let operation = queue.enqueue(Request(url: .a), configuration: configuration)
        for _ in 1..<attempts { await time.pass(.milliseconds(100), beforeRetryOf: operation) }
        let response = await operation.response
        #expect(recorder.violations == [])
        return (response, response.metrics.attempts.map { $0.request.headers[.range] ?? "whole" })
    }

    @Test func `TN-14 PSE-4 a mock that breaks off every two bytes is loaded in the end`() async throws {
        let (response, ranges) = try await ranges(MockBehavior(failure: .reset, failureOffset: 2), attempts: 4)
        #expect(ranges == ["whole", "bytes=2-", "bytes=4-", "bytes=5-"])
        #expect(response.error == nil)
        #expect(response.info?.head.status == .ok)
        #expect(try response.info?.body.contents() == Data("hello".utf8))
    }

    @Test func `TN-14 PSE-4 a mock that refuses If-Range starts over each time`() async throws {
        let (response, ranges) = try await ranges(MockBehavior(failure: .reset, failureOffset: 2, ifRange: .none), attempts: 3)
        #expect(ranges == ["whole", "bytes=2-", "bytes=2-"])
        #expect(response.error == .reset)
        #expect(try response.info?.body.contents() == Data("he".utf8))
    }
}
