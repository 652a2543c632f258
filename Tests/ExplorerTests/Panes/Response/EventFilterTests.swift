import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `The filter of the events` {
    private func lines(_ explorer: ExplorerDriver) -> [String] {
        let content = explorer.state.responseContent(columns: 100)
        return content.lines(0..<content.lineCount).map(\.text)
    }

    private func explorer() -> ExplorerDriver {
        var explorer = ExplorerDriver.having(.retries())
        explorer.press(.focusResponse, .previousTab)
        while explorer.state.panes.response.tab != .events { explorer.press(.previousTab) }
        return explorer
    }

    @Test func `is typed with f, shows what has its words, and leaves the body alone`() {
        var explorer = explorer()
        let all = lines(explorer)
        explorer.press(.filter)
        explorer.type("retry")
        let found = all.filter { $0.lowercased().contains("retry") }
        #expect(lines(explorer) == found && found.count > 1 && found.count < all.count)
        explorer.press("Enter")
        #expect(explorer.state.panes.response.filter == "")
        explorer.press(.back)
        #expect(lines(explorer) == all)
    }

    @Test func `sees what comes later`() {
        var explorer = ExplorerDriver.having(.downloading(at: 700))
        explorer.press(.focusResponse)
        while explorer.state.panes.response.tab != .events { explorer.press(.previousTab) }
        explorer.press(.filter)
        explorer.type("state")
        let before = lines(explorer).count
        explorer.event(OperationID(rawValue: 1), .transition(from: .running, to: .cancelled), at: 800)
        explorer.tick(900)
        #expect(lines(explorer).count == before + 1)
    }

    @Test func `says when nothing has it`() {
        var explorer = explorer()
        explorer.press(.filter)
        explorer.type("zebra")
        guard case .nothing(let lines) = explorer.state.responseContent(columns: 80) else {
            Issue.record("something has it")
            return
        }
        #expect(lines == ["No event has “zebra”.", "f changes the filter, Esc shows all events."])
    }
}
