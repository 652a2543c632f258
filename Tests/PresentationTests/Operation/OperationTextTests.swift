import FoundationEssentials
import NetworkLayer
import TerminalUI
import Testing

@testable import Presentation

@Suite struct OperationTextTests {
    // MARK: Phases to scale

    private func strip(_ metrics: OperationMetrics, at now: Int64, width: Int = 60) -> String {
        PhaseStrip.line(metrics, now: .at(now), width: width).text
    }

    @Test func `phases stand on one axis of time, and what isn't over goes on`() {
        #expect(
            strip(MetricsScript.redirected.metrics, at: 99_000) == "┃┃┃dns┃━━┃wait 2.89 ms ━━━━━━━┃┃┃wait 3.5 ms ━━━━━━━━━━━━┃━━")
        #expect(strip(MetricsScript.running.metrics, at: 2300) == "┃━━┃━   ┃━┃━━┃━━┃wait 1.7 ms ╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌")
        var script = MetricsScript()
        script.enqueue()
        #expect(strip(script.metrics, at: 5000, width: 20) == "┃queue 5 ms ╌╌╌╌╌╌╌╌")
    }

    @Test func `whatever the width, the phases fill it`() {
        for width in 1...80 {
            #expect(strip(MetricsScript.redirected.metrics, at: 0, width: width).count == width)
        }
        #expect(PhaseStrip.line(OperationMetrics(), now: .at(0), width: 40) == StyledLine())
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

    @Test func `a redirect says where it leads and what changed`() {
        let attempt = MetricsScript.redirected.metrics.attempts[0]
        #expect(
            attempt.redirect.map { RedirectChain.notes($0, attempt).map(\.text) } == [
                "→ http://other.example:8081/second", "method POST → GET", "dropped Authorization, Content-Type",
            ])
    }

    @Test func `a redirect that wasn't followed says why`() {
        func notes(_ hop: RedirectHop, _ error: NetworkError? = nil) -> [String] {
            var script = MetricsScript.running
            script.end(1000) {
                $0.redirect = hop
                $0.error = error
            }
            return RedirectChain.notes(hop, script.metrics.attempts[0]).map(\.text)
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
            InfoPanel.lines(InfoPanel.rows(MetricsScript.redirected.metrics.attempts[1])).map(\.text) == [
                "URL          http://other.example:8081/second",
                "connection   2, reused",
                "server       127.0.0.1:8081",
                "from         127.0.0.1:50001",
                "sent         120 B head, 0 B body",
                "received     250 B head, 1.0 kB body",
                "decoded      5.3 kB, 5.3 times as much",
                "rate         2.5 MB/s",
            ])
        let whole = InfoPanel.rows(MetricsScript.redirected.metrics, body: .data(Data(count: 5300)), now: .at(0))
        #expect(
            InfoPanel.lines(whole).map(\.text) == [
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
