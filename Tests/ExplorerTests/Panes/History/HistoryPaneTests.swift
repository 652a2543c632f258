import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Testing

@testable import Explorer

@Suite struct `The history pane` {
    private var explorer: ExplorerDriver {
        var explorer = ExplorerDriver.having(
            .success(), .tlsFailure().renumbered(2), .cancelled().renumbered(3), .downloading(at: 500, operation: 4),
            of: ["login", "orders/one", "orders/list", "admin/purge"])
        explorer.press(.focusHistory)
        _ = explorer.takeEffects()
        return explorer
    }

    @Test func `lists every run that ended, the newest first`() {
        #expect(explorer.state.operations.finished.map(\.rawValue) == [3, 2, 1])
    }

    @Test func `Enter shows a run again, with its request`() {
        var explorer = explorer
        explorer.press(.down, .down, .activate)
        #expect(explorer.state.operations.selected == OperationID(rawValue: 1))
        #expect(explorer.state.selectedRequest == ShopCollection.reference("login"))
        #expect(explorer.state.screen.focus == .response)
        #expect(explorer.state.shownResponse?.entry.id == OperationID(rawValue: 1))
    }

    @Test func `r sends the selected one again`() {
        var explorer = explorer
        explorer.press(.down, .replay)
        let definition = ShopCollection.collection.request(RequestID(rawValue: "orders/one"))!
        #expect(explorer.takeEffects() == [.send(definition, in: ShopCollection.path, environment: nil)])
    }

    @Test func `a replay sends what was sent, whatever became of the file`() {
        var explorer = explorer
        var other = ShopCollection.collection
        other.nodes = []
        explorer.send(.collectionLoaded(other))
        _ = explorer.takeEffects()
        explorer.press(.focusHistory)
        explorer.press(.bottom, .replay)
        let definition = ShopCollection.collection.request(RequestID(rawValue: "login"))!
        #expect(explorer.takeEffects().contains(.send(definition, in: ShopCollection.path, environment: nil)))
    }

    @Test func `is searched by title and result`() {
        var explorer = explorer
        explorer.press(.search)
        explorer.type("failed")
        explorer.press("Enter")
        explorer.press(.activate)
        #expect(explorer.state.operations.selected == OperationID(rawValue: 2))
    }
}
