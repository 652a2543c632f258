import RequestCollections
import Testing

@testable import Explorer

@Suite struct `Rows of headers` {
    private func explorer() -> ExplorerDriver {
        var explorer = ExplorerDriver([ShopCollection.changed("login") { $0.headers = [.init(name: "accept", value: "*/*")] }])
        explorer.pick("login")
        explorer.press(.focusRequest, .nextTab)
        _ = explorer.takeEffects()
        return explorer
    }

    private func rows(_ explorer: ExplorerDriver) -> [String] {
        explorer.request?.headers.map { "\($0.name): \($0.value)" } ?? []
    }

    @Test(arguments: ["bad name", "ü", "x\u{7F}", ":path"])
    func `take no name that can't be sent, and what was typed stays`(name: String) {
        var explorer = explorer()
        explorer.press(.addRow)
        explorer.type(name)
        explorer.press("Enter")
        #expect(explorer.state.notice?.text.contains("can't be the name of a header") == true)
        #expect(explorer.state.panes.request.editing != nil)
        explorer.press("Esc")
        #expect(rows(explorer) == ["accept: */*"])
    }

    @Test func `take a template for a name`() {
        var explorer = explorer()
        explorer.press(.addRow)
        explorer.type("{{the name}}")
        explorer.press("Enter")
        #expect(rows(explorer).contains("{{the name}}: "))
    }

    @Test func `that are refused stay with their request when another one is clicked`() {
        var explorer = explorer()
        explorer.press(.addRow)
        explorer.type("bad name")
        let shown = explorer.state.selectedRequest
        for (column, row) in [(4, 2), (4, 3), (40, 20), (60, 8)] {
            explorer.click(column, row)
            #expect(explorer.state.selectedRequest == shown)
            #expect(explorer.state.panes.request.editing != nil)
            #expect(explorer.state.notice?.text.contains("can't be the name of a header") == true)
        }
        explorer.press("Esc")
        #expect(rows(explorer) == ["accept: */*"])
    }

    @Test func `take a line apart behind its templates`() {
        var explorer = explorer()
        explorer.press(.addRow)
        explorer.type("X-{{default(a, ':')}}: v")
        explorer.press("Enter")
        #expect(rows(explorer).contains("X-{{default(a, ':')}}: v"))
        explorer.press(.addRow)
        explorer.type("bad {{name}}")
        explorer.press("Enter")
        #expect(explorer.state.notice?.text.contains("can't be the name of a header") == true)
    }

    @Test func `take a whole line apart`() {
        var explorer = explorer()
        explorer.press(.addRow)
        explorer.type("X-Bird:  a {{kind}}: turnstone ")
        explorer.press("Enter")
        #expect(rows(explorer).contains("X-Bird: a {{kind}}: turnstone"))
        #expect(explorer.state.panes.request.editing == nil)
    }

    @Test func `stay while Tab is pressed before there is a name`() {
        var explorer = explorer()
        explorer.press(.addRow)
        explorer.press("Tab")
        #expect(explorer.state.notice?.text == "a row begins with its name; Esc takes the row away")
        explorer.type("x-a")
        explorer.press("Tab")
        explorer.type("1")
        explorer.press("Enter")
        #expect(rows(explorer).contains("x-a: 1"))
    }

    @Test func `and a URL takes no control character`() {
        var explorer = explorer()
        explorer.press(.previousTab, .activate)
        let url = explorer.request?.url
        explorer.paste("/a\u{7F}b")
        explorer.press("Enter")
        #expect(explorer.state.notice?.text == "the URL contains a line break or another control character")
        #expect(explorer.request?.url == url)
    }
}
