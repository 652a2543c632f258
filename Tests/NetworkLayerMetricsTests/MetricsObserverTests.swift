import FoundationEssentials
import HTTPTypes
import MetricsTestKit
import NetworkLayer
import NetworkLayerMetrics
import NetworkLayerTesting
import Testing

@Suite(.timeLimit(.minutes(1))) struct MetricsObserverTests {
    let metrics = TestMetrics()
    let time = ManualTimeSource()

    private func run(
        _ requests: [Request], configuration: RequestConfiguration = .init(), maxValues: Int = 100,
        script: @escaping @Sendable (TransferRequest) -> Script
    ) async {
        let client = NetworkClient(transport: ScriptedTransport(time: time, script: script), time: time)
        client.addObserver(MetricsObserver(maxValues: maxValues, factory: metrics))
        for request in requests { _ = await client.response(for: request, configuration: configuration) }
    }

    @Test func `an operation, its attempts and their results are counted by host`() async throws {
        await run([.get("http://A.test/x")]) { request in
            request.request.url.path() == "/x" ? .redirect(to: "http://b.test/y") : .respond(status: .notFound)
        }
        let operation = [("server.address", "a.test"), ("http.request.method", "GET"), ("outcome", "succeeded")]
        #expect(try metrics.expectCounter("http.client.operations", operation).totalValue == 1)
        #expect(try metrics.expectTimer("http.client.operation.duration", operation).values == [0])
        #expect(try metrics.expectTimer("http.client.operation.queued", [("server.address", "a.test")]).values == [0])
        for (host, kind, status) in [("a.test", "initial", "302"), ("b.test", "redirect", "404")] {
            let attempt = [("server.address", host), ("attempt.kind", kind)]
            #expect(try metrics.expectCounter("http.client.attempts", attempt).totalValue == 1)
            let result = [("server.address", host), ("http.request.method", "GET"), ("http.response.status_code", status)]
            #expect(try metrics.expectTimer("http.client.request.duration", result).values == [0])
        }
        #expect(metrics.counters(label: "http.client.retries").isEmpty)
    }

    @Test func `phases and bytes have the transport's exact figures, and what didn't happen has none`() async throws {
        let result = TransferResult(
            phases: Phases(tls: .init(start: .zero, end: .zero + .milliseconds(7))),
            bytes: ByteCounts(requestHead: 100, requestBody: 20, responseHead: 300, responseBody: 4000))
        let script = Script([.head(ResponseHead(status: .ok)), .finished(result)])
        await run([.get("https://a.test")]) { _ in script }
        let host = [("server.address", "a.test")]
        #expect(try metrics.expectTimer("http.client.phase.duration", host + [("phase", "tls")]).values == [7_000_000])
        #expect(metrics.timers(label: "http.client.phase.duration", dimensions: host + [("phase", "dns")]).isEmpty)
        #expect(try metrics.expectCounter("http.client.bytes.sent", host).totalValue == 120)
        #expect(try metrics.expectCounter("http.client.bytes.received", host).totalValue == 4300)
    }

    @Test func `retries are counted, and errors have their type`() async throws {
        let lost = NetworkError(.connectionLost, phase: .body, type: ErrorType.connectionReset, message: "The line went dead.")
        let client = NetworkClient(transport: ScriptedTransport(time: time) { _ in .fail(lost) }, time: time)
        client.addObserver(MetricsObserver(factory: metrics))
        let operation = client.send(
            .get("http://a.test"), configuration: .init(retry: [RetryRules(attempts: 2, backoff: .init(jitter: .none))]))
        for await event in operation.events {
            guard case .retryScheduled(let delay) = event.kind else { continue }
            // The alarm is set behind the event.
            while time.nextDeadline != time.now + delay { await Task.yield() }
            time.advance(by: delay)
        }
        #expect(try metrics.expectCounter("http.client.retries", [("server.address", "a.test")]).totalValue == 1)
        let result = [("server.address", "a.test"), ("http.request.method", "GET"), ("error.type", "tcp.reset")]
        #expect(try metrics.expectTimer("http.client.request.duration", result).values.count == 2)
        let end = [("server.address", "a.test"), ("http.request.method", "GET"), ("outcome", "failed")]
        #expect(try metrics.expectCounter("http.client.operations", end).totalValue == 1)
    }

    @Test func `whatever hosts, methods, statuses and errors come, there are only so many series`() async throws {
        let requests = (0..<50).map { number in
            Request(HTTPRequest.Method("M\(number)")!, "http://h\(number).test/\(number)")
        }
        await run(requests, maxValues: 3) { request in
            let number = Int(request.request.url.lastPathComponent)!
            return number.isMultiple(of: 2)
                ? .respond(status: .init(code: 440 + number))
                : .fail(NetworkError(.connectionLost, phase: .body, type: "made.up.\(number)", message: "?"))
        }
        let hosts = Set(metrics.counters(label: "http.client.operations").flatMap { $0.dimensions.map(\.1) })
        #expect(hosts == ["h0.test", "h1.test", "h2.test", "_OTHER", "succeeded", "failed"])
        let results = Set(metrics.timers(label: "http.client.request.duration").map { $0.dimensions[2].1 })
        #expect(results == ["4xx", "made.up.1", "made.up.3", "made.up.5", "_OTHER"])
    }
}
