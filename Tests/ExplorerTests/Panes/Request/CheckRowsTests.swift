import FoundationEssentials
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `Checks in the request's pane` {
    /// On the tab `checks` of `login`.
    private func explorer() -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.focusRequest, .nextTab, .nextTab, .nextTab, .nextTab, .nextTab)
        _ = explorer.takeEffects()
        return explorer
    }

    private func expected(_ explorer: ExplorerDriver) -> [String] {
        explorer.request?.expectationRows.map { "\($0.name) \($0.value)" } ?? []
    }

    @Test func `an expectation is typed as a name and what it must be`() {
        var explorer = explorer()
        #expect(explorer.state.panes.request.tab == .checks)
        explorer.press(.down, .addRow)
        explorer.type("status")
        explorer.press("Enter")
        explorer.type("[200, 204]")
        explorer.press("Enter")
        #expect(expected(explorer) == ["status [200, 204]"])
        #expect(explorer.state.drafts.isUnsaved(ShopCollection.reference("login")))
        explorer.press(.undo, .undo)
        explorer.press(.undo)
        #expect(expected(explorer) == [])
    }

    @Test func `a text that can't be one stays open, and the notice says why`() {
        var explorer = explorer()
        explorer.press(.down, .addRow)
        explorer.type("stats")
        explorer.press("Enter")
        #expect(explorer.state.notice?.text.contains("nothing of a response is called `stats`") == true)
        #expect(explorer.state.panes.request.editing != nil)
        explorer.press("Esc")
        #expect(expected(explorer) == [])
    }

    @Test func `captures and needs are rows as well`() {
        var explorer = explorer()
        explorer.press(.down, .down, .addRow)
        explorer.type("token")
        explorer.press("Enter")
        explorer.type(".token")
        explorer.press("Enter")
        explorer.press(.top, .addRow)
        explorer.type("orders/list")
        explorer.press("Enter Enter")
        #expect(explorer.request?.captureRows.map { "\($0.name) \($0.value)" } == ["token .token"])
        #expect(explorer.request?.needs.map(\.name) == ["orders/list"])
    }

    @Test func `the value under the cursor becomes an expectation or a capture`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.send)
        explorer.run(.success(), body: Data(#"{"id":"5","total":58.4,"items":[]}"#.utf8))
        explorer.press(.focusResponse)
        explorer.press(.down, .expectThis)
        explorer.press("Enter")
        #expect(expected(explorer) == [".id \"5\""])
        explorer.press(.down, .expectThis)
        explorer.press("Enter")
        explorer.press(.down, .expectThis)
        explorer.press("Down Enter")
        #expect(expected(explorer) == [".id \"5\"", ".total 58.4", ".items length > 0"])
        explorer.press(.up, .expectThis)
        explorer.press("End Enter")
        #expect(explorer.request?.captureRows.map { "\($0.name) \($0.value)" } == ["total .total"])
        explorer.press(.up, .up, .nextTab, .expectThis)
        explorer.press("Enter")
        #expect(expected(explorer).contains("status 200"))
    }
}

@Suite struct `When and how often, in the request's pane` {
    /// On the row of a key, in the tab `checks` of `login`.
    private func explorer(on key: RequestKey) -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.focusRequest, .nextTab, .nextTab, .nextTab, .nextTab, .nextTab)
        explorer.press(.top)
        for _ in 0..<40 where explorer.state.selectedRequestRow != .field(.typed(key)) { explorer.press(.down) }
        return explorer
    }

    @Test(arguments: [(RequestKey.repeat, "3"), (.when, "{ plan: pro }"), (.tags, "[smoke]")])
    func `each key is a line that e edits, d takes away and u brings back`(key: RequestKey, text: String) {
        var explorer = explorer(on: key)
        explorer.press(.edit)
        explorer.type(text)
        explorer.press("Enter")
        #expect(explorer.request?.typed(key) == text)
        #expect(explorer.state.drafts.isUnsaved(ShopCollection.reference("login")))
        explorer.press(.deleteRow)
        #expect(explorer.request?.typed(key) == "")
        explorer.press(.undo)
        #expect(explorer.request?.typed(key) == text)
    }

    @Test func `the heading above the selected row is seen`() {
        var explorer = explorer(on: .tags)
        explorer.press(.top)
        #expect(explorer.state.panes.request.list.top == 0)
    }

    @Test func `a line that says nothing stays open, and the notice says why`() {
        var explorer = explorer(on: .forEach)
        explorer.press(.edit)
        explorer.type("{ a: [1], b: [2] }")
        explorer.press("Enter")
        #expect(explorer.state.notice?.text.contains("takes one variable") == true)
        #expect(explorer.state.panes.request.editing != nil)
    }
}
