import NetworkLayer
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Explorer

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
