import FoundationEssentials
import NetworkLayer
import TerminalUI
import Testing

@testable import Presentation

@Suite struct OperationTextTests {
    // MARK: Lifeline

    private func lines(_ metrics: OperationMetrics, at now: Int64, width: Int = 100, rows: Int = 9) -> [String] {
        Lifeline.lines(metrics, now: .at(now), width: width, rows: rows).map(\.text)
    }

    @Test func `a lifeline has the time of every state, and ends with the final one`() {
        #expect(
            lines(MetricsScript.redirected.metrics, at: 99_000) == ["prep 100 µs › start 100 µs › run 8.2 ms › succeeded"])
    }

    @Test func `the state it is in stands in brackets and goes on, and what lies ahead follows`() {
        #expect(lines(MetricsScript.running.metrics, at: 2300) == ["prep 100 µs › start 100 µs › [run 2 ms] › done"])
        let line = Lifeline.lines(MetricsScript.running.metrics, now: .at(1_300_300), width: 100, rows: 1)[0]
        #expect(line.spans.suffix(3).first == StyledLine.Span("[run 1.3 s]", .stateRunning))
    }

    @Test func `waiting in the queue shows with its reason`() {
        var script = MetricsScript()
        script.enqueue()
        #expect(lines(script.metrics, at: 5000) == ["[idle 5 ms] › prep › start › run › done"])
        script.transitions((5000, .waiting(.concurrencyLimit)))
        #expect(lines(script.metrics, at: 7000) == ["idle 5 ms › [limit 2 ms] › prep › start › run › done"])
    }

    @Test func `a lifeline that doesn't fit goes on in the next line, between two states`() {
        let metrics = MetricsScript.redirected.metrics
        #expect(lines(metrics, at: 0, width: 30) == ["prep 100 µs › start 100 µs", "› run 8.2 ms › succeeded"])
        #expect(Lifeline.rowCount(metrics, width: 30) == 2)
        #expect(Lifeline.rowCount(metrics, width: 51) == 1)
        #expect(Lifeline.rowCount(metrics, width: 50) == 2)
    }

    @Test func `without another line it loses its beginning, and before that what lies ahead`() {
        #expect(lines(MetricsScript.redirected.metrics, at: 0, width: 30, rows: 1) == ["… › run 8.2 ms › succeeded"])
        #expect(lines(MetricsScript.redirected.metrics, at: 0, width: 5, rows: 1) == ["succeeded"])
        #expect(lines(MetricsScript.running.metrics, at: 2300, width: 42, rows: 1) == ["prep 100 µs › start 100 µs › [run 2 ms]"])
    }

    @Test func `a lifeline takes as many lines for as long as a state lasts`() {
        let metrics = MetricsScript.running.metrics
        for width in 20..<80 {
            let count = Lifeline.rowCount(metrics, width: width)
            for now in [300, 1_300, 12_345, 123_456, 1_234_567, 3_599_000_000] as [Int64] {
                #expect(lines(metrics, at: now, width: width).count <= count, "\(width) at \(now)")
            }
        }
    }

    @Test func `before anything happened a lifeline is empty`() {
        #expect(Lifeline.lines(OperationMetrics(), now: .at(0), width: 40, rows: 1) == [StyledLine()])
    }

    // MARK: Timeouts

    @Test func `gauges of the timeouts that count`() {
        var script = MetricsScript.running
        #expect(
            TimeoutGauge.gauges(script.metrics, now: .at(9_000_100)) == [
                TimeoutGauge(name: .idle, elapsed: nil, limit: .seconds(30)),
                TimeoutGauge(name: .attempt, elapsed: .seconds(9), limit: .seconds(60)),
                TimeoutGauge(name: .operation, elapsed: .microseconds(9_000_100), limit: .seconds(180)),
            ])
        script.at(1_000_000, .downloadProgress(TransferProgress(bytes: 1)))
        let idle = TimeoutGauge.gauges(script.metrics, now: .at(26_000_000))[0]
        #expect(idle == TimeoutGauge(name: .idle, elapsed: .seconds(25), limit: .seconds(30)))
    }

    @Test func `gauges stop with the operation, and timeouts that never end have none`() {
        #expect(
            TimeoutGauge.gauges(MetricsScript.redirected.metrics, now: .at(99_000_000)) == [
                TimeoutGauge(name: .idle, elapsed: nil, limit: .seconds(30)),
                TimeoutGauge(name: .attempt, elapsed: nil, limit: .seconds(60)),
                TimeoutGauge(name: .operation, elapsed: .microseconds(8500), limit: .seconds(180)),
            ])
        var script = MetricsScript()
        script.enqueue(timeouts: Timeouts(idle: nil, attempt: .zero, operation: .seconds(-1)))
        #expect(TimeoutGauge.gauges(script.metrics, now: .at(1)) == [])
    }

    // MARK: Attempts

    @Test func `attempts are a table`() {
        #expect(
            AttemptTable.cells(MetricsScript.redirected.metrics.attempts, now: .at(0)).map { $0.map(\.text) } == [
                ["1", "initial", "0.50", "0.50", "-", "0.01", "2.89", "0.10", "4.00", "303", "c1 new"],
                ["2", "redirect", "-", "-", "-", "0.10", "3.50", "0.40", "4.00", "200", "c2 reused"],
            ])
    }

    @Test func `a running attempt counts on`() {
        #expect(
            AttemptTable.cells(MetricsScript.running.metrics.attempts, now: .at(10_600)).map { $0.map(\.text) } == [
                ["1", "initial", "-", "0.10", "-", "0.10", "10.0", ".", "10.3", "…", "c3 new"]
            ])
    }

    @Test func `a failed attempt says how`() {
        var script = MetricsScript.running
        script.end(1000) {
            $0.error = NetworkError(.connectionLost, phase: .response, type: "tcp.reset", message: "reset by peer")
        }
        #expect(StatusText.result(script.metrics.attempts[0]) == StyledLine.Span("reset", .statusError))
        script.end(1000) {
            $0.error = NetworkError(.idleTimedOut, phase: .response, type: "idle", message: "nothing came for 1 s")
        }
        #expect(StatusText.result(script.metrics.attempts[0]) == StyledLine.Span("timeout", .statusError))
        script.end(1000) { $0.error = NetworkError(.cancelled, phase: .response, type: "abandoned", message: "cancelled") }
        #expect(StatusText.result(script.metrics.attempts[0]) == StyledLine.Span("cancelled", .stateCancelled))
    }

    // MARK: Redirects

    @Test func `a chain has a row for every response, and says what changed`() {
        #expect(
            RedirectChain.lines(MetricsScript.redirected.metrics, now: .at(0), width: 60).map(\.text) == [
                "1 POST http://localhost:8080/first             303      4 ms",
                "    → http://other.example:8081/second",
                "    method POST → GET",
                "    dropped Authorization, Content-Type",
                "2 GET http://other.example:8081/second         200      4 ms",
            ])
    }

    @Test func `a redirect that wasn't followed says why`() {
        func notes(_ hop: RedirectHop, _ error: NetworkError? = nil) -> [String] {
            var script = MetricsScript.running
            script.end(1000) {
                $0.redirect = hop
                $0.error = error
            }
            return RedirectChain.rows(script.metrics, now: .at(0))[0].notes.map(\.text)
        }
        #expect(
            notes(RedirectHop(location: "/x", decision: .refusedByPolicy))
                == ["→ /x", "not followed: the redirect policy of this request says so"])
        #expect(
            notes(RedirectHop(location: "/x", decision: .refusedByDelegate))
                == ["→ /x", "not followed: the program decided so"])
        #expect(
            notes(
                RedirectHop(location: "http://x/", decision: .failed, isDowngrade: true),
                NetworkError(.redirectFailed, phase: .response, type: "redirect.downgrade", message: "https leads to http"))
                == [
                    "→ http://x/", "from https to http: what follows can be read by anyone on the way",
                    "not followed: https leads to http",
                ])
    }

    // MARK: Info and errors

    @Test func `info tells it all at a glance`() {
        #expect(
            InfoPanel.lines(MetricsScript.redirected.metrics, body: .data(Data(count: 5300)), now: .at(0)).map(\.text) == [
                "URL          http://other.example:8081/second",
                "status       200 OK  HTTP/1.1",
                "connection   2, reused",
                "server       127.0.0.1:8081",
                "from         127.0.0.1:50001",
                "sent         120 B head, 0 B body",
                "received     250 B head, 1.0 kB body",
                "decoded      5.3 kB, 5.3 times as much",
                "rate         2.5 MB/s",
                "body         5.3 kB in memory",
                "attempts     2, 1 redirect",
                "total        8.5 ms",
                "queued       300 µs",
                "started      2026-11-20 22:14:07 UTC",
            ])
    }

    @Test func `an error has its sentence, its phase and type, and the one before it`() {
        let refused = NetworkError(
            .cannotConnect, phase: .connection, type: "tcp.refused", message: "nobody listens on 127.0.0.1:9", systemErrno: 111)
        let error = NetworkError(
            .operationTimedOut, phase: .connection, type: "timeout.operation", message: "no answer within 1 s", underlying: refused)
        #expect(
            ErrorText.lines(error).map(\.text) == [
                "no answer within 1 s", "while connecting, timeout.operation", "after: nobody listens on 127.0.0.1:9",
            ])
        #expect(ErrorText.lines(refused)[1].text == "while connecting, tcp.refused, errno 111")
    }
}
