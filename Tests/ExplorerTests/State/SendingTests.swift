import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import OrderedCollections
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `Sending` {
    @Test func `while an operation waits to retry, + tries at once and - tries no more`() {
        var explorer = ExplorerDriver()
        var script = EventScript()
        script.start()
        script.attempt(at: 1, EventScript.request())
        script.head(at: 2, status: 503)
        script.endAttempt(at: 3, .retrying)
        script.at(3, .retryScheduled(after: .seconds(2)))
        script.move(at: 3, to: .waitingToRetry)
        explorer.run(script)
        _ = explorer.takeEffects()
        let id = OperationID(rawValue: 1)
        #expect(explorer.state.hints.prefix(2).map(\.word) == ["retry now", "give up"])
        explorer.press(.retryNow, .stopRetrying)
        #expect(explorer.takeEffects() == [.retryNow(id), .stopRetrying(id)])
        explorer.event(id, .transition(from: .waitingToRetry, to: .preparing), at: 10)
        explorer.press(.retryNow)
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.notice?.text == "nothing waits to be tried again here")
        explorer.press(.stopRetrying)
        #expect(explorer.takeEffects() == [.stopRetrying(id)])
        #expect(explorer.state.notice?.text == "this attempt is the last one")
    }

    @Test func `asks for the request under the cursor, in the chosen environment`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/list")
        explorer.press(.chooseEnvironment)
        explorer.press("Home Enter")
        explorer.press(.send)
        #expect(
            explorer.takeEffects() == [
                .send(
                    ShopCollection.request("orders/list", "GET", "{{host}}/orders"), in: ShopCollection.path, environment: "local")
            ])
    }

    @Test func `twice starts two operations, each with its own state`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.send, .send)
        #expect(explorer.takeEffects().count == 2)
        let first = explorer.enqueue(1, "login")
        let second = explorer.enqueue(2, "login")
        explorer.event(first, .transition(from: .idle, to: .preparing), at: 1)
        #expect(explorer.state.operations[first]?.state == .preparing)
        #expect(explorer.state.operations[second]?.state == .idle)
        #expect(explorer.state.operations.selected == second)
    }

    @Test func `sends what is being typed`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.focusRequest, .edit)
        explorer.type("/x")
        explorer.press("F5")
        var expected = ShopCollection.collection.request(.init(rawValue: "login"))!
        expected.url = "{{host}}/login/x"
        #expect(
            explorer.takeEffects() == [
                .writeDraft(ShopCollection.reference("login"), ShopCollection.edit(expected)),
                .send(expected, in: ShopCollection.path, environment: nil),
            ])
    }

    @Test func `a folder sends nothing`() {
        var explorer = ExplorerDriver()
        explorer.press(.down, .send)
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.notice == Notice(.info, "pick a request: a folder can't be sent"))
    }

    @Test func `what can't be resolved says why and starts nothing`() {
        var explorer = ExplorerDriver()
        explorer.send(.sendFailed(ShopCollection.reference("login"), message: "login.yaml:3:9: the variable `password` is not set"))
        #expect(explorer.card?.title == "Not sent: login")
        #expect(explorer.card?.cause.map(\.text) == ["login.yaml:3:9: the variable `password` is not set"])
        explorer.press("Esc")
        #expect(explorer.state.overlay == nil)
        #expect(explorer.state.operations.entries.isEmpty)
    }

    @Test func `shows the response where there is room for one pane only`() {
        var explorer = ExplorerDriver(columns: 40, rows: 10)
        explorer.press(.send)
        #expect(explorer.state.screen.focus == .response)
    }

    @Test func `keeps the cursor in the tree where the response has a place`() {
        for (columns, rows) in [(120, 40), (80, 24)] {
            var explorer = ExplorerDriver(columns: columns, rows: rows)
            explorer.press(.send)
            explorer.enqueue(1, "login")
            #expect(explorer.state.screen.focus == .collection)
            #expect(explorer.state.layout.panes[.response] != nil)
        }
    }

    @Test func `one key cancels at once, from any pane`() {
        for pane in Pane.allCases {
            var explorer = ExplorerDriver()
            explorer.pick("login")
            let operation = explorer.enqueue(7, "login")
            explorer.focus(pane)
            explorer.press(.cancel)
            #expect(explorer.takeEffects() == [.cancel(operation, "the user")], "in \(pane)")
        }
    }

    @Test func `a send of another request shows its body, and one of the same keeps the tab`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.send)
        explorer.enqueue(1, "login")
        explorer.press(.focusResponse, .nextTab)
        let tab = explorer.state.panes.response.tab
        #expect(tab != .body)
        explorer.press(.send)
        #expect(explorer.state.panes.response.tab == tab)
        explorer.pick("orders/create")
        explorer.press(.send)
        #expect(explorer.state.panes.response.tab == .body)
    }

    @Test func `Escape goes back and never cancels`() {
        for pane in Pane.allCases {
            var explorer = ExplorerDriver()
            explorer.pick("login")
            explorer.enqueue(7, "login")
            explorer.focus(pane)
            explorer.press(.zoom, .search)
            explorer.type("o")
            explorer.press("Enter Esc")
            #expect(explorer.state.searchText(in: pane) == "", "the search ends first, in \(pane)")
            #expect(explorer.state.screen.isZoomed)
            explorer.press(.back)
            #expect(!explorer.state.screen.isZoomed)
            // In the request it leaves editing first, and a list of runs gives its place back.
            explorer.press(pane == .request || pane.isList ? "Esc Esc" : "Esc")
            #expect(explorer.state.notice == Notice(.info, "x cancels what runs here"))
            #expect(!explorer.takeEffects().contains { if case .cancel = $0 { true } else { false } }, "in \(pane)")
        }
    }

    @Test func `Ctrl-C says how to cancel and how to leave`() {
        var explorer = ExplorerDriver()
        explorer.press("C-c")
        #expect(explorer.state.notice == Notice(.info, "q quits"))
        explorer.enqueue(7, "login")
        explorer.press("C-c")
        #expect(explorer.state.notice == Notice(.info, "x cancels what runs here, q quits"))
        #expect(explorer.takeEffects().isEmpty)
    }

    @Test func `all that runs is cancelled together`() {
        var explorer = ExplorerDriver()
        let first = explorer.enqueue(1, "login")
        let done = explorer.enqueue(2, "login")
        let third = explorer.enqueue(3, "orders/list")
        explorer.event(done, .transition(from: .idle, to: .succeeded), at: 1)
        explorer.press(.cancelAll)
        #expect(explorer.takeEffects() == [.cancel(first, "the user"), .cancel(third, "the user")])
    }

    @Test func `the queue is paused and goes on`() {
        var explorer = ExplorerDriver()
        explorer.press(.pauseQueue, .pauseQueue)
        #expect(explorer.takeEffects() == [.setQueueSuspended(true), .setQueueSuspended(false)])
    }

    @Test func `the earlier response is stale while another operation of the request runs`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        let first = explorer.enqueue(1, "login")
        explorer.event(first, .transition(from: .idle, to: .succeeded), at: 5)
        let request = Request(url: .init(string: "http://localhost")!)
        explorer.send(.responseReady(first, Response(originalRequest: request, metrics: OperationMetrics())))
        #expect(explorer.state.shownResponse?.isStale == false)
        explorer.enqueue(2, "login")
        #expect(explorer.state.shownResponse?.isStale == true)
        #expect(explorer.state.shownResponse?.entry.id == first)
    }

    @Test func `the panes follow the cursor to each request's last operation`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        let login = explorer.enqueue(1, "login")
        explorer.pick("orders/list")
        #expect(explorer.state.operations.selected == nil)
        explorer.pick("login")
        #expect(explorer.state.operations.selected == login)
    }

    @Test func `time is asked for only while something runs`() {
        var explorer = ExplorerDriver()
        #expect(explorer.state.nextTick == nil)
        let operation = explorer.enqueue(1, "login")
        explorer.event(operation, .transition(from: .idle, to: .running), at: 250)
        #expect(explorer.state.nextTick == MonotonicTime(nanoseconds: 350_000_000))
        explorer.event(operation, .transition(from: .running, to: .succeeded), at: 300)
        #expect(explorer.state.nextTick == nil)
    }
}
