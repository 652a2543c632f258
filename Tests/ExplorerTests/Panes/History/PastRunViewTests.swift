import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Testing

@testable import Explorer

@Suite struct PastRunViewTests {
    private var explorer: ExplorerDriver {
        var explorer = ExplorerDriver.having(.success(), of: ["login"])
        let day = Date(timeIntervalSince1970: 1_800_000_000)
        explorer.send(
            .pastRunsLoaded(
                [
                    PastRun(
                        number: 7, date: day, request: ShopCollection.reference("login"), title: "login", url: "http://h/",
                        state: .succeeded, status: 500, duration: .milliseconds(31), attempts: 3),
                    PastRun(
                        number: 6, date: day, request: ShopCollection.reference("orders/one"), title: "orders/one",
                        url: "http://h/",
                        state: .failed, error: "no way", duration: .seconds(2)),
                ], in: ShopCollection.path))
        return explorer
    }

    @Test func `former runs have their day, and the one to be compared a sign`() {
        var explorer = explorer
        explorer.press(.focusHistory)
        explorer.press(.down, .compare, .down)
        expectPane(.history, of: explorer, 80, 6, "history-past")
        expectPane(.history, of: explorer, 30, 6, "history-past")
    }

    @Test func `a former run says that it is one`() {
        var explorer = explorer
        let login = ShopCollection.collection.request(RequestID(rawValue: "login"))!
        explorer.press(.focusHistory)
        explorer.press(.down, .activate)
        explorer.send(
            .pastRunLoaded(
                PastRunContents(
                    number: 7, sent: SentRequest(login, in: ShopCollection.path, environment: "local"),
                    response: Response(.success()),
                    lacksBody: true), for: .show))
        expectScreen(explorer.state, "120x40-past-run")
    }

    @Test func `two runs are held against each other`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        var new = Response(.success())
        new.info?.head.status = .internalServerError
        new.info?.head.headers[.server] = "b"
        let body = "{\n  \"id\": 1,\n  \"name\": \"ada\"\n}"
        explorer.send(
            .runsCompared(
                Comparison(
                    RunComparison(
                        ComparedRun(title: "login", date: nil, response: Response(.success()), body: body),
                        ComparedRun(title: "login", date: nil, response: new, body: body.replacing("ada", with: "eve"))))))
        expectScreen(explorer.state, "80x24-comparison")
        explorer.press("End")
        expectScreen(explorer.state, "80x24-comparison-end")
    }
}
