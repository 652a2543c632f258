import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `The operation pane` {
    @Test func `follows the newest attempt until another is chosen`() {
        var explorer = ExplorerDriver.having(.redirects())
        #expect(explorer.state.shownAttempt?.number == 4)
        explorer.press(.focusOperation)
        explorer.press(.up, .up)
        #expect(explorer.state.shownAttempt?.number == 2)
        explorer.press(.bottom, .up, .top)
        #expect(explorer.state.shownAttempt?.number == 1)
        explorer.press(.up)
        #expect(explorer.state.shownAttempt?.number == 1)
    }

    @Test func `follows again from the last one on`() {
        var script = EventScript.redirects()
        var explorer = ExplorerDriver.having(script)
        explorer.press(.focusOperation)
        explorer.press(.up, .down)
        let count = script.events.count
        script.attempt(at: 500, EventScript.request(), .retry)
        for event in script.events.dropFirst(count) { explorer.send(.network(event)) }
        #expect(explorer.state.shownAttempt?.number == 5)
    }

    @Test func `forgets the choice when another operation is shown`() {
        var explorer = ExplorerDriver.having(.redirects())
        explorer.press(.focusOperation)
        explorer.press(.top)
        explorer.run(.retries().renumbered(2))
        #expect(explorer.state.shownAttempt?.number == 3)
    }

    @Test func `{ and } go to the attempt or hop before and behind, from any pane, and say which it is`() {
        var explorer = ExplorerDriver.having(.redirects())
        explorer.press(.focusResponse, .previousAttempt)
        #expect(explorer.state.shownAttempt?.number == 3)
        #expect(explorer.state.notice?.text == "attempt 3 of 4: 301")
        #expect(explorer.state.screen.focus == .response)
        explorer.press(.focusCollection, .previousAttempt, .previousAttempt, .previousAttempt)
        #expect(explorer.state.shownAttempt?.number == 1)
        #expect(explorer.state.notice?.text == "this is the first attempt")
        explorer.press(.nextAttempt, .nextAttempt, .nextAttempt)
        #expect(explorer.state.shownAttempt?.number == 4)
        explorer.press(.nextAttempt)
        #expect(explorer.state.notice?.text == "this is the last attempt")
    }

    @Test func `{ has nothing to show before the first attempt`() {
        var explorer = ExplorerDriver()
        explorer.press(.previousAttempt)
        #expect(explorer.state.notice?.text == "there is no attempt to show")
        explorer.run(.success())
        explorer.press(.nextAttempt)
        #expect(explorer.state.notice?.text == "this is the only attempt")
    }

    @Test func `Enter on an earlier attempt goes to its times`() {
        var explorer = ExplorerDriver.having(.redirects())
        explorer.press(.focusOperation)
        explorer.press(.up, .activate)
        #expect(explorer.state.screen.focus == .response)
        #expect(explorer.state.panes.response.tab == .timing)
    }

    @Test func `Enter on the newest attempt goes to its body`() {
        var explorer = ExplorerDriver.having(.success())
        explorer.press(.focusOperation)
        explorer.press(.activate)
        #expect(explorer.state.screen.focus == .response)
        #expect(explorer.state.panes.response.tab == .body)
    }

    @Test func `looks for an attempt by its URL or its status`() {
        var explorer = ExplorerDriver.having(.redirects())
        explorer.press(.focusOperation, .search)
        explorer.type("307")
        explorer.press("Enter")
        #expect(explorer.state.shownAttempt?.number == 2)
        explorer.press(.search)
        explorer.type("eu.example")
        explorer.press("Enter")
        #expect(explorer.state.shownAttempt?.number == 3)
        explorer.press(.nextMatch)
        #expect(explorer.state.shownAttempt?.number == 4)
        explorer.press(.nextMatch, .previousMatch, .previousMatch)
        #expect(explorer.state.shownAttempt?.number == 3)
    }

    @Test func `a click on a row selects its attempt`() throws {
        var explorer = ExplorerDriver.having(.redirects())
        let area = try #require(explorer.state.layout.content(of: .operation))
        let rows = explorer.state.operationRows(try #require(explorer.state.shownOperation), in: area.size)
        let row = try #require(rows.firstIndex(of: .attempt(2)))
        explorer.click(area.column + 3, area.row + row)
        #expect(explorer.state.shownAttempt?.number == 3)
        #expect(explorer.state.screen.focus == .operation)
    }

    @Test func `r sends the same request again, as it was then`() {
        var explorer = ExplorerDriver.having(.cancelled())
        _ = explorer.takeEffects()
        let sent = explorer.state.shownOperation!.sent
        explorer.press(.focusOperation)
        explorer.press(.replay)
        #expect(explorer.takeEffects() == [.send(sent.definition, in: sent.collection, environment: nil)])
    }
}

@Suite struct `The rows of the operation pane` {
    private func rows(_ script: EventScript, _ count: Int, columns: Int = 58) -> [OperationPaneLayout.Row] {
        let explorer = ExplorerDriver.having(script)
        return OperationPaneLayout(
            explorer.state.shownOperation!, in: Size(columns: columns, rows: count), selected: explorer.state.panes.operation
        ).rows
    }

    @Test func `are one with the essence when there is no room for more`() {
        #expect(rows(.downloading(at: 500), 1) == [.summary])
        #expect(rows(.downloading(at: 500), 0) == [])
    }

    @Test func `grow with the room`() {
        let running = EventScript.downloading(at: 500)
        #expect(rows(running, 2) == [.lifeline(0), .activity(.download)])
        #expect(rows(running, 3) == [.lifeline(0), .attempt(0), .activity(.download)])
        #expect(rows(running, 4) == [.lifeline(0), .attempt(0), .activity(.download), .gauges])
        #expect(rows(running, 5) == [.lifeline(0), .attemptHeader, .attempt(0), .activity(.download), .gauges])
        #expect(
            rows(running, 12) == [
                .lifeline(0), .blank, .attemptHeader, .attempt(0), .blank, .activity(.download), .blank, .gauge(.idle),
                .gauge(.attempt), .gauge(.operation),
            ])
    }

    @Test func `give all four hops of a redirect a row before anything else`() {
        #expect(rows(.redirects(), 5) == [.lifeline(0), .attempt(0), .attempt(1), .attempt(2), .attempt(3)])
        #expect(rows(.redirects(), 4) == [.lifeline(0), .attempt(1), .attempt(2), .attempt(3)])
    }

    @Test func `keep the selected attempt in sight`() {
        var explorer = ExplorerDriver.having(.redirects())
        explorer.press(.focusOperation)
        explorer.press(.top)
        let layout = OperationPaneLayout(
            explorer.state.shownOperation!, in: Size(columns: 58, rows: 3), selected: explorer.state.panes.operation)
        #expect(layout.rows == [.lifeline(0), .attempt(0), .attempt(1)])
    }

    @Test func `in the rail the verdict is first, and the last two attempts are there`() {
        func rail(_ script: EventScript, _ count: Int) -> [OperationPaneLayout.Row] {
            let explorer = ExplorerDriver.having(script)
            return OperationPaneLayout(
                rail: explorer.state.shownOperation!, in: Size(columns: 86, rows: count), selected: explorer.state.panes.operation
            ).rows
        }
        #expect(rail(.redirects(), 1) == [.verdict])
        #expect(rail(.redirects(), 2) == [.verdict, .lifeline(0)])
        #expect(rail(.redirects(), 5) == [.verdict, .lifeline(0), .attemptHeader, .attempt(2), .attempt(3)])
        #expect(rail(.idleTimeout(), 5) == [.verdict, .lifeline(0), .attemptHeader, .attempt(0), .failure(0)])
        #expect(rail(.redirects(), 12).prefix(2) == [.verdict, .lifeline(0)])
        #expect(!rail(.success(), 12).contains(.outcome))
    }

    @Test func `say what went wrong, and which timeout it was`() {
        #expect(rows(.idleTimeout(), 4) == [.lifeline(0), .attempt(0), .failure(0), .gauges])
        #expect(
            rows(.idleTimeout(), 8) == [
                .lifeline(0), .blank, .attemptHeader, .attempt(0), .failure(0), .failure(1), .failure(2), .gauge(.idle),
            ])
    }
}

