import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct QueuePaneViewTests {
    @Test func `an empty queue says so`() {
        expectPane(.queue, of: ExplorerDriver(), 40, 6, "queue-nothing")
    }

    @Test func `what is waited for has a name, in the queue and in the operation`() {
        var waiting = EventScript(operation: 3)
        waiting.enqueue(at: 1_000)
        waiting.move(at: 1_000, to: .waiting(.backoff))
        waiting.at(1_000, .waitsFor(.backoff(key: "shop.test", until: EventScript.time(4_500))))
        var explorer = ExplorerDriver.having(waiting, of: ["orders/list"])
        explorer.tick(1_500)
        explorer.press(.focusQueue)
        expectPane(.queue, of: explorer, 80, 5, "queue-waits-for")
        expectPane(.operation, of: explorer, 60, 8, "operation-waits-for")
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
