import TerminalUI
import Testing

@Suite struct GaugeTests {
    @Test func `a gauge fills its share, and shows how far it is to the end`() {
        var canvas = Canvas(size: Size(columns: 8, rows: 1), theme: Theme(name: "test"))
        Gauge(fraction: 0.5).draw(on: &canvas, in: canvas.bounds)
        #expect(canvas.frame.text == "████░░░░")
    }

    @Test func `what runs out says so, and nonsense is empty`() {
        #expect(Gauge(remaining: 0.1).role == .gaugeLow)
        #expect(Gauge(remaining: 0.5).role == .gauge)
        #expect(Gauge(fraction: .nan).fraction == 0)
        #expect(Gauge(fraction: 7).fraction == 1)
    }

    @Test func `the spinner turns either way`() {
        #expect(Spinner.character(step: 10) == Spinner.character(step: 0))
        #expect(Spinner.character(step: -1) == Spinner.frames.last)
    }
}
