import NetworkLayer
import NetworkLayerTesting
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
