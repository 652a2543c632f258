import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `The history pane` {
    private var explorer: ExplorerDriver {
        var explorer = ExplorerDriver.having(
            .success(), .tlsFailure().renumbered(2), .cancelled().renumbered(3), .downloading(at: 500, operation: 4),
            of: ["login", "orders/one", "orders/list", "admin/purge"])
        explorer.press(.focusHistory)
        _ = explorer.takeEffects()
        return explorer
    }

    @Test func `lists every run that ended, the newest first`() {
        #expect(explorer.state.operations.finished.map(\.rawValue) == [3, 2, 1])
    }

    @Test func `Enter shows a run again, with its request`() {
        var explorer = explorer
        explorer.press(.down, .down, .activate)
        #expect(explorer.state.operations.selected == OperationID(rawValue: 1))
        #expect(explorer.state.selectedRequest == ShopCollection.reference("login"))
        #expect(explorer.state.screen.focus == .response)
        #expect(explorer.state.shownResponse?.entry.id == OperationID(rawValue: 1))
    }

    @Test func `r sends the selected one again`() {
        var explorer = explorer
        explorer.press(.down, .replay)
        let definition = ShopCollection.collection.request(RequestID(rawValue: "orders/one"))!
        #expect(explorer.takeEffects() == [.send(definition, in: ShopCollection.path, environment: nil)])
    }

    @Test func `a replay sends what was sent, whatever became of the file`() {
        var explorer = explorer
        var other = ShopCollection.collection
        other.nodes = []
        explorer.send(.collectionLoaded(other))
        _ = explorer.takeEffects()
        explorer.press(.focusHistory)
        explorer.press(.bottom, .replay)
        let definition = ShopCollection.collection.request(RequestID(rawValue: "login"))!
        #expect(explorer.takeEffects().contains(.send(definition, in: ShopCollection.path, environment: nil)))
    }

    @Test(arguments: [(60, 20), (80, 24), (120, 40), (200, 60)])
    func `opens on the run that is shown, each row with its date and how long it took, and Esc goes back`(columns: Int, rows: Int) {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        for number in 1...50 { explorer.run(.success(operation: number), of: "login") }
        explorer.press(.focusResponse, .focusHistory)
        let text = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text
        let marked = text.split(separator: "\n").first { $0.contains("▸ ") && $0.contains("✓ 200") }
        #expect(marked?.contains(/\d\d-\d\d \d\d:\d\d.* login +✓ 200 +\d+ ms/) == true, "\(text)")
        explorer.press("Esc")
        #expect(explorer.state.screen.focus == .response)
    }

    @Test func `is searched by title and result`() {
        var explorer = explorer
        explorer.press(.search)
        explorer.type("failed")
        explorer.press("Enter")
        explorer.press(.activate)
        #expect(explorer.state.operations.selected == OperationID(rawValue: 2))
    }
}

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

/// Runs of former sessions in the history pane.
@Suite struct PastRunTests {
    private func run(_ number: Int64, _ id: String = "login") -> PastRun {
        PastRun(
            number: number, date: Date(timeIntervalSince1970: 1_800_000_000), request: ShopCollection.reference(id), title: id,
            url: "http://h/\(id)", state: .succeeded, status: 200, duration: .milliseconds(12))
    }

    private func driver() -> ExplorerDriver {
        var explorer = ExplorerDriver([])
        explorer.state.pastRuns.isKept = true
        explorer.send(.collectionLoaded(ShopCollection.collection))
        return explorer
    }

    private var login: RequestDefinition { ShopCollection.collection.request(RequestID(rawValue: "login"))! }

    @Test func `the first page is asked for when a collection opens, once`() {
        var explorer = driver()
        #expect(explorer.takeEffects() == [.loadPastRuns(in: ShopCollection.path, before: nil)])
        explorer.send(.collectionLoaded(ShopCollection.collection))
        #expect(explorer.takeEffects() == [])
        var other = ExplorerDriver()
        #expect(other.takeEffects() == [], "without a history nothing is asked for")
    }

