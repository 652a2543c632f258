import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Explorer

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
