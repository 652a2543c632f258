import ExplorerModel
import ExplorerTesting
import NetworkLayer
import RequestCollections
import TerminalUI
import Testing

@Suite struct `The explorer's screens` {
    @Test func `at 120x40 all panes have a place`() {
        var explorer = ExplorerDriver(columns: 120, rows: 40)
        explorer.pick("orders/create")
        expectScreen(explorer.state, "120x40-start")
    }

    @Test func `at 80x24 the operation stays on top and the request below`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("orders/create")
        expectScreen(explorer.state, "80x24-start")
    }

    @Test func `at 40x10 only the focused pane is there`() {
        var explorer = ExplorerDriver(columns: 40, rows: 10)
        expectScreen(explorer.state, "40x10-collection")
        explorer.pick("orders/create")
        explorer.press("2")
        expectScreen(explorer.state, "40x10-request")
    }

    @Test func `a terminal without room says so`() {
        let explorer = ExplorerDriver(columns: 20, rows: 5)
        expectScreen(explorer.state, "20x5")
    }

    @Test func `each tab of the request has its rows`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("orders/create")
        explorer.press("2")
        expectScreen(explorer.state, "80x24-request-url")
        explorer.press("]")
        expectScreen(explorer.state, "80x24-request-headers")
        explorer.press("]")
        expectScreen(explorer.state, "80x24-request-body")
        explorer.press("]")
        expectScreen(explorer.state, "80x24-request-auth")
        explorer.press("]")
        expectScreen(explorer.state, "80x24-request-policy")
    }

    @Test func `a header is edited where it stands`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("orders/create")
        explorer.press("2 ] a")
        explorer.type("x-trace")
        explorer.press("Tab")
        explorer.type("日本")
        expectScreen(explorer.state, "80x24-edit-header")
    }

    @Test func `the filter shows what matches and where it lies`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.press("/")
        explorer.type("or cr")
        expectScreen(explorer.state, "80x24-filter")
    }

    @Test func `help and palette list commands with their keys`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.press("?")
        expectScreen(explorer.state, "80x24-help")
        explorer.press("Esc :")
        explorer.type("th")
        expectScreen(explorer.state, "80x24-palette")
    }

    @Test func `choosers and questions lie over the panes`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.pick("orders/create")
        explorer.press("v")
        expectScreen(explorer.state, "80x24-environments")
        explorer.press("j Enter 2 Space j Space q")
        expectScreen(explorer.state, "80x24-quit")
    }

    @Test func `files that can't be read are rows`() {
        var broken = ShopCollection.collection
        broken.problems = [
            CollectionProblem(
                location: ShopCollection.place(4, "orders/export.yaml"), message: "unknown key \"boddy\": did you mean \"body\"?")
        ]
        var explorer = ExplorerDriver([broken], columns: 80, rows: 24)
        explorer.press("G Enter")
        expectScreen(explorer.state, "80x24-problem")
    }

    @Test func `several collections are roots of one tree`() {
        var other = RequestCollection(path: "/other", name: "Other")
        other.nodes = [.request(ShopCollection.request("ping", "GET", "http://localhost/ping"))]
        var explorer = ExplorerDriver([ShopCollection.collection, other], columns: 80, rows: 24)
        explorer.pick("ping")
        expectScreen(explorer.state, "80x24-two-collections")
    }
}