    @Test func `they follow those of this session, and one that is of this session is no second row`() {
        var explorer = driver()
        explorer.run(.success(), of: "login")
        let own = OperationID(rawValue: 1)
        explorer.send(.pastRunsLoaded([run(9), run(7), run(3)], in: ShopCollection.path))
        explorer.send(.runRecorded(own, 9))
        #expect(explorer.state.historyRows == [own, OperationID(past: 7), OperationID(past: 3)])
        explorer.send(.runRecorded(own, 10))
        explorer.send(.pastRunsLoaded([run(10)], in: ShopCollection.path))
        #expect(explorer.state.historyRows == [own, OperationID(past: 7), OperationID(past: 3)])
    }

    @Test func `the next page is read when the cursor nears the end, and only while there is more`() {
        var explorer = driver()
        explorer.send(.pastRunsLoaded((101...200).reversed().map { run($0) }, in: ShopCollection.path))
        explorer.press(.focusHistory)
        explorer.press(.down)
        _ = explorer.takeEffects()
        explorer.press(.bottom)
        #expect(explorer.takeEffects() == [.loadPastRuns(in: ShopCollection.path, before: 101)])
        explorer.press(.bottom)
        #expect(explorer.takeEffects() == [], "it is on its way")
        explorer.send(.pastRunsLoaded([run(4)], in: ShopCollection.path))
        explorer.press(.bottom)
        #expect(explorer.takeEffects() == [], "there is no more")
        #expect(explorer.state.historyRows.last == OperationID(past: 4))
    }

