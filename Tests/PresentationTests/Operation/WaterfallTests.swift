import HTTPTypes
import NetworkLayer
import TerminalUI
import Testing

@testable import Presentation

@Suite struct WaterfallTests {
    @Test func `all attempts and phases share one axis of time`() {
        #expect(
            Waterfall(MetricsScript.redirected.metrics, now: .at(0)).lines(width: 62).map(\.text) == [
                "            0               4.05 ms           8.1 ms          ",
                "1 POST http://localhost:8080/first               303      4 ms",
                "  dns       ██▌                                         500 µs",
                "  tcp         ▐██                                       500 µs",
                "  send           ▏                                       10 µs",
                "  wait           ██████████████▎                       2.89 ms",
                "  recv                         ▌                        100 µs",
                "2 GET http://other.example:8081/second           200      4 ms",
                "  connection 2 reused                                         ",
                "  send                          ▌                       100 µs",
                "  wait                          ▐█████████████████      3.5 ms",
                "    db                          ▐███████▏               1.5 ms",
                "    cache a hit                                               ",
                "  recv                                            ██    400 µs",
            ])
    }

    @Test func `ASCII has bars of the same width`() {
        let lines = Waterfall(MetricsScript.redirected.metrics, now: .at(0)).lines(width: 62, ascii: true).map(\.text)
        #expect(lines[2] == "  dns       ##                                          500 µs")
        #expect(lines[4] == "  send           #                                       10 µs")
        #expect(lines.allSatisfy { $0.count == 62 })
    }

    @Test func `the phase under way is open and ends now`() {
        let waterfall = Waterfall(MetricsScript.running.metrics, now: .at(1300))
        #expect(
            waterfall.lines(width: 42).map(\.text) == [
                "            0               1 ms          ",
                "1 GET http://localhost:8080/sl…       1 ms",
                "  queue     ██                      100 µs",
                "  tcp         ██                    100 µs",
                "  send          ██                  100 µs",
                "  wait            ██████████████    700 µs",
            ])
        #expect(waterfall.rows.map(\.isOpen) == [true, true, false, false, false, true])
        #expect(waterfall.rows[5].duration == .microseconds(700))
        #expect(waterfall.lines(width: 42)[5].spans.last == StyledLine.Span("    700 µs", .stateRunning))
    }

    @Test func `an error stands below the phases of its attempt`() {
        var script = MetricsScript.running
        script.end(1300) { attempt in
            attempt.error = NetworkError(.connectionLost, phase: .response, type: "tcp.reset", message: "connection reset\nby peer")
        }
        let last = Waterfall(script.metrics, now: .at(0)).rows.last
        #expect(last?.label == StyledLine("connection reset␊by peer", .error))
    }

    @Test func `what an operation waits between two attempts has a bar of its own`() {
        #expect(
            Waterfall(MetricsScript.retried(until: 10_100).metrics, now: .at(0)).lines(width: 42).map(\.text) == [
                "            0              10 ms          ",
                "1 GET http://localhost:8080… 503      1 ms",
                "  wait      ██                        1 ms",
                "  retry       ██████████████          7 ms",
                "  backing …                 ██        1 ms",
                "2 GET http://localhost:8080… 200      1 ms",
                "  wait                        ██      1 ms",
            ])
    }

    @Test func `the bar of a wait is open while it lasts`() {
        let waterfall = Waterfall(MetricsScript.retried(until: 1_100).metrics, now: .at(3_100))
        #expect(
            waterfall.lines(width: 42).map(\.text) == [
                "            0               3 ms          ",
                "1 GET http://localhost:8080… 503      1 ms",
                "  wait      ██████▋                   1 ms",
                "  retry           ▐█████████████      2 ms",
            ])
        #expect(waterfall.rows.map(\.isOpen) == [false, false, false, true])
    }

    @Test func `nothing has no rows`() {
        #expect(Waterfall(OperationMetrics(), now: .at(0)).rows == [])
    }

    @Test(arguments: [
        (0.0, 1.0, 4, "|████|"), (0.0, 0.5, 4, "|██|  "), (0.0, 0.0, 4, "|▏|   "), (1.0, 1.0, 4, "   |▏|"),
        (0.25, 0.5, 4, " |█|  "), (0.125, 0.5, 4, "|▐█|  "), (0.0, 0.03125, 4, "|▏|   "), (0.0, 0.28125, 4, "|█▏|  "),
        (0.5, 2.0, 4, "  |██|"), (0.0, 1.0, 0, "||"),
    ])
    func `bars are drawn to an eighth of a column`(start: Double, end: Double, width: Int, text: String) {
        let bar = Bar.text(from: start, to: end, width: width)
        #expect("\(bar.before)|\(bar.bar)|\(bar.after)" == text)
    }

    @Test func `an open bar goes on`() {
        let bar = Bar.text(from: 0, to: 0.5, width: 4, isOpen: true)
        #expect("\(bar.before)|\(bar.bar)|\(bar.after)" == "|██╌| ")
        #expect(Bar.text(from: 0, to: 0.5, width: 4, isOpen: true, ascii: true).bar == "##-")
    }

    @Test(arguments: [
        ("db;dur=53.2", [ServerTiming(name: "db", duration: .microseconds(53_200))]),
        (
            "miss, db;dur=1;desc=\"a, \\\"b\\\"; c\"",
            [
                ServerTiming(name: "miss"), ServerTiming(name: "db", duration: .milliseconds(1), details: "a, \"b\"; c"),
            ]
        ),
        (
            "db;dur=x, a;dur=-1, b;dur=inf, c;dur=nan",
            [
                ServerTiming(name: "db"), ServerTiming(name: "a"), ServerTiming(name: "b"), ServerTiming(name: "c"),
            ]
        ),
        (" ,;, x ; DUR = 2 ; what", [ServerTiming(name: "x", duration: .milliseconds(2))]),
        ("e\u{1B};desc=\u{1B}", [ServerTiming(name: "e␛", details: "␛")]),
    ])
    func `Server-Timing is read leniently`(value: String, metrics: [ServerTiming]) {
        #expect(ServerTiming.parse(value) == metrics)
    }
}
