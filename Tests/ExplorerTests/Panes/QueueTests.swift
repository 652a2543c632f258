import NetworkLayer
import NetworkLayerTesting
import OrderedCollections
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `The queue pane` {
    private func waiting(_ operation: Int) -> EventScript {
        var script = EventScript(operation: operation)
        script.enqueue(at: 1)
        script.move(at: 1, to: .waiting(.concurrencyLimit))
        return script
    }

    private var explorer: ExplorerDriver {
        var explorer = ExplorerDriver.having(
            .success(operation: 1), waiting(2), .downloading(at: 500, operation: 3), .cancelled().renumbered(4))
        explorer.press(.focusQueue)
        _ = explorer.takeEffects()
        return explorer
    }

    private func numbers(_ explorer: ExplorerDriver) -> [Int] { explorer.state.operations.queued.map(\.rawValue) }

    @Test func `lists what runs and what waits, not what has ended`() {
        #expect(numbers(explorer) == [3, 2])
        #expect(explorer.state.operations.counts == (1, 0, 1))
    }

    @Test func `lists what waits by priority, and by age within one`() {
        var explorer = ExplorerDriver()
        for (number, priority) in [(1, Priority.low), (2, .normal), (3, .high), (4, .high)] {
            let definition = ShopCollection.request("login", "GET", "http://localhost")
            explorer.send(
                .operationEnqueued(OperationID(rawValue: number), SentRequest(definition, in: "/shop", priority: priority)))
        }
        #expect(numbers(explorer) == [3, 4, 2, 1])
    }

    @Test func `K and J change what starts first, P says how urgent it is`() {
        var explorer = ExplorerDriver()
        for number in 1...4 {
            let definition = ShopCollection.request("login", "GET", "http://localhost")
            explorer.send(.operationEnqueued(OperationID(rawValue: number), SentRequest(definition, in: "/shop")))
        }
        explorer.press(.focusQueue, .top, .down, .down)
        _ = explorer.takeEffects()
        explorer.press(.startEarlier)
        #expect(numbers(explorer) == [1, 3, 2, 4])
        func id(_ number: Int) -> OperationID { OperationID(rawValue: number) }
        // Those before it must stay there.
        #expect(
            explorer.takeEffects() == [
                .setPriority(id(3), Priority(rawValue: 1)), .setPriority(id(1), Priority(rawValue: 2)),
            ])
        explorer.press(.startEarlier, .startEarlier)
        #expect(numbers(explorer) == [3, 1, 2, 4])
        explorer.press(.startLater, .startLater, .startLater, .startLater)
        #expect(numbers(explorer) == [1, 2, 4, 3])
        _ = explorer.takeEffects()
        explorer.press(.priority)
        explorer.press("Home Enter")
        #expect(explorer.takeEffects() == [.setPriority(id(3), .veryHigh)])
        #expect(numbers(explorer).contains(3))
    }

    @Test func `what runs has no place in the order`() {
        var explorer = explorer
        explorer.press(.top, .startEarlier)
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.notice?.text == "it has started already")
    }

    @Test func `cancels what is selected, not what is shown`() {
        var explorer = explorer
        #expect(explorer.state.operations.selected == OperationID(rawValue: 4))
        explorer.press(.down, .cancel)
        #expect(explorer.takeEffects() == [.cancel(OperationID(rawValue: 2), "the user")])
    }

    @Test func `Enter shows what runs, and goes to its response`() {
        var explorer = explorer
        explorer.press(.activate)
        #expect(explorer.state.operations.selected == OperationID(rawValue: 3))
        #expect(explorer.state.screen.focus == .response)
    }

    @Test func `keeps its selection when the list changes under it`() {
        var explorer = explorer
        explorer.press(.down)
        explorer.send(
            .network(
                NetworkEvent(
                    operation: OperationID(rawValue: 2), sequence: 2, time: EventScript.time(600),
                    kind: .transition(from: .waiting(.concurrencyLimit), to: .preparing))))
        #expect(numbers(explorer) == [2, 3])
        explorer.press(.cancel)
        #expect(explorer.takeEffects() == [.cancel(OperationID(rawValue: 2), "the user")])
    }

    @Test func `p pauses and resumes`() {
        var explorer = explorer
        explorer.press(.pauseQueue, .pauseQueue)
        #expect(explorer.takeEffects() == [.setQueueSuspended(true), .setQueueSuspended(false)])
    }
}

