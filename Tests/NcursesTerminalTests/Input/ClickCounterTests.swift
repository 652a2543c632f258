import TerminalUI
import Testing

@testable import NcursesTerminal

@Suite struct ClickCounterTests {
    private let start = ContinuousClock.now
    private let here = Point(column: 3, row: 4)

    private func actions(_ clicks: [(Point, Int)]) -> [MouseEvent.Action] {
        var counter = ClickCounter()
        return clicks.map { point, milliseconds in
            counter.counted(MouseEvent(.press, at: point), at: start + .milliseconds(milliseconds)).action
        }
    }

    @Test func `two soon after each other on one cell are a double click`() {
        #expect(actions([(here, 0), (here, 200)]) == [.press, .doubleClick])
        #expect(actions([(here, 0), (here, 200), (here, 300)]) == [.press, .doubleClick, .press])
    }

    @Test func `too late, or elsewhere, is a click`() {
        #expect(actions([(here, 0), (here, 500)]) == [.press, .press])
        #expect(actions([(here, 0), (Point(column: 4, row: 4), 100)]) == [.press, .press])
    }
}
