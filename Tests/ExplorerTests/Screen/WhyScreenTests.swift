import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// The card that says why, whole screens of it.
@Suite struct `The card why` {
    private func explorer(_ script: EventScript, _ columns: Int, _ rows: Int) -> ExplorerDriver {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.pick("login")
        explorer.press(.send)
        explorer.run(script, of: "login")
        return explorer
    }

    @Test(arguments: [(160, 50), (120, 40), (80, 24), (40, 10)])
    func `of a certificate has what it says of itself, and the key that trusts it`(columns: Int, rows: Int) {
        var explorer = explorer(.tlsFailure(), columns, rows)
        explorer.press(.why)
        expectScreen(explorer.state, "\(columns)x\(rows)-why-certificate")
    }

    @Test func `is named below what went wrong, and beside the verdict`() {
        expectScreen(explorer(.idleTimeout(), 120, 40).state, "120x40-why-hint")
    }

    @Test func `of a timeout has the setting, and who says it`() {
        var explorer = explorer(.idleTimeout(), 80, 24)
        explorer.press(.why)
        explorer.press("Down")
        expectScreen(explorer.state, "80x24-why-timeout")
    }

    @Test func `of what was not sent offers to set the variable`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("login")
        explorer.press(.send)
        explorer.send(
            .sendFailed(
                ShopCollection.reference("login"), message: "the variable `password` has no value", missing: "password",
                code: .variable, at: ShopCollection.place(3, "login.yaml")))
        expectScreen(explorer.state, "80x24-why-variable")
        explorer.press("Esc")
        expectScreen(explorer.state, "80x24-not-sent")
    }
}
