import ExplorerModel
import ExplorerTesting
import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

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
        explorer.press("p")
        expectPane(.queue, of: explorer, columns, rows, "queue")
    }
}
