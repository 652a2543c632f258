import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct ChecksTests {
    private static let report = RunReport(
        expectations: [
            ExpectationResult(
                subject: .status, expected: "200", found: "200", isMet: true, location: ShopCollection.place(5, "login.yaml")),
            ExpectationResult(
                subject: .filter(".total"), expected: "> 0", found: "0", isMet: false,
                location: ShopCollection.place(6, "login.yaml")),
        ], captured: [.init(name: "token", text: Redactor.mask)])

    @Test func `the tab is there when a run checked something, with what was found and where it stands`() {
        var explorer = ExplorerDriver()
        let operation = explorer.enqueue(1, "login")
        #expect(!explorer.state.responseTabs.titles.contains("checks"))
        explorer.send(.runReported(operation, Self.report))
        #expect(explorer.state.responseTabs.titles.last == "checks")
        explorer.press(.focusResponse, .previousTab)
        #expect(explorer.state.panes.response.tab == .checks)
        let content = explorer.state.responseContent(columns: 80)
        #expect(
            content.lines(0..<content.lineCount).map(\.text) == [
                "✓ status 200  /shop/login.yaml:5:1", "✗ body .total > 0, found 0  /shop/login.yaml:6:1", "",
                "→ token = \(Redactor.mask)",
            ])
        explorer.press(.nextTab)
        #expect(explorer.state.panes.response.tab == .body)
    }

    @Test func `a request that another one needs takes nothing of the screen`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/list")
        let before = explorer.state.operations.selected
        var sent = SentRequest(ShopCollection.request("login", "POST", "http://shop/login"), in: ShopCollection.path)
        sent.isNeeded = true
        explorer.send(.operationEnqueued(OperationID(rawValue: 7), sent))
        #expect(explorer.state.operations.selected == before)
        #expect(explorer.state.selectedRequest == ShopCollection.reference("orders/list"))
        #expect(explorer.state.operations.queued == [OperationID(rawValue: 7)])
    }
}
