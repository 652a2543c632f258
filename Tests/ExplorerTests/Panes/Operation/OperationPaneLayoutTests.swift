import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `The rows of the operation pane` {
    private func rows(_ script: EventScript, _ count: Int, columns: Int = 58) -> [OperationPaneLayout.Row] {
        let explorer = ExplorerDriver.having(script)
        return OperationPaneLayout(
            explorer.state.shownOperation!, in: Size(columns: columns, rows: count), selected: explorer.state.panes.operation
        ).rows
    }

    @Test func `are one with the essence when there is no room for more`() {
        #expect(rows(.downloading(at: 500), 1) == [.summary])
        #expect(rows(.downloading(at: 500), 0) == [])
    }

    @Test func `grow with the room`() {
        let running = EventScript.downloading(at: 500)
        #expect(rows(running, 2) == [.lifeline(0), .activity(.download)])
        #expect(rows(running, 3) == [.lifeline(0), .attempt(0), .activity(.download)])
        #expect(rows(running, 4) == [.lifeline(0), .attempt(0), .activity(.download), .gauges])
        #expect(rows(running, 5) == [.lifeline(0), .attemptHeader, .attempt(0), .activity(.download), .gauges])
        #expect(
            rows(running, 12) == [
                .lifeline(0), .blank, .attemptHeader, .attempt(0), .blank, .activity(.download), .blank, .gauge(.idle),
                .gauge(.attempt), .gauge(.operation),
            ])
    }

    @Test func `give all four hops of a redirect a row before anything else`() {
        #expect(rows(.redirects(), 5) == [.lifeline(0), .attempt(0), .attempt(1), .attempt(2), .attempt(3)])
        #expect(rows(.redirects(), 4) == [.lifeline(0), .attempt(1), .attempt(2), .attempt(3)])
    }

    @Test func `keep the selected attempt in sight`() {
        var explorer = ExplorerDriver.having(.redirects())
        explorer.press(.focusOperation)
        explorer.press(.top)
        let layout = OperationPaneLayout(
            explorer.state.shownOperation!, in: Size(columns: 58, rows: 3), selected: explorer.state.panes.operation)
        #expect(layout.rows == [.lifeline(0), .attempt(0), .attempt(1)])
    }

    @Test func `in the rail the verdict is first, and the last two attempts are there`() {
        func rail(_ script: EventScript, _ count: Int) -> [OperationPaneLayout.Row] {
            let explorer = ExplorerDriver.having(script)
            return OperationPaneLayout(
                rail: explorer.state.shownOperation!, in: Size(columns: 86, rows: count), selected: explorer.state.panes.operation
            ).rows
        }
        #expect(rail(.redirects(), 1) == [.verdict])
        #expect(rail(.redirects(), 2) == [.verdict, .lifeline(0)])
        #expect(rail(.redirects(), 5) == [.verdict, .lifeline(0), .attemptHeader, .attempt(2), .attempt(3)])
        #expect(rail(.idleTimeout(), 5) == [.verdict, .lifeline(0), .attemptHeader, .attempt(0), .failure(0)])
        #expect(rail(.redirects(), 12).prefix(2) == [.verdict, .lifeline(0)])
        #expect(!rail(.success(), 12).contains(.outcome))
    }

    @Test func `say what went wrong, and which timeout it was`() {
        #expect(rows(.idleTimeout(), 4) == [.lifeline(0), .attempt(0), .failure(0), .gauges])
        #expect(
            rows(.idleTimeout(), 8) == [
                .lifeline(0), .blank, .attemptHeader, .attempt(0), .failure(0), .failure(1), .failure(2), .gauge(.idle),
            ])
    }
}