@Suite struct QueuePaneViewTests {
    @Test func `an empty queue says so`() {
        expectPane(.queue, of: ExplorerDriver(), 40, 6, "queue-nothing")
    }

    @Test func `what is waited for has a name, in the queue and in the operation's line`() {
        var waiting = EventScript(operation: 3)
        waiting.enqueue(at: 1_000)
        waiting.move(at: 1_000, to: .waiting(.backoff))
        waiting.at(1_000, .waitsFor(.backoff(key: "shop.test", until: EventScript.time(4_500))))
        var explorer = ExplorerDriver.having(waiting, of: ["orders/list"])
        explorer.tick(1_500)
        explorer.press(.focusQueue)
        expectPane(.queue, of: explorer, 80, 5, "queue-waits-for")
        let screen = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text
        #expect(screen.contains("│ waits for a pause of shop.test, 3 s left "))
    }

    @Test(arguments: [(80, 10), (31, 8)])
    func `what runs stands before what waits, and what has ended is gone`(columns: Int, rows: Int) {
        var waiting = EventScript(operation: 3)
        waiting.enqueue(at: 1_000)
        waiting.move(at: 1_000, to: .waiting(.concurrencyLimit))
        var explorer = ExplorerDriver.having(
            .success(operation: 1), .downloading(at: 1_350, operation: 2), waiting,
            of: ["auth/login", "files/large", "orders/list"])
        explorer.tick(1_500)
        explorer.press(.focusQueue)
        explorer.press(.pauseQueue)
        expectPane(.queue, of: explorer, columns, rows, "queue")
    }

    private func tree(columns: Int = 120, rows: Int = 40) -> ExplorerDriver {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.run(.downloading(at: 1_350, operation: 1), of: "auth/login")
        explorer.wait(
            1, "orders/create",
            for: .operation(
                OperationID(rawValue: 1), then: [RequestID(rawValue: "orders/list"), RequestID(rawValue: "orders/create")]))
        explorer.wait(2, "files/large", for: .person(""))
        explorer.pick("orders/create")
        explorer.tick(3_000)
        explorer.press(.focusQueue)
        return explorer
    }

    @Test(arguments: [(80, 10), (50, 8), (31, 8)])
    func `what waits stands below what it waits for`(columns: Int, rows: Int) {
        expectPane(.queue, of: tree(), columns, rows, "queue-tree")
    }

    @Test(arguments: [(160, 50), (120, 40), (80, 24), (40, 10)])
    func `the tree of the queue on the whole screen`(columns: Int, rows: Int) {
        expectScreen(tree(columns: columns, rows: rows).state, "\(columns)x\(rows)-queue-tree")
    }
}

/// What waits for what: below an operation stands what can't begin before it has ended.
@Suite struct `The tree of the queue` {
    /// `auth/login` runs for `orders/create`, with `orders/list` between the two; `files/large` runs for nobody.
    private var explorer: ExplorerDriver {
        var explorer = ExplorerDriver.having(
            .downloading(at: 500, operation: 1), .downloading(at: 500, operation: 2), of: ["auth/login", "files/large"])
        explorer.wait(1, "orders/create", for: .operation(OperationID(rawValue: 1), then: ["orders/list", "orders/create"]))
        explorer.press(.focusQueue)
        _ = explorer.takeEffects()
        return explorer
    }

    private func rows(_ explorer: ExplorerDriver) -> [String] {
        explorer.state.queueRows.map { String(repeating: "  ", count: $0.depth) + explorer.state.title(of: $0) }
    }

    @Test func `has what waits below what it waits for, and what is sent between the two`() {
        #expect(rows(explorer) == ["auth/login", "  orders/list", "    orders/create", "files/large"])
    }

    @Test func `counts what waits`() {
        #expect(explorer.state.operations.counts == (2, 0, 1))
    }

