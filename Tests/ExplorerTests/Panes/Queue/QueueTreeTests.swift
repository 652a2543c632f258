import NetworkLayer
import NetworkLayerTesting
import OrderedCollections
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

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
