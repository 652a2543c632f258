import Foundation
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// One thing has the keyboard, also when the mouse has gone elsewhere meanwhile.
@Suite struct KeyboardLayerTests {
    private static func answered() -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.run(.success(), body: Data("{\"status\": \"ok\"}".utf8))
        return explorer
    }

    private func clickedTwice(after begin: (inout ExplorerDriver) -> Void) -> ExplorerDriver {
        var explorer = Self.answered()
        begin(&explorer)
        #expect(explorer.state.isTyping)
        let line = explorer.state.layout.requestLine!
        for _ in 0..<2 { explorer.click(line.column + 4, line.row) }
        return explorer
    }

    @Test func `a search ends as a click begins to edit the URL, and keeps what it has found`() {
        var explorer = clickedTwice {
            $0.press(.focusResponse, .search)
            $0.type("status")
        }
        #expect(explorer.state.searchLine == nil)
        #expect(explorer.state.searchText(in: .response) == "status")
        explorer.press("End")
        explorer.type("/x")
        explorer.press("Enter")
        #expect(explorer.request?.url == "{{host}}/orders/x")
        #expect(explorer.state.hints.map(\.word).contains("send"))
    }

    @Test func `a filter and the name of a file end as well`() {
        for command in [Command.ID.filter, .saveBody] {
            var explorer = clickedTwice { $0.press(.focusResponse, command) }
            #expect(explorer.state.panes.response.filterLine == nil && explorer.state.panes.response.savePrompt == nil)
            explorer.press("End")
            explorer.type("/x")
            explorer.press("Enter")
            #expect(explorer.request?.url == "{{host}}/orders/x", "\(command)")
        }
    }

    @Test func `a click in the pane of the filter leaves its line open`() {
        var explorer = Self.answered()
        explorer.press(.focusResponse, .filter)
        let rect = explorer.state.layout.panes[.response]!
        explorer.click(rect.column + 3, rect.row + 3)
        #expect(explorer.state.panes.response.filterLine != nil)
    }
}
