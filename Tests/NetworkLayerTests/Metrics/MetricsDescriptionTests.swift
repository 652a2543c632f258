import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct MetricsDescriptionTests {
    /// Enqueued at 0 ms; a redirect from 10 to 60, and its second hop from 60 to 100.
    func story() -> OperationMetrics {
        var script = EventScript()
        script.start(at: 0)
        script.attempt(at: 10, .get("http://a.test/start", headers: [.authorization: "Bearer s3cret"]))
        script.connect(at: 10, dns: 5, tcp: 10, tls: (15, TLSInfo(version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256")))
        script.send(at: 40)
        script.head(at: 50, status: 302, headers: [.location: "/end", .setCookie: "id=1"])
        script.endAttempt(at: 60, .redirecting)
        script.attempt(at: 60, .get("http://a.test/end"), .redirect)
        script.connect(at: 60)
        script.send(at: 60)
        script.head(at: 90, status: 200, headers: [HTTPField.Name("x-response-time")!: "25"])
        script.endAttempt(at: 100)
        script.end(at: 100, .succeeded)
        return script.metrics
    }

    // MARK: The operation

    @Test func `MET-1 the parts of an operation's time, and its counts`() {
        let metrics = story()
        #expect(metrics.total == .milliseconds(100))
        #expect(metrics.queued == .milliseconds(10))
        #expect(metrics.currentAttempt?.duration == .milliseconds(40))
        #expect([metrics.attempts.count, metrics.retryCount, metrics.redirectCount] == [2, 0, 1])
        #expect(metrics.completed.map(metrics.date(of:)) == metrics.enqueuedDate?.addingTimeInterval(0.1))
    }

    @Test func `MET-1 metrics can be made up for a test, event by event`() {
        var fake = OperationMetrics()
        for event in [
            NetworkEvent(
                operation: OperationID(rawValue: 1), sequence: 0, time: .zero,
                kind: .enqueued(queue: "q", date: Date(timeIntervalSince1970: 0), timeouts: .init())),
            NetworkEvent(
                operation: OperationID(rawValue: 1), sequence: 1, time: MonotonicTime(nanoseconds: 7),
                kind: .completed(.succeeded, nil)),
        ] { fake.apply(event) }
        #expect(fake.total == .nanoseconds(7))
    }

    @Test func `RDR-3 attempts are the first one, the redirects and the retries, counted apart`() {
        var script = EventScript()
        script.start()
        for (index, kind) in [AttemptKind.initial, .redirect, .redirect].enumerated() {
            script.attempt(at: Double(index), .get("http://a.test/"), kind)
            script.endAttempt(at: Double(index) + 0.5, kind == .initial ? .redirecting : .retrying)
        }
        script.move(at: 3, to: .waitingToRetry)
        script.move(at: 4, to: .preparing)
        script.attempt(at: 4, .get("http://a.test/"), .retry)
        #expect(script.metrics.redirectCount == 2)
        #expect(script.metrics.retryCount == 1)
        #expect(script.metrics.attempts.count == 1 + script.metrics.redirectCount + script.metrics.retryCount)
    }

    // MARK: Attempts

    @Test func `MET-2 an attempt has a number, a kind, its times, its request, its answer and its error`() {
        let attempts = story().attempts
        #expect(attempts.map(\.number) == [1, 2])
        #expect(attempts.map(\.kind) == [.initial, .redirect])
        #expect(attempts.map(\.disposition) == [.redirecting, .completing])
        #expect(attempts.map(\.head?.status.code) == [302, 200])
        #expect(attempts.map(\.request.url.path) == ["/start", "/end"])
        #expect(attempts.map(\.error) == [nil, nil])
        #expect(attempts.map(\.duration) == [.milliseconds(50), .milliseconds(40)])
    }

    @Test func `MET-4 MET-6 what did not happen, or isn't known, is nil`() {
        let attempts = story().attempts
        #expect(
            Phases.Name.allCases.filter { attempts[0].phases[$0] != nil } == [.queue, .dns, .connect, .tls, .send, .wait, .receive])
        #expect(attempts[1].phases.dns == nil && attempts[1].phases.tls == nil)
        #expect(attempts[1].tls == nil && attempts[1].coding == nil && attempts[1].bodyHash == nil)
    }

    @Test func `MET-6 HAR has −1 for what did not happen, and TLS inside of connect`() {
        let attempts = story().attempts
        var first = HARTimings(Phases())
        (first.blocked, first.dns, first.connect, first.ssl) = (0, 5, 25, 15)
        (first.send, first.wait, first.receive) = (0, 10, 10)
        #expect(attempts[0].harTimings == first)
        #expect(first.total == 50)
        var second = HARTimings(Phases())
        (second.blocked, second.send, second.wait, second.receive) = (0, 0, 30, 10)
        #expect(attempts[1].harTimings == second)
        #expect([second.dns, second.connect, second.ssl] == [-1, -1, -1])
        #expect(HARTimings(Phases()).blocked == -1)
        #expect(HARTimings(Phases()).send == 0)
    }

    // MARK: Clocks

    @Test func `MET-3 MET-5 durations are exact, also when they were kept, and no clock that is set can change them`() throws {
        let metrics = story()
        let back = try JSONDecoder().decode(OperationMetrics.self, from: JSONEncoder().encode(metrics))
        #expect(back == metrics)
        #expect(metrics.date(of: EventScript.time(50)) == Date(timeIntervalSince1970: 1_795_208_400.05))
        #expect(metrics.attempts.map(\.duration) == [.milliseconds(50), .milliseconds(40)])
    }
}
