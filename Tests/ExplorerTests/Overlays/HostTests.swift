import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Explorer

/// `H`: what goes on at each host.
@Suite struct HostBoardTests {
    @Test func `each host says what goes to it, what came of it, and when it is tried again`() {
        var explorer = ExplorerDriver.having(
            .success(operation: 1), .downloading(at: 500, operation: 2), .waitingToRetry(operation: 3))
        explorer.tick(1_000)
        explorer.press(.hosts)
        #expect(explorer.state.overlay == .hosts(HostBoard(host: "api.example.org")))
        let row = explorer.state.hostRows.first
        #expect(row?.host == "api.example.org" && row?.running == 1 && row?.waiting == 1 && row?.ended == 1 && row?.good == 1)
        #expect(row?.last == "503" && row?.isLastGood == false)
        #expect(row?.retry == EventScript.time(4_374))
        _ = explorer.takeEffects()
        explorer.press("x")
        #expect(
            explorer.takeEffects() == [
                .cancel(OperationID(rawValue: 2), "the user"), .cancel(OperationID(rawValue: 3), "the user"),
            ])
        explorer.press("Esc")
        #expect(explorer.state.overlay == nil)
    }

    @Test func `what goes to another host than the one that was chosen isn't cancelled`() {
        var explorer = ExplorerDriver.having(.downloading(at: 500, operation: 1))
        explorer.press(.hosts)
        explorer.state.overlay = .hosts(HostBoard(host: "gone.example.org"))
        _ = explorer.takeEffects()
        explorer.press("x")
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.notice?.text == "nothing goes to gone.example.org any more")
    }

    @Test func `the key that has opened the board closes it, whichever it is`() {
        var explorer = ExplorerDriver.having(.success(operation: 1))
        explorer.state.keymap = Keymap(overrides: [.hosts: [.character("%")]])
        explorer.press("%")
        #expect(explorer.state.overlay != nil)
        explorer.press("%")
        #expect(explorer.state.overlay == nil)
    }

    @Test func `Space keeps the pauses that hosts ask for, and says how long they are`() {
        var explorer = ExplorerDriver.having(.success(operation: 1))
        explorer.press(.hosts)
        explorer.press("Space")
        #expect(explorer.takeEffects().contains(.setBackoff(true)))
        explorer.event(
            OperationID(rawValue: 1), .backoffSignalled(key: "api.example.org", BackoffBehavior(pause: .seconds(4))), at: 1_000)
        explorer.tick(2_000)
        #expect(explorer.state.hostRows.first?.pause == EventScript.time(5_000))
        explorer.tick(6_000)
        #expect(explorer.state.hostRows.first?.pause == nil)
        explorer.press("Space")
        #expect(explorer.takeEffects().contains(.setBackoff(false)))
    }

    @Test func `the cursor stays on its host, wherever that goes`() {
        let rows = ["a", "b", "c"].map { HostRow(host: $0) }
        let board = HostBoard(host: "b")
        #expect(board.selected(of: rows) == 1)
        #expect(board.selected(of: [rows[1], rows[0]]) == 0)
        #expect(board.selected(of: []) == 0)
    }

    @Test func `before anything was sent there is nothing to see`() {
        var explorer = ExplorerDriver()
        explorer.press(.hosts)
        #expect(explorer.state.overlay == nil && explorer.state.notice?.text == "nothing was sent yet")
    }
}

/// `H`: whole screens.
@Suite struct `The hosts on the screen` {
    @Test(arguments: [(160, 50), (120, 40), (80, 24), (40, 10)])
    func `each has what goes to it, what came of it, and how long it is left alone`(columns: Int, rows: Int) {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.run(.success(operation: 1), of: "orders/list")
        explorer.run(.tlsFailure().renumbered(2), of: "admin/purge")
        explorer.run(.waitingToRetry(operation: 3), of: "orders/create")
        explorer.event(
            OperationID(rawValue: 1), .backoffSignalled(key: "slow.example.org", BackoffBehavior(pause: .seconds(4))), at: 1_000)
        explorer.tick(2_000)
        explorer.press(.hosts)
        expectScreen(explorer.state, "\(columns)x\(rows)-hosts")
    }
}
