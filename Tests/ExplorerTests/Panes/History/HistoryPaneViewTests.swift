import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Explorer

@Suite struct HistoryPaneViewTests {
    @Test func `an empty history says what will be there`() {
        expectPane(.history, of: ExplorerDriver(), 40, 6, "history-nothing")
    }

    @Test(arguments: [(80, 8), (31, 8)])
    func `every run is kept, failures and cancelled ones too`(columns: Int, rows: Int) {
        var explorer = ExplorerDriver.having(
            .success(), .tlsFailure().renumbered(2), .cancelled().renumbered(3), .redirects().renumbered(4),
            .downloading(at: 100, operation: 5), of: ["auth/login", "tls/expired", "slow", "redirect/three", "large"])
        explorer.press(.focusHistory)
        explorer.press(.down)
        expectPane(.history, of: explorer, columns, rows, "history")
    }
}