@Suite struct OperationPaneViewTests {
    @Test func `before the first send it says which key sends`() {
        expectPane(.operation, of: ExplorerDriver(), 60, 7, "operation-nothing")
    }

    @Test(arguments: [(118, 20), (60, 7), (45, 12), (40, 9)])
    func `a success shows its states, its attempt and what came`(columns: Int, rows: Int) {
        expectPane(.operation, of: .having(.success()), columns, rows, "operation-success")
    }

    @Test(arguments: [10.0, 60, 1_350])
    func `a download fills in live, with a rate and the time that is left`(milliseconds: Double) {
        var explorer = ExplorerDriver.having(.downloading(at: milliseconds))
        explorer.tick(milliseconds)
        expectPane(.operation, of: explorer, 60, 9, "operation-download-\(Int(milliseconds))")
        expectPane(.operation, of: explorer, 40, 5, "operation-download-\(Int(milliseconds))")
    }

    @Test func `a download that stalls says so, and which timeout fires next`() {
        var explorer = ExplorerDriver.having(.downloading(at: 1_350))
        explorer.tick(27_350)
        expectPane(.operation, of: explorer, 60, 12, "operation-stalled")
    }

    @Test func `an upload shows how far it is`() {
        var explorer = ExplorerDriver.having(.uploading(at: 1_000))
        explorer.tick(1_000)
        expectPane(.operation, of: explorer, 60, 9, "operation-upload")
    }

