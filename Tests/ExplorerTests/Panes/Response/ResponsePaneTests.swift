import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `The response pane` {
    private static let id = OperationID(rawValue: 1)

    private func explorer(_ body: String = "{\"a\":[1,2,3]}") -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.run(.success(), body: Data(body.utf8))
        explorer.press(.focusResponse)
        _ = explorer.takeEffects()
        return explorer
    }

    @Test func `asks for the lines of a body once it is there, and not for one that is empty`() {
        let script = EventScript.success()
        var explorer = ExplorerDriver()
        explorer.enqueue(1, "login")
        for event in script.events { explorer.send(.network(event)) }
        #expect(explorer.takeEffects() == [])
        explorer.send(.responseReady(Self.id, Response(script, body: Data("x".utf8))))
        #expect(explorer.takeEffects() == [.prepareBody(Self.id, .pretty)])
        guard case .nothing(let said) = explorer.state.responseContent(columns: 80) else { return #expect(Bool(false)) }
        #expect(said == ["The body is being read …"])

        explorer.send(.responseReady(Self.id, Response(script, body: Data())))
        #expect(explorer.takeEffects() == [])
    }

    @Test func `goes through its tabs and round`() {
        var explorer = explorer()
        #expect(explorer.state.panes.response.tab == .body)
        explorer.press(.previousTab)
        #expect(explorer.state.panes.response.tab == .log)
        explorer.press(.nextTab, .nextTab)
        #expect(explorer.state.panes.response.tab == .headers)
    }

    @Test func `turns its tabs while the tree has the focus`() {
        var explorer = explorer()
        explorer.focus(.collection)
        explorer.press(.nextTab)
        #expect(explorer.state.panes.response.tab == .headers)
        explorer.press(.previousTab)
        #expect(explorer.state.panes.response.tab == .body)
    }

    @Test func `keeps its tab where it isn't on the screen`() {
        var explorer = explorer()
        explorer.send(.terminal(.resize(Size(columns: 40, rows: 10))))
        explorer.press(.focusCollection, .nextTab)
        #expect(explorer.state.panes.response.tab == .body)
    }

    @Test func `a click on a tab shows it`() throws {
        var explorer = explorer()
        let rect = try #require(explorer.state.layout.panes[.response])
        explorer.click(rect.column + 12, rect.row)
        #expect(explorer.state.panes.response.tab == .headers)
    }

    @Test func `g and a letter lead to a tab, of the pane with the focus first`() {
        var explorer = explorer()
        explorer.press("g t")
        #expect(explorer.state.panes.response.tab == .timing && explorer.state.screen.focus == .response)
        explorer.press("g p")
        #expect(explorer.state.panes.request.tab == .params && explorer.state.screen.focus == .request)
        explorer.press("g h")
        #expect(explorer.state.panes.request.tab == .headers && explorer.state.panes.response.tab == .timing)
        explorer.press(.focusCollection)
        explorer.press("g h")
        #expect(explorer.state.panes.response.tab == .headers && explorer.state.screen.focus == .response)
        // Any other key ends it, and does nothing else.
        explorer.press("g x")
        #expect(explorer.takeEffects() == [] && explorer.state.panes.response.tab == .headers)
        explorer.press(.focusCollection, .bottom)
        explorer.press("g g")
        #expect(explorer.state.panes.collection.list.selected == 0)
    }

    @Test func `shows another form at once, and asks for its index`() {
        var explorer = explorer()
        explorer.press(.raw)
        #expect(explorer.takeEffects() == [.prepareBody(Self.id, .raw)])
        #expect(explorer.state.responseDocument?.mode == .raw)
        explorer.press(.raw, .raw)
        #expect(explorer.takeEffects() == [.prepareBody(Self.id, .hex), .prepareBody(Self.id, .pretty)])
        #expect(explorer.state.responseDocument?.mode == .pretty)
    }

    @Test func `saves the body where it is told`() {
        var explorer = explorer()
        explorer.press(.saveBody)
        #expect(explorer.state.panes.response.savePrompt?.text == "orders.json")
        explorer.type(".bak")
        explorer.press("Enter")
        #expect(explorer.takeEffects() == [.saveBody(Self.id, to: "orders.json.bak")])
        #expect(explorer.state.panes.response.savePrompt == nil)
        explorer.press(.saveBody)
        explorer.press("Esc")
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.panes.response.savePrompt == nil)
    }

    @Test func `says so when there is nothing to save`() {
        var explorer = ExplorerDriver()
        explorer.press(.focusResponse)
        explorer.press(.saveBody)
        #expect(explorer.state.notice == Notice(.info, "there is no body to save"))
    }

    @Test func `the log of events follows its end`() {
        var script = EventScript.downloading(at: 2_000)
        var explorer = ExplorerDriver.having(script)
        explorer.press(.focusResponse, .previousTab)
        let rows = explorer.state.responseArea.rows
        func first() -> Int {
            let count = explorer.state.responseContent(columns: 80).lineCount
            return explorer.state.panes.response.scroll(of: .log).firstLine(of: count, rows: rows)
        }
        #expect(first() == script.events.count - rows)
        script.download(at: 2_010, 39_000_000, of: 100_000_000)
        explorer.send(.network(script.events.last!))
        #expect(first() == script.events.count - rows)
        explorer.press(.top)
        script.download(at: 2_020, 39_100_000, of: 100_000_000)
        explorer.send(.network(script.events.last!))
        #expect(first() == 0)
    }

    @Test func `the run before is there until the new one has something, and is called previous`() {
        var explorer = explorer()
        var script = EventScript.downloading(at: 50, operation: 2)
        explorer.run(script)
        #expect(explorer.state.responseSubject(for: .body)?.isPrevious == true)
        #expect(explorer.state.responseSubject(for: .headers)?.isPrevious == true)
        #expect(explorer.state.responseSubject(for: .timing)?.isPrevious == false)
        script.head(at: 100, status: 200)
        explorer.send(.network(script.events.last!))
        #expect(explorer.state.responseSubject(for: .headers)?.isPrevious == false)
        #expect(explorer.state.responseSubject(for: .body)?.isPrevious == true)
    }

    @Test func `begins at the top of another response, with the same search`() {
        var explorer = explorer((0..<200).map { "\($0)" }.joined(separator: "\n"))
        explorer.press(.bottom)
        #expect(explorer.state.panes.response.body.top.line > 100)
        explorer.run(.success(operation: 2), body: Data("one".utf8))
        #expect(explorer.state.panes.response.body.top.line == 0)
    }

    @Test func `a smaller screen keeps the place, and a larger one fills up`() {
        var explorer = ExplorerDriver()
        explorer.run(.redirects(), body: Data((0..<50).map { "\($0)" }.joined(separator: "\n").utf8))
        explorer.zoom(.response, 60, 13)
        explorer.press(.bottom)
        #expect(explorer.state.panes.response.body.top.line == 39)
        explorer.zoom(.response, 60, 33)
        #expect(explorer.state.panes.response.body.top.line == 19)
    }

    @Test func `looks through whatever tab is shown`() {
        var explorer = explorer()
        explorer.press(.nextTab, .search)
        explorer.type("content")
        explorer.press("Enter")
        #expect(explorer.state.responseMatches! == (1, 2, false))
        explorer.press(.nextMatch)
        #expect(explorer.state.responseMatches! == (2, 2, false))
        explorer.press(.nextMatch)
        #expect(explorer.state.responseMatches! == (1, 2, false))
        explorer.press(.search)
        explorer.type("nowhere")
        explorer.press("Enter")
        explorer.press(.nextMatch)
        #expect(explorer.state.notice == Notice(.info, "“nowhere” isn't in here"))
    }

    @Test func `offers the text of its tab to the clipboard`() {
        var explorer = explorer()
        explorer.press(.nextTab, .copy)
        explorer.press("Enter")
        #expect(
            explorer.takeEffects() == [
                .copy(
                    """
                    received
                    HTTP/1.1 200 OK
                    Content-Type: application/json
                    Content-Length: 1274
                    Server-Timing: db;dur=201, app;dur=77

                    sent
                      GET /orders HTTP/1.1
                    + Host: api.example.org
                      Accept: application/json
                    + User-Agent: turnstone/1

                      + added on the way out
                      no body
                    """,
                    what: "headers")
            ])
    }

    @Test func `the log runs on beyond the edge`() {
        var explorer = explorer()
        explorer.press(.previousTab, .right, .right, .left)
        #expect(explorer.state.panes.response.logColumn == 8)
        explorer.press(.left, .left)
        #expect(explorer.state.panes.response.logColumn == 0)
    }

    @Test func `knows the chain of a connection that is reused`() throws {
        let chain = [
            Certificate(
                subject: "CN=a", issuer: "CN=b", serialNumber: "1", notBefore: Date(timeIntervalSince1970: 0),
                notAfter: Date(timeIntervalSince1970: 4e9))
        ]
        var first = EventScript()
        first.start()
        first.attempt(at: 1, EventScript.request("https://api.example.org/"))
        first.connect(at: 2, tcp: 1, tls: (5, TLSInfo(version: "TLSv1.3", chain: chain)))
        var second = EventScript(operation: 2)
        second.start()
        second.attempt(at: 100, EventScript.request("https://api.example.org/"))
        second.at(
            101,
            .connectionAcquired(
                ConnectionInfo(id: 1, isReused: true, localAddress: "127.0.0.1:1", remoteAddress: "127.0.0.1:2")))
        var explorer = ExplorerDriver.having(first, second)
        explorer.press(.focusOperation)
        let content = explorer.state.responseContent(columns: 80)
        let lines = content.lines(0..<content.lineCount).map(\.text)
        let start = try #require(lines.firstIndex(of: "    TLS"))
        #expect(
            lines[start...].prefix(3) == [
                "    TLS", "    connection 1 is reused: operation #1 opened it", "    version      TLSv1.3",
            ])
    }

    @Test func `i reads a body as something else than its server says`() {
        var explorer = ExplorerDriver()
        explorer.run(.success(), of: "orders/list", body: Data(#"{"a":1}"#.utf8))
        explorer.press(.focusResponse)
        _ = explorer.takeEffects()
        let id = OperationID(rawValue: 1)
        explorer.press(.readAs)
        explorer.press("Down Down Down Down Down Enter")
        #expect(explorer.takeEffects() == [.prepareBody(id, .pretty)])
        #expect(explorer.state.operations[id]?.contentType == "text/html")
        explorer.press(.readAs)
        explorer.press("End Enter")
        #expect(explorer.state.operations[id]?.contentType == "text/html; charset=utf-16be")
        explorer.press(.readAs)
        explorer.press("Enter")
        #expect(explorer.state.operations[id]?.contentType == "application/json")
    }
}

@Suite struct ChecksTests {
    private static let report = RunReport(
        expectations: [
            ExpectationResult(
                subject: .status, expected: "200", found: "200", isMet: true, location: ShopCollection.place(5, "login.yaml")),
            ExpectationResult(
                subject: .filter(".total"), expected: "> 0", found: "0", isMet: false,
                location: ShopCollection.place(6, "login.yaml")),
        ], captured: [.init(name: "token", text: Redactor.mask)])

    @Test func `the tab says how many held, what was found and where it stands`() {
        var explorer = ExplorerDriver()
        let operation = explorer.enqueue(1, "login")
        #expect(explorer.state.responseTabs.titles.contains("checks"))
        explorer.send(.runReported(operation, Self.report))
        #expect(explorer.state.responseTabs.titles.contains("checks 1/2"))
        explorer.press("g c")
        #expect(explorer.state.panes.response.tab == .checks)
        let content = explorer.state.responseContent(columns: 80)
        #expect(
            content.lines(0..<content.lineCount).map(\.text) == [
                "✓ status 200  /shop/login.yaml:5:1", "✗ body .total > 0, found 0  /shop/login.yaml:6:1", "",
                "→ token = \(Redactor.mask)",
            ])
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

@Suite struct `The request as it was sent` {
    private func lines(_ headers: HTTPFields, _ head: String) -> [String] {
        var script = EventScript()
        script.start()
        script.attempt(at: 1, EventScript.request(headers: headers))
        script.send(at: script.connect(at: 2, tcp: 1), head)
        return SentRequestText.lines(script.metrics.attempts[0]).map(\.text)
    }

    @Test func `shows what was added, changed and left out on the way`() {
        let lines = lines(
            [.accept: "*/*", .acceptEncoding: "identity", .init("X-Draft")!: "1"],
            "GET /orders HTTP/1.1\r\nHost: api.example.org\r\naccept: */*\r\nAccept-Encoding: gzip\r\n\r\n")
        #expect(
            lines == [
                "  GET /orders HTTP/1.1", "+ Host: api.example.org", "  accept: */*", "~ Accept-Encoding: gzip  written: identity",
                "- x-draft: 1", "", "  + added on the way out   - written, but not sent", "  no body",
            ])
    }

    @Test func `credentials are masked`() {
        let lines = lines([.authorization: "Bearer abc"], "GET / HTTP/1.1\r\nAuthorization: Bearer abc\r\n\r\n")
        #expect(
            lines == ["  GET / HTTP/1.1", "  Authorization: Bearer ••••••", "", "  every field as it was written", "  no body"])
    }

    @Test func `pairs repeated fields one by one`() {
        let name = HTTPField.Name("X-Tag")!
        let lines = lines(
            HTTPFields([HTTPField(name: name, value: "a"), HTTPField(name: name, value: "b")]),
            "GET / HTTP/1.1\r\nX-Tag: b\r\nX-Tag: a\r\n\r\n")
        #expect(lines.prefix(3) == ["  GET / HTTP/1.1", "  X-Tag: b", "  X-Tag: a"])
    }
}
