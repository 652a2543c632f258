import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// Tab in a line that is edited.
@Suite struct `What Tab completes` {
    private func explorer() -> ExplorerDriver {
        var collection = ShopCollection.changed("login") { request in
            request.headers = [.init(name: "accept", value: ""), .init(name: "x-a", value: "1")]
        }
        collection.variables.append(
            VariableDefinition(name: "warehouse", value: .text("north"), location: SourceLocation(path: "", line: 1, column: 1)))
        collection.variables.append(
            VariableDefinition(name: "wares", value: .text("7"), location: SourceLocation(path: "", line: 1, column: 1)))
        var explorer = ExplorerDriver([collection])
        explorer.pick("login")
        explorer.press(.focusRequest, .nextTab)
        return explorer
    }

    private func line(_ explorer: ExplorerDriver) -> String? {
        if case .line(_, let line) = explorer.state.panes.request.editing { line.text } else { nil }
    }

    @Test(arguments: [
        ("auth", "authorization"), ("If-N", "if-none-match"), ("content-t", "content-type"), ("co", "co"), ("if-m", "if-m"),
        ("con", "content-"),
    ])
    func `the names of headers, as far as they go on alike`(typed: String, expected: String) {
        var explorer = explorer()
        explorer.press(.addRow)
        explorer.type(typed)
        explorer.press("Tab")
        #expect(line(explorer) == expected)
        // Of several all are named.
        #expect((explorer.state.notice != nil) == !["authorization", "if-none-match", "content-type"].contains(expected))
    }

    @Test func `what is whole, or nobody knows, goes on to the next field`() {
        for name in ["accept", "x-mine"] {
            var explorer = explorer()
            explorer.press(.addRow)
            explorer.type(name)
            explorer.press("Tab")
            #expect(line(explorer) == "")
            #expect(explorer.request?.headers.contains { $0.name == name } == true)
        }
    }

    @Test func `a type in the value of accept`() {
        var explorer = explorer()
        explorer.press(.edit)
        explorer.type("application/j")
        explorer.press("Tab")
        #expect(line(explorer) == "application/json")
    }

    @Test(arguments: [
        ("{{wareh", "{{warehouse}}"), ("a {{ wareh", "a {{ warehouse}}"), ("{{ware", "{{ware"), ("{{uu", "{{uuid()}}"),
        ("{{base", "{{base64("), ("{{x}} {{wareh", "{{x}} {{warehouse}}"),
    ])
    func `variables and functions in a template`(typed: String, expected: String) {
        var explorer = explorer()
        explorer.press(.down, .edit)
        explorer.press("Backspace")
        explorer.type(typed)
        explorer.press("Tab")
        #expect(line(explorer) == expected)
    }
}