    @Test func `X cancels an operation and all that waits for it, what waits first`() {
        var explorer = explorer
        explorer.press(.top, .cancelSubtree)
        #expect(explorer.takeEffects() == [.cancelSend(1), .cancel(OperationID(rawValue: 1), "the user")])
        // Nothing waits for the other one.
        explorer.press(.bottom, .cancelSubtree)
        #expect(explorer.takeEffects() == [.cancel(OperationID(rawValue: 2), "the user")])
    }

    @Test func `x cancels one operation, or one send that waits`() {
        var explorer = explorer
        explorer.press(.top, .cancel)
        #expect(explorer.takeEffects() == [.cancel(OperationID(rawValue: 1), "the user")])
        explorer.press(.down, .down, .cancel)
        #expect(explorer.takeEffects() == [.cancelSend(1)])
        // What is sent for it isn't sent without it.
        explorer.press(.up, .cancel)
        #expect(explorer.takeEffects() == [.cancelSend(1)])
    }

    @Test func `X in another pane cancels everything, what waits included`() {
        var explorer = explorer
        explorer.press(.focusCollection, .cancelAll)
        #expect(
            Set(explorer.takeEffects()) == [
                .cancelSend(1), .cancel(OperationID(rawValue: 1), "the user"), .cancel(OperationID(rawValue: 2), "the user"),
            ])
    }

    @Test func `what isn't in the queue has no place in its order, and says what it waits for`() {
        var explorer = explorer
        explorer.press(.top, .down, .down, .startEarlier)
        #expect(explorer.state.notice?.text == "it isn't in the queue yet: it waits for auth/login")
        explorer.press(.priority)
        #expect(explorer.state.overlay == nil)
        #expect(explorer.takeEffects() == [])
    }

    @Test func `what waits for a person, a command or a token stands for itself`() {
        var explorer = ExplorerDriver()
        explorer.wait(1, "orders/create", for: .person(""))
        explorer.wait(2, "orders/list", for: .command(""))
        explorer.wait(3, "files/large", for: .token(""))
        #expect(explorer.state.queueRows.map(\.depth) == [0, 0, 0])
        #expect(
            explorer.state.operations.waitingSends.values.map { explorer.state.words(for: $0.wait) } == [
                "waits for your answer", "waits for a command", "waits for a token",
            ])
    }

    @Test func `two that wait for the answer of one run stand both below it`() {
        var explorer = ExplorerDriver.having(.downloading(at: 500, operation: 1), of: ["auth/login"])
        explorer.wait(1, "orders/create", for: .operation(OperationID(rawValue: 1), then: ["orders/create"]))
        explorer.wait(2, "orders/list", for: .request("auth/login"))
        #expect(rows(explorer) == ["auth/login", "  orders/create", "  orders/list"])
        explorer.press(.focusQueue, .top, .cancelSubtree)
        #expect(explorer.takeEffects() == [.cancelSend(1), .cancelSend(2), .cancel(OperationID(rawValue: 1), "the user")])
    }

    @Test func `is without those that are in the queue by now, or won't be sent`() {
        var explorer = explorer
        explorer.send(.sendOver(1))
        #expect(rows(explorer) == ["auth/login", "files/large"])
        explorer.wait(2, "orders/create", for: .person(""))
        explorer.send(.sendCancelled(ShopCollection.reference("orders/create")))
        explorer.send(.sendOver(2))
        #expect(rows(explorer) == ["auth/login", "files/large"])
        #expect(explorer.state.notice?.text == "orders/create was cancelled before it was sent")
    }

    @Test func `a request that waits says so in its verdict, and x takes it back`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.wait(7, "orders/create", for: .person(""))
        #expect(explorer.state.verdictHints.map(\.word) == ["cancel"])
        explorer.press(.cancel)
        #expect(explorer.takeEffects() == [.cancelSend(7)])
    }

    @Test func `leaving asks about what waits`() throws {
        var explorer = ExplorerDriver()
        explorer.wait(7, "orders/create", for: .person(""))
        explorer.press(.quit)
        guard case .dialog(let dialog) = explorer.state.overlay else { throw NoDialog() }
        #expect(dialog.lines.contains("  orders/create"))
    }

    private struct NoDialog: Error {}
}
