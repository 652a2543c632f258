import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

@testable import Explorer

@Suite struct ResponsePaneViewTests {
    private static let orders = Data(
        #"{"orders":[{"id":1,"item":"turnstone","price":12.5,"tags":["wader","bird"]},{"id":2,"item":"鳥","open":true}]}"#.utf8)

    private func success(body: Data = orders) -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.run(.success(), body: body)
        return explorer
    }

    @Test func `before the first response it says which key sends`() {
        expectPane(.response, of: ExplorerDriver(), 60, 8, "response-nothing")
    }

    @Test(arguments: [(90, 28), (60, 17), (40, 9)])
    func `a body is laid out and summed up`(columns: Int, rows: Int) {
        expectPane(.response, of: success(), columns, rows, "response-body")
    }

    @Test func `lines are numbered, wrapped and searched`() {
        var explorer = success()
        explorer.zoom(.response, 30, 14)
        explorer.press(.lineNumbers, .wrap, .search)
        explorer.type("id")
        explorer.press("Enter")
        explorer.press(.nextMatch)
        expectPane(.response, of: explorer, 30, 14, "response-search")
    }

    @Test func `parts are folded, and the edge says where the cursor is`() {
        var explorer = success()
        explorer.zoom(.response, 60, 14)
        explorer.press(.lineNumbers, .down, .down, .down, .activate, .down, .down, .down)
        expectPane(.response, of: explorer, 60, 14, "response-folded")
    }

    @Test func `a filter is typed over the body, and says what is wrong with it`() {
        var explorer = success()
        let id = OperationID(rawValue: 1)
        explorer.zoom(.response, 50, 14)
        explorer.press(.filter)
        explorer.type(".orders[] | .id")
        let found = BodyDocument(BodyBytes(Data("1\n2\n".utf8)), kind: .jsonValues)
        found.extendIndexToEnd()
        explorer.send(.bodyFiltered(id, filter: ".orders[] | .id", found))
        expectPane(.response, of: explorer, 50, 14, "response-filter")
        explorer.type(".x")
        explorer.send(
            .bodyFilterFailed(id, filter: ".orders[] | .id.x", message: "`.orders[].id` is a number, which has no member `x`"))
        expectPane(.response, of: explorer, 50, 14, "response-filter-wrong")
        explorer.press("Enter")
        expectPane(.response, of: explorer, 50, 14, "response-filter-failed")
    }

    @Test func `a body has three forms`() {
        var explorer = success()
        explorer.press(.focusResponse)
        explorer.press(.raw)
        expectPane(.response, of: explorer, 60, 6, "response-raw")
        explorer.press(.raw)
        expectPane(.response, of: explorer, 80, 8, "response-hex")
    }

    @Test(arguments: [
        ("headers", "success"), ("headers", "tls-failure"), ("timing", "success"), ("timing", "redirects"), ("timing", "retries"),
        ("timing", "tls-failure"), ("log", "redirects"),
    ])
    func `a tab shows its part of the story`(tab: String, story: String) {
        var explorer = ExplorerDriver()
        explorer.run(Self.story(story), body: Self.orders)
        explorer.press(.focusResponse)
        while explorer.state.panes.response.tab.rawValue != tab { explorer.press(.nextTab) }
        expectPane(.response, of: explorer, 90, 24, "response-\(tab)-\(story)")
        expectPane(.response, of: explorer, 40, 9, "response-\(tab)-\(story)")
    }

    private static func story(_ name: String) -> EventScript {
        switch name {
        case "redirects": .redirects()
        case "retries": .retries()
        case "tls-failure": .tlsFailure()
        default: .success()
        }
    }

    @Test func `an earlier attempt that is picked has its own headers, and its place in the timing`() {
        var explorer = ExplorerDriver.having(.redirects())
        explorer.press(.focusOperation, .previousAttempt, .previousAttempt)
        expectPane(.response, of: explorer, 90, 16, "response-timing-second")
        explorer.press(.activate)
        expectPane(.response, of: explorer, 90, 40, "response-timing-open")
        explorer.press(.previousTab)
        expectPane(.response, of: explorer, 90, 6, "response-headers-second")
    }

    @Test func `a click on an attempt selects it, and another one opens it`() throws {
        var explorer = ExplorerDriver.having(.redirects())
        explorer.press(.focusOperation)
        let area = try #require(explorer.state.layout.content(of: .response))
        let row = explorer.state.timing(try #require(explorer.state.shownOperation), columns: area.columns).rows[1]
        explorer.click(area.column + 3, area.row + row)
        #expect(explorer.state.shownAttempt?.number == 2)
        let count = explorer.state.responseContent(columns: area.columns).lineCount
        explorer.click(area.column + 3, area.row + row)
        #expect(explorer.state.responseContent(columns: area.columns).lineCount > count)
    }

    @Test func `while a run is under way the response before it is marked as previous`() {
        var explorer = success()
        explorer.run(.downloading(at: 1_350, operation: 2))
        expectPane(.response, of: explorer, 80, 12, "response-previous")
    }

    @Test func `without an earlier response the progress has the pane`() {
        var explorer = ExplorerDriver.having(.downloading(at: 1_350))
        explorer.tick(1_350)
        expectPane(.response, of: explorer, 60, 8, "response-downloading")
    }

    @Test(arguments: [(80, 14), (40, 9)])
    func `a failure says what failed, what came before, and what to try`(columns: Int, rows: Int) {
        var explorer = ExplorerDriver()
        explorer.run(.idleTimeout(), body: Data("the first part of it".utf8))
        expectPane(.response, of: explorer, columns, rows, "response-timeout")
        expectPane(.response, of: .having(.tlsFailure()), columns, rows, "response-tls-failure")
        expectPane(.response, of: .having(.cancelled()), columns, rows, "response-cancelled")
    }

    @Test func `an empty body is calm about it`() {
        expectPane(.response, of: success(body: Data()), 60, 8, "response-empty")
    }

    @Test func `a hostile body is shown, not obeyed`() {
        let bytes: [UInt8] =
            Array("\u{1B}]0;owned\u{07}\u{1B}[2J\u{9B}31m plain \u{202E}txt.exe\r\nnul:\u{0}, bad utf8:".utf8) + [0xC3, 0x28, 0xFF]
            + Array("\n\(String(repeating: "x", count: 100_000))\nlast".utf8)
        var script = EventScript()
        script.start()
        script.attempt(at: 0.2, EventScript.request())
        script.send(at: script.connect(at: 1, tcp: 1))
        script.head(at: 10, status: 200, headers: [.contentType: "text/plain", .server: "evil\u{1B}[31m"])
        script.download(at: 11, Int64(bytes.count), of: nil)
        script.endAttempt(at: 12)
        script.end(at: 12, .succeeded)
        var explorer = ExplorerDriver()
        explorer.run(script, body: Data(bytes))
        expectPane(.response, of: explorer, 60, 10, "response-hostile")
        explorer.zoom(.response, 60, 6)
        explorer.press(.bottom)
        expectPane(.response, of: explorer, 60, 6, "response-hostile-end")
        explorer.press(.wrap, .bottom)
        expectPane(.response, of: explorer, 60, 6, "response-hostile-wrapped")
        explorer.press(.nextTab)
        expectPane(.response, of: explorer, 60, 6, "response-hostile-headers")
    }

    @Test func `saving asks where, with a name from the URL`() {
        var explorer = success()
        explorer.zoom(.response, 60, 8)
        explorer.press(.saveBody)
        expectPane(.response, of: explorer, 60, 8, "response-save")
    }
}
