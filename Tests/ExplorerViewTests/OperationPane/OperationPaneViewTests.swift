import ExplorerModel
import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

@Suite struct OperationPaneViewTests {
    @Test func `before the first send it says which key sends`() {
        expectPane(.operation, of: ExplorerState(size: Size(columns: 80, rows: 24)), 60, 7, "operation-nothing")
    }

    @Test(arguments: [(118, 20), (60, 7), (45, 12), (40, 9)])
    func `a success shows its states, its attempt and what came`(columns: Int, rows: Int) {
        expectPane(.operation, of: .having([.success()]), columns, rows, "operation-success")
    }

    @Test(arguments: [10.0, 60, 1_350])
    func `a download fills in live, with a rate and the time that is left`(milliseconds: Double) {
        var state = ExplorerState.having([.downloading(at: milliseconds)])
        _ = state.handle(.tick(EventScript.time(milliseconds)))
        expectPane(.operation, of: state, 60, 9, "operation-download-\(Int(milliseconds))")
        expectPane(.operation, of: state, 40, 5, "operation-download-\(Int(milliseconds))")
    }

    @Test func `a download that stalls says so, and which timeout fires next`() {
        var state = ExplorerState.having([.downloading(at: 1_350)])
        _ = state.handle(.tick(EventScript.time(27_350)))
        expectPane(.operation, of: state, 60, 12, "operation-stalled")
    }

    @Test func `an upload shows how far it is`() {
        var state = ExplorerState.having([.uploading(at: 1_000)])
        _ = state.handle(.tick(EventScript.time(1_000)))
        expectPane(.operation, of: state, 60, 9, "operation-upload")
    }

    @Test(arguments: [(118, 14), (60, 7), (60, 12), (45, 12), (40, 9)])
    func `three redirects are four rows`(columns: Int, rows: Int) {
        expectPane(.operation, of: .having([.redirects()]), columns, rows, "operation-redirects")
    }

    @Test(arguments: [(118, 14), (60, 7), (40, 9)])
    func `a TLS failure says why, and in which phase`(columns: Int, rows: Int) {
        expectPane(.operation, of: .having([.tlsFailure()]), columns, rows, "operation-tls-failure")
    }

    @Test(arguments: [(80, 14), (60, 7)])
    func `a timeout says which one fired`(columns: Int, rows: Int) {
        expectPane(.operation, of: .having([.idleTimeout()]), columns, rows, "operation-timeout")
    }

    @Test func `what was cancelled says by whom`() {
        expectPane(.operation, of: .having([.cancelled()]), 60, 8, "operation-cancelled")
    }

    @Test func `attempts that were retried are all there, and one can be picked`() {
        var state = ExplorerState.having([.retries()])
        expectPane(.operation, of: state, 90, 12, "operation-retries")
        state.press("3", "k")
        #expect(state.shownAttempt?.number == 2)
        expectPane(.operation, of: state, 90, 5, "operation-retries-second")
    }

    @Test func `a paused queue says how to go on`() {
        var script = EventScript()
        script.enqueue()
        script.move(at: 1, to: .waiting(.queueSuspended))
        var state = ExplorerState.having([script])
        _ = state.handle(.tick(EventScript.time(5_000)))
        expectPane(.operation, of: state, 60, 8, "operation-paused")
    }
}
