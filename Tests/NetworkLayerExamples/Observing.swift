import FoundationEssentials
import HTTPTypes
import Logging
import MockTransport
import NetworkLayer
import NetworkLayerMetrics
import NetworkLayerTracing
import Synchronization
import Testing

/// The code of the article Observing.
@Suite struct Observing {
    let transport = MockTransport()
    var client: NetworkClient { NetworkClient(transport: transport) }

    @Test func `the events of an operation`() async throws {
        transport.register(MockResponse(), at: "https://birds.example/knot")
        let operation = client.send(.get("https://birds.example/knot"))
        var lines: [String] = []

        // snippet
        for await event in operation.events {
            switch event.kind {
            case .transition(_, let state): lines.append("\(state)")
            case .attemptStarted(let kind, let request): lines.append("\(kind): \(request)")
            case .retryScheduled(let delay): lines.append("again in \(delay)")
            default: break
            }
        }
        // end

        #expect(lines == ["preparing", "initial: GET https://birds.example/knot", "starting", "running", "succeeded"])
    }

    @Test func `the events of all operations`() async throws {
        transport.register(MockResponse(), at: "https://birds.example/knot")
        let client = client
        let ends = Mutex<[String]>([])

        // snippet
        let registration = client.observe { event, operation in
            if case .completed(let state, _) = event.kind { ends.withLock { $0.append("\(operation.originalRequest): \(state)") } }
        }
        // end

        _ = await client.response(for: "https://birds.example/knot")
        registration.cancel()
        _ = await client.response(for: "https://birds.example/knot")
        #expect(ends.withLock { $0 } == ["GET https://birds.example/knot: succeeded"])
    }

    @Test func `logs, metrics and traces`() async throws {
        transport.register(MockResponse(), at: "https://birds.example/knot")
        let client = client

        // snippet
        client.addObserver(LogObserver(Logger(label: "birds")))
        // end

        // snippet
        client.addObserver(MetricsObserver())
        // end

        #expect(await client.response(for: "https://birds.example/knot").isSuccess)

        // snippet
        let tracing = TracingObserver()
        let traced = NetworkClient(transport: tracing.injecting(into: transport) { $0.host() == "birds.example" })
        traced.addObserver(tracing)
        // end

        #expect(await traced.response(for: "https://birds.example/knot").isSuccess)
    }
}
