import FoundationEssentials
import HTTPTypes
import InMemoryTracing
import NetworkLayer
import NetworkLayerTesting
import NetworkLayerTracing
import Testing
import Tracing

@Suite(.timeLimit(.minutes(1))) struct TracingObserverTests {
    let time = ManualTimeSource()
    let tracer = InMemoryTracer()

    private func client(
        where isTrusted: @escaping @Sendable (URL) -> Bool = { _ in true }, script: @escaping @Sendable (TransferRequest) -> Script
    ) -> (client: NetworkClient, transport: ScriptedTransport) {
        let tracing = TracingObserver(tracer: tracer)
        let transport = ScriptedTransport(time: time, script: script)
        let client = NetworkClient(transport: tracing.injecting(into: transport, where: isTrusted), time: time)
        client.addObserver(tracing)
        return (client, transport)
    }

    private static let hops: @Sendable (TransferRequest) -> Script = { request in
        request.request.url.path() == "/x" ? .redirect(to: "http://b.test/y") : .respond(status: .notFound)
    }

    private static let traceID = HTTPField.Name(InMemoryTracer.traceIDKey)!
    private static let spanID = HTTPField.Name(InMemoryTracer.spanIDKey)!

    @Test func `an operation is a span, and each attempt a child with the attributes of OpenTelemetry`() async throws {
        let (client, _) = client(script: Self.hops)
        _ = await client.response(for: .get("http://a.test:8080/x?token=abc&page=2"))
        let spans = tracer.finishedSpans
        #expect(tracer.activeSpans.isEmpty)
        try #require(spans.map(\.operationName) == ["GET", "GET", "HTTP GET"])
        #expect(spans.map(\.kind) == [.client, .client, .internal])
        #expect(spans[0].parentSpanID == spans[2].spanID && spans[1].parentSpanID == spans[2].spanID)
        #expect(spans[2].parentSpanID == nil)
        let first = spans[0].attributes
        #expect(first.get("http.request.method")?.text == "GET")
        #expect(first.get("server.address")?.text == "a.test")
        #expect(first.get("server.port")?.number == 8080)
        #expect(first.get("url.full")?.text?.hasSuffix("&page=2") == true)
        #expect(first.get("url.full")?.text?.contains("abc") == false)
        #expect(first.get("http.response.status_code")?.number == 302)
        #expect(first.get("network.protocol.version")?.text == "1.1")
        #expect(first.get("network.peer.address")?.text == "127.0.0.1")
        #expect(first.get("network.peer.port")?.number == 80)
        #expect(first.get("http.request.resend_count") == nil)
        #expect(spans[0].status == nil)
        #expect(spans[1].attributes.get("http.request.resend_count")?.number == 1)
        #expect(spans[1].attributes.get("error.type")?.text == "404")
        #expect(spans[1].status?.code == .error)
        // A status is no error of the operation.
        #expect(spans[2].status == nil)
        #expect(spans[2].attributes.get("network_layer.attempts")?.number == 2)
    }

    @Test func `the parent is the span of the task that sends`() async throws {
        let (client, _) = client(script: Self.hops)
        let outer = await tracer.withSpan("outer") { span in
            _ = await client.response(for: .get("http://a.test/x"))
            return span.spanID
        }
        let operation = try #require(tracer.finishedSpans.first { $0.operationName == "HTTP GET" })
        #expect(operation.parentSpanID == outer)
    }

    @Test func `each request carries the context of its own attempt, also after a redirect`() async throws {
        let (client, transport) = client(script: Self.hops)
        let response = await client.response(for: .get("http://a.test/x"))
        let spans = tracer.finishedSpans
        #expect(transport.requests.map { $0.headers[Self.spanID] } == [spans[0].spanID, spans[1].spanID])
        #expect(transport.requests.map { $0.headers[Self.traceID] } == [spans[2].traceID, spans[2].traceID])
        #expect(response.metrics.attempts[0].request.headers[Self.spanID] == nil)
    }

    @Test func `whom one doesn't trust hears nothing`() async throws {
        let (client, transport) = client(where: { $0.host() == "a.test" }, script: Self.hops)
        _ = await client.response(for: .get("http://a.test/x"))
        #expect(transport.requests.map { $0.headers[Self.spanID] == nil } == [false, true])
    }

    @Test func `times are those of the events, and a retry is told on the operation's span`() async throws {
        let lost = NetworkError(.connectionLost, phase: .body, type: ErrorType.connectionReset, message: "The line went dead.")
        let (client, _) = client { _ in .fail(lost) }
        let operation = client.send(
            .get("http://a.test"), configuration: .init(retry: [RetryRules(attempts: 2, backoff: .init(jitter: .none))]))
        for await event in operation.events {
            guard case .retryScheduled(let delay) = event.kind else { continue }
            // The alarm is set behind the event.
            while time.nextDeadline != time.now + delay { await Task.yield() }
            time.advance(by: delay)
        }
        let spans = tracer.finishedSpans
        try #require(spans.count == 3)
        let start = UInt64(time.epoch.timeIntervalSince1970 * 1e9)
        #expect(spans[2].startInstant.nanosecondsSinceEpoch == start)
        #expect(spans[2].endInstant.nanosecondsSinceEpoch == start + UInt64((time.now - .zero).wholeNanoseconds))
        #expect(spans[1].startInstant.nanosecondsSinceEpoch == spans[2].endInstant.nanosecondsSinceEpoch)
        #expect(spans[0].attributes.get("error.type")?.text == "tcp.reset")
        #expect(spans[2].status?.code == .error)
        #expect(spans[2].events.map(\.name) == ["retry scheduled"])
    }

    @Test func `an operation that is cancelled in line ends its span`() async throws {
        let (client, _) = client(script: Self.hops)
        let queue = try RequestOperationQueue(identifier: "line", client: client)
        queue.suspend()
        let operation = queue.enqueue(.get("http://a.test/x"))
        #expect(tracer.activeSpans.count == 1)
        operation.cancel()
        _ = await operation.response
        #expect(tracer.activeSpans.isEmpty)
        #expect(tracer.finishedSpans.map { $0.attributes.get("network_layer.outcome")?.text } == ["cancelled"])
    }
}

extension SpanAttribute {
    var text: String? { if case .string(let text) = self { text } else { nil } }

    var number: Int64? {
        switch self {
        case .int32(let number): Int64(number)
        case .int64(let number): number
        default: nil
        }
    }
}
