import ExplorerModel
import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

@Suite struct HistoryPaneViewTests {
    @Test func `an empty history says what will be there`() {
        expectPane(.history, of: ExplorerState(size: Size(columns: 80, rows: 24)), 40, 6, "history-nothing")
    }

    @Test(arguments: [(80, 8), (31, 8)])
    func `every run is kept, failures and cancelled ones too`(columns: Int, rows: Int) {
        let scripts = [EventScript.success(), .tlsFailure(), .cancelled(), .redirects(), .downloading(at: 100)].enumerated().map {
            $0.element.renumbered($0.offset + 1)
        }
        var state = ExplorerState.having(scripts, names: ["auth/login", "tls/expired", "slow", "redirect/three", "large"])
        state.press("6", "j")
        expectPane(.history, of: state, columns, rows, "history")
    }
}
