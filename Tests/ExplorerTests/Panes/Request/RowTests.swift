import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import OrderedCollections
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `Checks in the request's pane` {
    /// On the tab `checks` of `login`.
    private func explorer() -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.focusRequest, .nextTab, .nextTab, .nextTab, .nextTab)
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

    /// In the body of an answer to `orders/create`, on its first value.
    private func answered(_ body: String = #"{"id":"5","total":58.4,"items":[]}"#, report: RunReport? = nil) -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.send)
        explorer.run(.success(), body: Data(body.utf8))
        if let report { explorer.send(.runReported(OperationID(rawValue: 1), report)) }
        explorer.press(.focusResponse, .down)
        return explorer
    }

    @Test func `the equals sign expects the value under the cursor to exist, then to be as it is, then to be of its type`() {
        var explorer = answered()
        let matchers = (0..<4).map { _ in
            explorer.press("=")
            return expected(explorer)
        }
        #expect(matchers == [[".id exists"], [".id \"5\""], [".id is string"], [".id exists"]])
        explorer.press(.down, .expectThis, .expectThis)
        explorer.press(.down, .expectThis, .expectThis, .expectThis)
        #expect(expected(explorer) == [".id exists", ".total 58.4", ".items length > 0"])
        #expect(explorer.state.overlay == nil)
        explorer.press(.undo)
        #expect(expected(explorer).last == ".items is array")
        explorer.press(.nextTab, .expectThis)
        explorer.press("Enter")
        #expect(expected(explorer).contains("status 200"))
    }

    @Test func `the equals sign leaves alone what somebody wrote`() {
        var explorer = answered()
        _ = explorer.state.add(.init(name: ".id", value: "length > 3"), to: .expectations, saying: "")
        explorer.press("=")
        #expect(expected(explorer) == [".id length > 3"])
        #expect(explorer.state.notice?.text == "it is expected already: .id length > 3")
    }

    @Test func `the dollar keeps the value under the cursor in a variable that is free, once`() {
        var explorer = answered(#"{"id":"5","of":{"id":7}}"#)
        explorer.press("$ j j $ $")
        #expect(explorer.request?.captureRows.map { "\($0.name) \($0.value)" } == ["id .id", "id2 .of.id"])
        #expect(explorer.state.notice?.text == "it is captured already, as {{id2}}")
        explorer.press(.nextTab)
        explorer.press("$")
        #expect(explorer.state.notice?.text == "what is under the cursor is no value: a JSON body has some, laid out (o)")
    }

    @Test func `the equals sign offers no secret, no template, and of null only that it is null`() {
        var explorer = answered(##"{"token":"t0p","user":{"Api-Key":[7]},"name":"{{x}}","gone":null}"##)
        func offered() -> [String] {
            let matchers = (0..<4).map { _ in
                explorer.press("=")
                #expect(explorer.state.notice?.text.contains("t0p") == false)
                return expected(explorer).last ?? ""
            }
            return Array(OrderedSet(matchers))
        }
        #expect(offered() == [".token exists", ".token is string"])
        explorer.press("j j j")
        #expect(offered() == [".user[\"Api-Key\"][0] exists", ".user[\"Api-Key\"][0] is number"])
        explorer.press("j j j")
        #expect(offered() == [".name exists", ".name is string"])
        explorer.press("j")
        // As the format says that a value is null or not there.
        #expect(offered() == [".gone missing"])
    }

    @Test func `the dollar wants a value in the body, and says when none is known yet`() {
        var explorer = answered()
        explorer.press("k $")
        #expect(explorer.state.notice?.text == "that is the whole body: move to a value in it")
        #expect(explorer.request?.captureRows == [])
        for key in ["=", "$"] {
            explorer = answered(#"{"id":"5","#)
            explorer.press(key)
            #expect(explorer.state.notice?.text == "the body is still being indexed, or isn't valid JSON")
        }
    }

    private func signs(_ explorer: ExplorerDriver) -> [String] { explorer.state.checkedPaths.map { "\($0.sign.text) \($0.path)" } }

    private func result(_ program: String, isMet: Bool = true) -> ExpectationResult {
        let place = SourceLocation(path: "shop.yaml", line: 3, column: 5)
        return ExpectationResult(subject: .filter(program), expected: "exists", found: "2", isMet: isMet, location: place)
    }

    @Test func `a check that was changed has the sign of what the next run looks at`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        for path in [".id", ".total"] { _ = explorer.state.add(.init(name: path, value: "exists"), to: .expectations, saying: "") }
        explorer.run(.success(), body: Data(#"{"id":"5","total":58.4}"#.utf8))
        #expect(signs(explorer) == ["= .id", "= .total"])
        let report = RunReport(expectations: [result(".id"), result(".total", isMet: false)])
        explorer.send(.runReported(OperationID(rawValue: 1), report))
        #expect(signs(explorer) == ["✗ .total", "✓ .id"])
        explorer.press(.focusResponse, .down, .expectThis)
        #expect(signs(explorer) == ["✗ .total", "= .id"])
        explorer.press(.down, .expectThis)
        #expect(signs(explorer) == ["= .id", "= .total"])
        explorer.press(.undo, .undo)
        #expect(signs(explorer) == ["✗ .total", "✓ .id"])
    }

    private static let programs: [(String, String?)] = [
        (".items | length", ".items"), (#".["a\"b"].c"#, #".["a\"b"].c"#), (".items[1]|.id", ".items[1]"), (".items[-1].id", nil),
        (".items[].id", nil), (".items // []", nil),
    ]

    @Test(arguments: programs)
    func `a sign stands at the value that a program begins with, and nowhere without one`(program: String, path: String?) {
        let explorer = answered(report: RunReport(expectations: [result(program)]))
        #expect(signs(explorer) == (path.map { ["✓ \($0)"] } ?? []))
    }

    @Test func `signs stand before the lines that checks look at, and before what is folded around them`() {
        let results = [result(".total"), result(".items[1].sku", isMet: false), result(".items | length")]
        let body = #"{"id":"5","total":58.4,"items":[{"sku":"a"},{"sku":"b"}]}"#
        var explorer = answered(body, report: RunReport(expectations: results))
        explorer.press("$ j")
        func signs() -> [String] {
            let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
            guard let area = explorer.state.layout.content(of: .response) else { return [] }
            var signs: [String] = []
            for row in area.row..<area.endRow {
                var text = ""
                for column in area.column..<area.column + 24 { text.append(frame[column, row].character) }
                while text.last == " " { text.removeLast() }
                if !text.isEmpty { signs.append(text) }
            }
            // The first row says which check failed.
            return Array(signs.dropFirst())
        }
        #expect(
            signs() == [
                "  {", "$   \"id\": \"5\",", "✓   \"total\": 58.4,", "✓   \"items\": [", "      {", "        \"sku\": \"a\"",
                "      },",
                "      {", "✗       \"sku\": \"b\"", "      }", "    ]", "  }",
            ])
        explorer.press("j Enter")
        #expect(
            signs() == ["  {", "$   \"id\": \"5\",", "✓   \"total\": 58.4,", "✗   \"items\": [ 2 items ]", "  }"])
    }
}

@Suite struct `When and how often, in the request's pane` {
    /// On the row of a key, in the tab `checks` of `login`.
    private func explorer(on key: RequestKey) -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.focusRequest, .nextTab, .nextTab, .nextTab, .nextTab)
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
