import ExplorerModel
import ExplorerTesting
import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Testing

@Suite struct `The history pane` {
    private var explorer: ExplorerDriver {
        var explorer = ExplorerDriver.having(
            .success(), .tlsFailure().renumbered(2), .cancelled().renumbered(3), .downloading(at: 500, operation: 4),
            of: ["login", "orders/one", "orders/list", "admin/purge"])
        explorer.press("6")
        _ = explorer.takeEffects()
        return explorer
    }

    @Test func `lists every run that ended, the newest first`() {
        #expect(explorer.state.finishedOperations.map(\.rawValue) == [3, 2, 1])
    }

    @Test func `Enter shows a run again, with its request`() {
        var explorer = explorer
        explorer.press("j j Enter")
        #expect(explorer.state.selectedOperation == OperationID(rawValue: 1))
        #expect(explorer.state.selectedRequest == ShopCollection.reference("login"))
        #expect(explorer.state.focus == .response)
        #expect(explorer.state.shownResponse?.entry.id == OperationID(rawValue: 1))
    }

    @Test func `r sends the selected one again`() {
        var explorer = explorer
        explorer.press("j r")
        let definition = ShopCollection.collection.request(RequestID(rawValue: "orders/one"))!
        #expect(explorer.takeEffects() == [.send(definition, in: ShopCollection.path, environment: nil)])
    }

    @Test func `a replay sends what was sent, whatever became of the file`() {
        var explorer = explorer
        var other = ShopCollection.collection
        other.nodes = []
        explorer.send(.collectionLoaded(other))
        _ = explorer.takeEffects()
        explorer.press("6 G r")
        let definition = ShopCollection.collection.request(RequestID(rawValue: "login"))!
        #expect(explorer.takeEffects().contains(.send(definition, in: ShopCollection.path, environment: nil)))
    }

    @Test func `is searched by title and verdict`() {
        var explorer = explorer
        explorer.press("/")
        explorer.type("failed")
        explorer.press("Enter Enter")
        #expect(explorer.state.selectedOperation == OperationID(rawValue: 2))
    }

    @Test(arguments: [
        ("status:200", [1]), ("status:5xx", []), ("status:2", [1]), ("is:failed", [2]), ("is:cancelled", [3]),
        ("request:orders", [3, 2]),
        ("over:300ms", [1]), ("over:1s", []), ("orders is:failed", [2]), ("since:1h", [3, 2, 1]), ("since:2026-11-21", []),
        ("until:2026-11-21 one", [2]), ("status:many", []), ("text:login", [1]), ("api.example.org", [3, 2, 1]),
    ])
    func `shows only what is like the filter`(filter: String, runs: [Int]) {
        var explorer = explorer
        // The stories are of 2026-11-20, 21:00.
        explorer.state.origin = Date(timeIntervalSince1970: 1_795_208_400)
        explorer.tick(60_000)
        explorer.press("/")
        explorer.type(filter)
        explorer.press("Enter")
        #expect(explorer.state.filteredHistory.map(\.rawValue) == runs)
        explorer.press("Esc")
        #expect(explorer.state.filteredHistory.map(\.rawValue) == [3, 2, 1])
    }

    @Test func `what is looked for may be further back: the history is read on`() {
        var explorer = ExplorerDriver()
        explorer.state.keepsHistory = true
        explorer.send(.collectionLoaded(ShopCollection.collection))
        func page(_ numbers: ClosedRange<Int64>) -> [PastRun] {
            numbers.reversed().map {
                PastRun(
                    number: $0, date: Date(timeIntervalSince1970: Double($0)), request: ShopCollection.reference("login"),
                    title: "login", url: "http://h/login", state: .succeeded, status: $0 == 7 ? 503 : 200)
            }
        }
        explorer.send(.pastRunsLoaded(page(101...200), in: ShopCollection.path))
        explorer.press("6 /")
        _ = explorer.takeEffects()
        explorer.type("status:503")
        #expect(explorer.takeEffects().contains(.loadPastRuns(in: ShopCollection.path, before: 101)))
        explorer.send(.pastRunsLoaded(page(1...100), in: ShopCollection.path))
        explorer.press("Enter")
        #expect(explorer.state.filteredHistory == [OperationID(past: 7)])
    }
}