    @Test func `Enter reads one and shows it with its body`() {
        var explorer = driver()
        explorer.send(.pastRunsLoaded([run(7)], in: ShopCollection.path))
        explorer.press(.focusHistory)
        explorer.press(.activate)
        #expect(explorer.takeEffects().last == .loadPastRun(7, for: .show))
        #expect(explorer.state.screen.focus == .response)
        let response = Response(.success(), body: Data(#"{"a": 1}"#.utf8))
        explorer.send(
            .pastRunLoaded(
                PastRunContents(number: 7, sent: SentRequest(login, in: ShopCollection.path), response: response), for: .show))
        let id = OperationID(past: 7)
        #expect(explorer.state.operations.selected == id)
        #expect(explorer.state.selectedRequest == ShopCollection.reference("login"))
        #expect(explorer.takeEffects() == [.prepareBody(id, .pretty)])
        explorer.press(.focusHistory)
        explorer.press(.activate)
        #expect(explorer.takeEffects() == [], "it is there already")
        #expect(explorer.state.historyRows == [id])
        #expect(explorer.state.operations.queued == [])
    }

    @Test func `one that comes too late doesn't take the screen`() {
        var explorer = driver()
        explorer.run(.success(), of: "orders/create")
        explorer.send(.pastRunsLoaded([run(7)], in: ShopCollection.path))
        explorer.press(.focusHistory)
        explorer.press(.down, .activate, .focusHistory, .top, .activate)
        explorer.send(
            .pastRunLoaded(
                PastRunContents(number: 7, sent: SentRequest(login, in: ShopCollection.path), response: Response(.success())),
                for: .show))
        #expect(explorer.state.operations.selected == OperationID(rawValue: 1))
    }

    @Test func `r sends it again as it was then`() {
        var explorer = driver()
        explorer.send(.pastRunsLoaded([run(7)], in: ShopCollection.path))
        explorer.press(.focusHistory)
        explorer.press(.replay)
        #expect(explorer.takeEffects().last == .loadPastRun(7, for: .replay))
        var then = login
        then.method = "PATCH"
        explorer.send(
            .pastRunLoaded(
                PastRunContents(
                    number: 7, sent: SentRequest(then, in: ShopCollection.path, environment: "staging"),
                    response: Response(.success())),
                for: .replay))
        #expect(explorer.takeEffects() == [.send(then, in: ShopCollection.path, environment: "staging")])
    }

    @Test func `a search finds them, too`() {
        var explorer = driver()
        explorer.send(.pastRunsLoaded([run(7), run(6, "orders/one")], in: ShopCollection.path))
        _ = explorer.takeEffects()
        explorer.press(.focusHistory, .search)
        explorer.type("orders")
        explorer.press("Enter")
        explorer.press(.activate)
        #expect(explorer.takeEffects() == [.loadPastRun(6, for: .show)])
    }

    @Test(arguments: [
        ("status:5xx", [6]), ("status:5", [6]), ("status:2xx", [7, 3]), ("status:404 orders", []), ("orders", [6, 3]), ("TLS", [5]),
        ("status:tls", [5]), ("since:2d", [7, 6]), ("since:2d status:200", [7]), ("since:", [7, 6, 5, 3]),
        ("status:", [7, 6, 5, 3]), ("is:failed", [5]), ("over:1500ms", [6]), ("over:1s status:5xx", [6]),
        ("503 one", [6]), ("staging", [3]), ("", [7, 6, 5, 3]),
    ])
    func `only rows with what is looked for are seen, by status, time, request and text`(text: String, expected: [Int64]) {
        var explorer = driver()
        var runs = [run(7), run(6, "orders/one"), run(5), run(3, "orders/list")]
        runs[1].status = 503
        runs[1].duration = .seconds(2)
        (runs[2].status, runs[2].state, runs[2].errorType) = (nil, .failed, "tls.certificate_invalid")
        runs[2].date -= 3 * 86_400
        runs[3].date -= 5 * 86_400
        runs[3].environment = "staging"
        explorer.send(.pastRunsLoaded(runs, in: ShopCollection.path))
        explorer.press(.focusHistory, .search)
        explorer.type(text)
        #expect(explorer.state.shownHistoryRows == expected.map { OperationID(past: $0) })
        // Esc shows all again.
        explorer.press("Esc")
        #expect(explorer.state.shownHistoryRows.count == 4)
    }

    @Test func `n and N go round among the rows that are seen`() {
        var explorer = driver()
        explorer.send(.pastRunsLoaded([run(7), run(6, "orders/one"), run(5), run(4, "orders/two")], in: ShopCollection.path))
        explorer.press(.focusHistory, .search)
        explorer.type("orders")
        _ = explorer.takeEffects()
        explorer.press("Enter")
        explorer.press(.nextMatch, .activate)
        #expect(explorer.takeEffects() == [.loadPastRun(4, for: .show)])
        explorer.press(.focusHistory, .nextMatch, .activate)
        #expect(explorer.takeEffects() == [.loadPastRun(6, for: .show)])
    }

    // MARK: Comparing

    @Test func `c marks a run, and on another one compares the two, the older one first`() {
        var explorer = driver()
        explorer.send(.pastRunsLoaded([run(7), run(6, "orders/one"), run(5)], in: ShopCollection.path))
        _ = explorer.takeEffects()
        explorer.press(.focusHistory)
        explorer.press(.compare)
        #expect(explorer.state.panes.history.marked == OperationID(past: 7))
        explorer.press(.down, .compare)
        #expect(explorer.takeEffects() == [.compareRuns(OperationID(past: 6), OperationID(past: 7))])
        #expect(explorer.state.panes.history.marked == nil)
        explorer.press(.compare, .up, .compare)
        #expect(explorer.takeEffects() == [.compareRuns(OperationID(past: 6), OperationID(past: 7))])
    }

    @Test func `c twice takes the run before it of the same request`() {
        var explorer = driver()
        explorer.send(.pastRunsLoaded([run(7), run(6, "orders/one"), run(5)], in: ShopCollection.path))
        _ = explorer.takeEffects()
        explorer.press(.focusHistory)
        explorer.press(.compare, .compare)
        #expect(explorer.takeEffects() == [.compareRuns(OperationID(past: 5), OperationID(past: 7))])
        explorer.press(.bottom, .compare, .compare)
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.notice == Notice(.info, "there is no earlier run of this request to compare with"))
    }

    @Test func `what came out is scrolled, and goes away`() {
        var explorer = driver()
        let run = ComparedRun(title: "login", date: nil, response: Response(.success()), body: "a\nb")
        explorer.send(.runsCompared(Comparison(RunComparison(run, run))))
        explorer.press("Down Down Up")
        guard case .comparison = explorer.state.overlay else {
            Issue.record("no comparison")
            return
        }
        explorer.press("Esc")
        #expect(explorer.state.overlay == nil)
    }
}

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
