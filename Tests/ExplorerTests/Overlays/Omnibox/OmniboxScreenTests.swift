import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import Presentation
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// One line for everything, and letters on everything, as they look at four sizes.
@Suite struct `The omnibox on the screen` {
    static let sizes = [(160, 50), (120, 40), (80, 24), (40, 10)]

    @Test(arguments: sizes)
    func `show what was found, what it is, what became of it, and the key that does the same`(columns: Int, rows: Int) {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.run(.success(), of: "orders/list", body: Data("{\"id\":42}".utf8))
        explorer.press(.focusCollection)
        explorer.press(.palette)
        explorer.type("ord")
        expectScreen(explorer.state, "\(columns)x\(rows)-omnibox")
    }

    @Test(arguments: sizes)
    func `make a pasted command a request at the top, and don't show what is secret in it`(columns: Int, rows: Int) {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.press(.palette)
        explorer.paste("curl https://api.example.org/orders?page=2 -H 'accept: text/plain'")
        expectScreen(explorer.state, "\(columns)x\(rows)-omnibox-curl")
    }

    @Test func `with nothing typed have what was used last, and then all commands`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        var book = RecentUses()
        book.use("request /shop orders/one", at: 1)
        book.use("environment /shop staging", at: 2)
        explorer.send(.usesCounted(book))
        explorer.press(.palette)
        expectScreen(explorer.state, "80x24-omnibox-recent")
    }
}
