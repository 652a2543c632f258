import FoundationEssentials
import MockTransport
import NetworkLayer
import Testing

/// The code of the article Operations.
@Suite struct Operations {
    let transport = MockTransport()
    let url = URL(string: "https://birds.example/knot")!

    func queue() throws -> RequestOperationQueue {
        transport.register(MockResponse(body: Data("knot".utf8)), at: url)
        return try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: transport))
    }

    @Test func `follow the events`() async throws {
        let queue = try queue()
        var states: [RequestOperation.State] = []

        // snippet
        let operation = queue.enqueue(.get(url))
        for await event in operation.events {
            if case .transition(_, let state) = event.kind { states.append(state) }
        }
        // end

        #expect(states == [.preparing, .starting, .running, .succeeded])
    }

    @Test func `the metrics are a fold of the events`() async throws {
        let operation = try queue().enqueue(.get(url))
        _ = await operation.response

        // snippet
        var metrics = OperationMetrics()
        for event in operation.events(from: 0) { metrics.apply(event) }
        // end

        #expect(metrics == operation.metrics)
    }

    @Test func `cancel at any time`() async throws {
        let queue = try queue()
        transport.register(MockResponse(), at: url, behavior: MockBehavior(delay: .seconds(60)))
        let operation = queue.enqueue(.get(url))

        // snippet
        operation.cancel("the user went back")
        let error = await operation.response.error
        // end

        #expect(error?.code == .cancelled)
        #expect(error?.cancelSource == "the user went back")
    }

    // snippet
    struct SlowRequests: NetworkObserver {
        let report: @Sendable (URL, Duration) -> Void

        func observe(_ event: NetworkEvent, of operation: RequestOperation) {
            guard case .completed = event.kind, let total = operation.metrics.total, total > .seconds(1) else { return }
            report(operation.originalRequest.url, total)
        }
    }
    // end

    @Test func `an observer sees all operations`() async throws {
        let client = NetworkClient(transport: transport)
        transport.register(MockResponse(), at: url)

        // snippet
        let registration = client.addObserver(SlowRequests { url, time in print("\(url) took \(time)") })
        // end

        let queue = try RequestOperationQueue(identifier: "observed", client: client)
        #expect(await queue.enqueue(.get(url)).response.error == nil)
        registration.cancel()
    }
}
