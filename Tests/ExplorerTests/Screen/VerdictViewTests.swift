import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import Presentation
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `Verdicts on the screen` {
    private static let failed = RunReport(expectations: [
        ExpectationResult(subject: .status, expected: "201", found: "200", isMet: false, location: ShopCollection.place(5))
    ])

    /// One of each kind.
    private var explorer: ExplorerDriver {
        var explorer = ExplorerDriver(columns: 120, rows: 40)
        explorer.run(.success(), of: "login")
        explorer.send(.runReported(OperationID(rawValue: 1), Self.failed))
        explorer.run(.answered(503).renumbered(2), of: "orders/create")
        explorer.run(.tlsFailure().renumbered(3), of: "orders/list")
        let one = SentRequest(ShopCollection.request("orders/one", "GET", "{{host}}/orders/:id"), in: ShopCollection.path)
        explorer.send(
            .runStopped(
                one, message: "`login` is needed first, and failed: status is not 201",
                at: Date(timeIntervalSince1970: 1_795_208_400)))
        explorer.run(.cancelled().renumbered(4), of: "admin/purge")
        explorer.pick("login")
        return explorer
    }

    @Test func `are the same in tree, operation and history`() {
        expectScreen(explorer.state, "120x40-verdicts")
        var stopped = explorer
        stopped.pick("orders/one")
        expectScreen(stopped.state, "120x40-stopped")
    }

    @Test(arguments: [(3, ""), (5, "and 2 more on the tab checks")])
    func `say above the body how many more there are than it shows`(count: Int, rest: String) {
        let unmet = (0..<count).map { index in
            ExpectationResult(
                subject: .filter(".f\(index)"), expected: "1", found: "2", isMet: false, location: ShopCollection.place(index + 5))
        }
        var explorer = ExplorerDriver(columns: 120, rows: 40)
        explorer.run(.success(), of: "login")
        explorer.send(.runReported(OperationID(rawValue: 1), RunReport(expectations: unmet)))
        let screen = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text
        #expect(screen.contains("body .f2 1, found 2"))
        #expect(!screen.contains("body .f3"))
        #expect(screen.contains("more on the tab checks") == !rest.isEmpty)
        #expect(rest.isEmpty || screen.contains(rest))
    }

    @Test func `are never green when something is left to look at`() {
        var theme = Theme(name: "green")
        let green = Style(foreground: Color(red: 0, green: 255, blue: 0))
        for role in [ThemeRole.success, .status2xx, .stateSucceeded, .methodGet] { theme.styles[role] = green }
        theme.styles[.methodGet] = .plain
        for request in ["login", "orders/create", "orders/list", "orders/one", "admin/purge"] {
            var explorer = explorer
            explorer.pick(request)
            let panes = explorer.state.layout.panes
            let frame = ExplorerView.frame(for: explorer.state, theme: theme)
            let places = [panes[.collection], panes[.history], explorer.state.layout.operationLine]
            for rect in places.compactMap(\.self) {
                for row in rect.row..<rect.endRow {
                    for column in rect.column..<rect.endColumn where frame[column, row].style == green {
                        Issue.record("green at \(column), \(row), with \(request)")
                        return
                    }
                }
            }
        }
    }

    @Test(arguments: [(80, 24), (120, 40)])
    func `while it waits to retry all of it is there, with the body that came`(columns: Int, rows: Int) {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.pick("orders/create")
        explorer.press(.send)
        explorer.run(.waitingToRetry(), of: "orders/create")
        explorer.tick(1_774)
        let document = BodyDocument(BodyBytes(Data(#"{"error":"overloaded","retry":true}"#.utf8)), contentType: "application/json")
        document.extendIndexToEnd()
        explorer.send(.bodyArrived(OperationID(rawValue: 1), document, bytes: 35))
        expectScreen(explorer.state, "\(columns)x\(rows)-retry")
    }
}

extension EventScript {
    /// Answered at once, with a status alone.
    fileprivate static func answered(_ status: Int) -> EventScript {
        var script = EventScript()
        script.start()
        script.attempt(at: 1, Request(url: URL(string: "http://api.example.org/orders")!))
        script.head(at: 2, status: status)
        script.endAttempt(at: 3)
        script.end(at: 3, .succeeded)
        return script
    }
}

/// Colours differ from theme to theme, and some eyes and terminals see none.
@Suite struct `What became of a run` {
    private static let all: [(verdict: Verdict, status: Int?)] =
        [(.passed, 200), (.completed(status: 503), 503), (.checkFailed, 200), (.stopped, nil), (.cancelled, nil)]
        + FailureKind.allCases.map { (verdict: Verdict.failed($0), status: Int?.none) }

    @Test func `is told by a sign and a word, never by a colour alone, also in ASCII`() {
        let texts = Self.all.map { VerdictText.short($0.verdict, status: $0.status).text }
        #expect(Set(texts).count == texts.count, "\(texts)")
        let plain = texts.map { String($0.map { ASCIIFallback.character(for: $0) }) }
        #expect(Set(plain).count == plain.count, "\(plain)")
        #expect(!plain.contains { $0.contains("?") })
    }

    @Test func `has a sign of its own for what is good, what is not, what was stopped and what was cancelled`() {
        let signs = [Verdict.passed, .completed(status: 503), .checkFailed, .stopped, .cancelled].map(\.sign)
        #expect(Set(signs).count == signs.count)
    }
}
