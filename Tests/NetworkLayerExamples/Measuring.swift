import FoundationEssentials
import HTTPTypes
import Logging
import MockTransport
import NetworkLayer
import Testing

/// The code of the article Measuring.
@Suite struct Measuring {
    let transport = MockTransport()
    let url = URL(string: "https://birds.example/knot")!

    @Test func `the waterfall of an operation`() async throws {
        transport.register(MockResponse(body: Data("knot".utf8)), at: url)
        let queue = try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: transport))
        let metrics = await queue.enqueue(.get(url)).response.metrics
        var lines: [String] = []

        // snippet
        for attempt in metrics.attempts {
            lines.append("\(attempt.kind) \(attempt.request.url) \(attempt.head?.status.code ?? 0)")
            for name in Phases.Name.allCases {
                guard let phase = attempt.phases[name] else { continue }
                lines.append("  \(name) \(phase.duration.wholeMicroseconds) µs")
            }
        }
        // end

        #expect(lines.first == "initial https://birds.example/knot 200")
        #expect(lines.count > 1)

        // snippet
        let kept = try JSONEncoder().encode(metrics)
        // end

        #expect(try JSONDecoder().decode(OperationMetrics.self, from: kept) == metrics)
    }

    @Test func `a log without secrets`() async throws {
        transport.register(MockResponse(), at: url)
        let client = NetworkClient(transport: transport)

        // snippet
        var logger = Logger(label: "birds")
        logger.logLevel = .warning
        client.addObserver(LogObserver(logger, detail: .verbose, redaction: .standard.adding("X-API-Key")))
        // end

        let queue = try RequestOperationQueue(identifier: "birds", client: client)
        #expect(await queue.enqueue(.get(url)).response.error == nil)
    }
}
