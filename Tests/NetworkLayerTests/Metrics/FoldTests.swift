import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// The metrics as the fold of the events, while an attempt runs and after.
@Suite struct FoldTests {
    func time(_ milliseconds: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 1_000_000_000) + .milliseconds(milliseconds) }

    func interval(_ start: Int, _ end: Int) -> Phases.Interval { Phases.Interval(start: time(start), end: time(end)) }

    /// A fresh HTTPS request, a step every millisecond.
    static let fresh: [(TransportEvent.Kind, Phases.Name?)] = [
        (.resolveStarted(host: "a.test"), .dns), (.resolveEnded, nil), (.connectStarted(address: "[::1]:443"), .connect),
        (.connectFailed(address: "[::1]:443", errno: 111), .connect), (.connectStarted(address: "127.0.0.1:443"), .connect),
        (.connectEnded, nil), (.tlsStarted, .tls), (.tlsEnded(TLSInfo(version: "TLSv1.3")), nil),
        (.connectionAcquired(.loopback), .send), (.requestHeadSent(Data("GET /".utf8)), .send), (.requestSent, .wait),
        (.head(ResponseHead(status: .ok)), .receive),
    ]

    @Test func `each event opens and closes the phases that it stands for`() throws {
        var machine = Machine(.get("https://a.test/"))
        machine.start()
        #expect(machine.machine.metrics.currentAttempt?.openPhase == .init(name: .queue, start: time(0)))
        for (kind, open) in Self.fresh {
            machine.wait(.milliseconds(1))
            machine.transport(kind)
            #expect(machine.machine.metrics.currentAttempt?.openPhase?.name == open, "\(kind)")
        }
        let attempt = try #require(machine.machine.metrics.currentAttempt)
        #expect(
            attempt.phases
                == Phases(
                    queue: interval(0, 1), dns: interval(1, 2), connect: interval(3, 6), tls: interval(7, 8), send: interval(9, 11),
                    wait: interval(11, 12)))
        #expect(attempt.openPhase == .init(name: .receive, start: time(12)))
        #expect(attempt.failedAddresses == [.init(address: "[::1]:443", errno: 111)])
        #expect(attempt.tls?.version == "TLSv1.3")
        #expect(attempt.connection == .loopback)
        #expect(attempt.sentHead == "GET /")
    }

    @Test func `a reused connection has no dns, connect and tls (ENG-5)`() {
        var machine = Machine()
        machine.start()
        machine.wait(.milliseconds(1))
        machine.transport(.connectionAcquired(.loopback))
        machine.wait(.milliseconds(1))
        machine.transport(.requestSent)
        machine.wait(.milliseconds(1))
        machine.head()
        machine.wait(.milliseconds(1))
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        #expect(
            machine.machine.metrics.currentAttempt?.phases
                == Phases(queue: interval(0, 1), send: interval(1, 2), wait: interval(2, 3), receive: interval(3, 4)))
    }

    @Test func `an answer before the end of the request closes sending`() {
        var machine = Machine(.post("http://a.test/"))
        machine.start()
        machine.transport(.connectionAcquired(.loopback))
        machine.wait(.milliseconds(1))
        machine.head(.contentTooLarge)
        machine.wait(.milliseconds(1))
        machine.transport(.requestSent)
        #expect(machine.machine.metrics.currentAttempt?.phases == Phases(queue: interval(0, 0), send: interval(0, 1)))
        #expect(machine.machine.metrics.currentAttempt?.openPhase == .init(name: .receive, start: time(1)))
    }

    @Test func `after a silent re-send the phases start over, and it is counted (ENG-7)`() {
        var machine = Machine()
        machine.start()
        machine.transport(.connectionAcquired(.loopback))
        machine.transport(.requestSent)
        machine.wait(.milliseconds(2))
        machine.transport(.resent)
        #expect(machine.machine.metrics.currentAttempt?.openPhase == .init(name: .queue, start: time(0)))
        machine.transport(.connectStarted(address: "127.0.0.1:80"))
        #expect(machine.machine.metrics.currentAttempt?.phases == Phases(queue: interval(0, 2)))
        #expect(machine.machine.metrics.currentAttempt?.resends == 1)
    }

    @Test func `at the end the transport's exact figures replace what the events suggested`() {
        var machine = Machine()
        machine.start()
        machine.head()
        let phases = Phases(wait: interval(0, 1), receive: interval(1, 2))
        let bytes = ByteCounts(requestHead: 1, requestBody: 2, responseHead: 3, responseBody: 4, decodedResponseBody: 5)
        let trailers = [TransferResult.HeaderLine(name: "checksum", value: "1")]
        machine.transport(.finished(TransferResult(phases: phases, bytes: bytes, trailers: trailers)))
        machine.send(.bodyClosed(attempt: 1))
        let attempt = machine.machine.metrics.currentAttempt
        #expect(attempt?.phases == phases)
        #expect(attempt?.bytes == bytes)
        #expect(attempt?.trailers == trailers)
        machine.expectGood()
    }

    @Test func `where the transport has no figures those of the events stay`() {
        var machine = Machine(.post("http://a.test/"))
        machine.start()
        machine.transport(.requestHeadSent(Data("POST /".utf8)))
        machine.transport(.uploadProgress(TransferProgress(bytes: 4, expected: 4)))
        machine.transport(.head(ResponseHead(status: .ok, raw: Data(count: 30))))
        machine.body(10, received: 7)
        machine.finish()
        machine.send(.bodyClosed(attempt: 1))
        #expect(
            machine.machine.metrics.currentAttempt?.bytes
                == ByteCounts(requestHead: 6, requestBody: 4, responseHead: 30, responseBody: 7, decodedResponseBody: 10))
    }

    @Test func `states, times, counts and durations of an operation`() {
        var machine = Machine()
        machine.enqueue()
        machine.send(.wait(.queueSuspended))
        machine.wait(.milliseconds(10))
        machine.send(.start)
        machine.prepare()
        machine.head(.found, [.location: "/next"])
        machine.finish()
        machine.wait(.milliseconds(5))
        machine.succeed()
        let metrics = machine.machine.metrics
        #expect(
            metrics.states == [
                .init(state: .waiting(.queueSuspended), time: time(0)), .init(state: .preparing, time: time(10)),
                .init(state: .starting, time: time(10)), .init(state: .running, time: time(10)),
                .init(state: .succeeded, time: time(15)),
            ])
        #expect(metrics.state == .succeeded)
        #expect(metrics.enqueuedDate == Machine.date)
        #expect(metrics.queued == .milliseconds(10))
        #expect(metrics.total == .milliseconds(15))
        #expect(metrics.redirectCount == 1)
        #expect(metrics.retryCount == 0)
        #expect(metrics.attempts.map(\.duration) == [.zero, .milliseconds(5)])
        #expect(metrics.attemptArmed == nil)
        #expect(metrics.lastActivity == nil)
    }

    @Test func `what the gauges of the timeouts need is there while it runs`() {
        var machine = Machine { $0.timeouts = Timeouts(idle: .seconds(1), attempt: .seconds(2), operation: .seconds(3)) }
        machine.enqueue()
        machine.wait(.milliseconds(10))
        machine.send(.start)
        machine.prepare()
        #expect(machine.machine.metrics.lastActivity == machine.now)
        machine.wait(.milliseconds(10))
        machine.head()
        let metrics = machine.machine.metrics
        #expect(metrics.timeouts == Timeouts(idle: .seconds(1), attempt: .seconds(2), operation: .seconds(3)))
        #expect(metrics.enqueued == time(0))
        #expect(metrics.attemptArmed == time(10))
        #expect(metrics.lastActivity == time(20))
    }
}
