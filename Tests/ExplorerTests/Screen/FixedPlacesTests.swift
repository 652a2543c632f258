import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Presentation
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// What a reader relies on: one place for the verdict, whole figures, one word for one thing, and nothing that covers another.
@Suite struct `What has a fixed place on the screen` {
    private static let sizes = [(80, 24), (120, 40), (160, 50), (200, 60)]

    private func text(_ explorer: ExplorerDriver) -> [String] {
        ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text.split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
    }

    private func done(_ columns: Int, _ rows: Int) -> ExplorerDriver {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.pick("orders/create")
        explorer.run(.success(), of: "orders/create", body: Data(#"{"id":"ord_81F2","status":"confirmed"}"#.utf8))
        return explorer
    }

    @Test func `what went wrong is told once`() {
        for (columns, rows) in Self.sizes {
            var explorer = ExplorerDriver(columns: columns, rows: rows)
            explorer.pick("orders/list")
            explorer.run(.tlsFailure(), of: "orders/list")
            let sentence = text(explorer).filter { $0.contains("ran out on") }
            #expect(sentence.count == 1, "\(columns)x\(rows): \(sentence)")
            if columns == 120 { expectScreen(explorer.state, "120x40-failed") }
        }
    }

    @Test(arguments: [(40, 10), (60, 16), (80, 24), (120, 40)])
    func `no figure of the verdict is cut`(columns: Int, rows: Int) {
        var running = ExplorerDriver(columns: columns, rows: rows)
        running.pick("orders/create")
        running.press(.send)
        running.run(.downloading(at: 1350), of: "orders/create")
        running.tick(1_350)
        var checked = done(columns, rows)
        checked.send(
            .runReported(
                OperationID(rawValue: 1),
                RunReport(
                    expectations: (0..<12).map {
                        .init(subject: .status, expected: "2", found: "200", isMet: $0 > 1, location: ShopCollection.place(5))
                    })))
        for (explorer, sign) in [(running, "▶ recv"), (checked, "✗ 200 OK")] {
            let verdict = text(explorer).first { $0.contains(sign) }
            #expect(verdict?.contains("…") == false, "\(verdict ?? "no verdict")")
        }
    }

    @Test func `help touches neither the panes' borders nor the status line`() {
        var explorer = ExplorerDriver(columns: 80, rows: 24)
        explorer.press(.help)
        let rows = text(explorer)
        #expect(rows[22].hasPrefix("└──────") && rows[22].hasSuffix("──┘"))
        #expect(rows[21].contains("└"))
    }

    @Test func `one that was cancelled isn't called stopped anywhere`() {
        var explorer = ExplorerDriver(columns: 120, rows: 40)
        explorer.pick("admin/purge")
        explorer.run(.cancelled(), of: "admin/purge")
        let screen = text(explorer).joined(separator: "\n")
        #expect(!screen.contains("stop"))
        #expect(screen.contains("■ cancelled"))
    }

    @Test func `while the request is edited, the verdict of what was sent is dim`() {
        let theme = Theme(name: "marks", styles: [.stale: Style(attributes: .dim)])
        for (columns, rows) in Self.sizes + [(40, 10)] {
            var explorer = done(columns, rows)
            func isDim(_ explorer: ExplorerDriver) -> Bool? {
                let frame = ExplorerView.frame(for: explorer.state, theme: theme)
                guard let row = text(explorer).firstIndex(where: { $0.contains("✓ 200 OK ") }) else { return nil }
                let column = (0..<columns).last { frame[$0, row].character == "✓" && frame[$0 + 2, row].character == "2" }
                return column.map { frame[$0, row].style.attributes.contains(.dim) }
            }
            explorer.press(.focusRequest)
            #expect(isDim(explorer) == true, "\(columns)x\(rows)")
            explorer.press(.focusResponse)
            #expect(isDim(explorer) == false)
        }
    }

    @Test func `the answer of another environment is dim once that is left`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.run(.success(), of: "orders/create", in: "local")
        #expect(explorer.state.showsOtherEnvironment)
        explorer.press(.chooseEnvironment)
        explorer.press("Home Enter")
        #expect(explorer.state.environment == "local" && !explorer.state.showsOtherEnvironment)
    }

    @Test func `no notice pushes the ways out off the status line`() {
        for columns in [40, 60, 80, 120] {
            var explorer = ExplorerDriver(columns: columns, rows: 24)
            explorer.send(.notice(Notice(.info, String(repeating: "many words ", count: 20) + "and a reason")))
            let line = text(explorer).last ?? ""
            #expect(line.hasSuffix(columns < 60 ? ":  ?  q" : ": all  ? help  q quit"), "\(line)")
        }
    }

    @Test func `a notice that is longer than the status line is seen whole, until the next key`() {
        let words = (1...30).map { "word\($0)" }
        for (columns, rows) in [(40, 24), (80, 24), (100, 30), (200, 50)] {
            var explorer = ExplorerDriver(columns: columns, rows: rows)
            let before = text(explorer)
            explorer.send(.notice(Notice(.warning, words.joined(separator: " "))))
            let seen = text(explorer).suffix(rows / 2).joined(separator: " ").split(separator: " ")
            #expect(words.allSatisfy { seen.contains(Substring($0)) }, "\(columns)x\(rows)")
            explorer.press("F12")
            #expect(text(explorer) == before)
        }
    }

    @Test func `a notice without room for all of it ends in an ellipsis`() {
        var explorer = ExplorerDriver(columns: 40, rows: 10)
        explorer.send(.notice(Notice(.error, (1...90).map { "word\($0)" }.joined(separator: " "))))
        #expect(text(explorer).dropLast().last?.contains("…") == true)
        #expect(text(explorer)[4].contains("word1") == false)
    }

    @Test func `a scrollbar leaves the corners of borders alone`() {
        for rows in 16...40 {
            var explorer = ExplorerDriver(
                [Self.long], columns: 80, rows: rows)
            explorer.press(.focusCollection)
            for _ in 0..<60 {
                explorer.press(.down)
                let layout = explorer.state.layout
                guard let tree = layout.panes[.collection], let operation = layout.operationRail else { return }
                let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
                #expect(frame[tree.endColumn - 1, operation.row].character == "├", "\(rows) rows")
                #expect((0..<rows).contains { frame[tree.endColumn - 1, $0].character == "┃" })
            }
        }
    }

    private static let long: RequestCollection = {
        var collection = RequestCollection(path: "/long", name: "Long")
        collection.nodes = (0..<90).map { .request(ShopCollection.request("request-\($0)", "GET", "http://localhost/\($0)")) }
        return collection
    }()
}