    @Test(arguments: [(118, 14), (60, 7), (60, 12), (45, 12), (40, 9)])
    func `three redirects are four rows`(columns: Int, rows: Int) {
        expectPane(.operation, of: .having(.redirects()), columns, rows, "operation-redirects")
    }

    @Test(arguments: [(118, 14), (60, 7), (40, 9)])
    func `a TLS failure says why, and in which phase`(columns: Int, rows: Int) {
        expectPane(.operation, of: .having(.tlsFailure()), columns, rows, "operation-tls-failure")
    }

    @Test(arguments: [(80, 14), (60, 7)])
    func `a timeout says which one fired`(columns: Int, rows: Int) {
        expectPane(.operation, of: .having(.idleTimeout()), columns, rows, "operation-timeout")
    }

    @Test func `what was cancelled says by whom`() {
        expectPane(.operation, of: .having(.cancelled()), 60, 8, "operation-cancelled")
    }

    @Test func `attempts that were retried are all there, and one can be picked`() {
        var explorer = ExplorerDriver.having(.retries())
        expectPane(.operation, of: explorer, 90, 12, "operation-retries")
        explorer.press(.focusOperation)
        explorer.press(.up)
        #expect(explorer.state.shownAttempt?.number == 2)
        expectPane(.operation, of: explorer, 90, 5, "operation-retries-second")
    }

    @Test func `a paused queue says how to go on`() {
        var script = EventScript()
        script.enqueue()
        script.move(at: 1, to: .waiting(.queueSuspended))
        var explorer = ExplorerDriver.having(script)
        explorer.tick(5_000)
        expectPane(.operation, of: explorer, 60, 8, "operation-paused")
    }
}

@Suite struct `Waiting to retry` {
    private static let id = OperationID(rawValue: 1)

    private func explorer() -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.run(.waitingToRetry(), of: "orders/create")
        _ = explorer.takeEffects()
        return explorer
    }

    @Test func `says what came, why it is tried again, and when`() throws {
        let explorer = explorer()
        guard case .retry(let note) = explorer.state.responseNotes(columns: 80) else {
            Issue.record("no note")
            return
        }
        #expect(note.result.text == "503 Service Unavailable")
        #expect(note.retryAfter == "Retry-After 4 s")
        #expect(note.attempt == "2 of 4")
        #expect(note.rule == "status 503")
        #expect(note.delay == .seconds(4))
        #expect(note.fraction(at: EventScript.time(1_374)) == 0.25)
    }

    @Test func `shows the body that came, until the next attempt begins`() {
        var explorer = explorer()
        explorer.tick(500)
        explorer.tick(600)
        #expect(explorer.takeEffects() == [.peekBody(Self.id, contentType: "application/json", beyond: 0, isWhole: true)])
        let document = BodyDocument(BodyBytes(Data(#"{"error":"overloaded"}"#.utf8)), contentType: "application/json")
        document.extendIndexToEnd()
        explorer.send(.bodyArrived(Self.id, document, bytes: 22))
        guard case .body = explorer.state.responseContent(columns: 80) else {
            Issue.record("no body")
            return
        }
        explorer.event(Self.id, .transition(from: .waitingToRetry, to: .preparing), at: 4_374)
        guard case .progress = explorer.state.responseContent(columns: 80) else {
            Issue.record("it is still there")
            return
        }
    }

    @Test func `is neither running nor waiting for its turn`() {
        #expect(explorer().state.operations.counts == (0, 1, 0))
    }
}
