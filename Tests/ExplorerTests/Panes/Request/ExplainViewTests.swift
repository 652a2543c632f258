import Testing

@testable import Explorer

@Suite struct ExplainViewTests {
    @Test func `every value has its place, beside it or below`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("orders/create")
        explorer.press(.focusRequest, .nextTab, .addRow)
        explorer.type("X-Tenant")
        explorer.press("Tab")
        explorer.type("8")
        explorer.press("Enter")
        explorer.press(.nextTab, .nextTab, .nextTab, .nextTab, .nextTab)
        expectScreen(explorer.state, "80x24-explain")
        expectPane(.request, of: explorer, 100, 30, "request-explain")
        expectPane(.request, of: explorer, 34, 10, "request-explain")
    }
}
