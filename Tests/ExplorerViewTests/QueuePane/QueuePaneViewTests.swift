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

    @Test(arguments: [(80, 10), (31, 8)])
    func `what runs stands before what waits, and what has ended is gone`(columns: Int, rows: Int) {
        var waiting = EventScript(operation: 3)
        waiting.enqueue(at: 1_000)
        waiting.move(at: 1_000, to: .waiting(.concurrencyLimit))
        var explorer = ExplorerDriver.having(
            .success(operation: 1), .downloading(at: 1_350, operation: 2), waiting,
            of: ["auth/login", "files/large", "orders/list"])
        explorer.tick(1_500)
        explorer.press("5 p")
        expectPane(.queue, of: explorer, columns, rows, "queue")
    }
}
