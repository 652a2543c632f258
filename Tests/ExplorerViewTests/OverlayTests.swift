import ExplorerModel
import ExplorerTesting
import ExplorerView
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

/// What each overlay says of itself is so on the screen.
@Suite struct `What lies over the panes` {
    static let sizes = [(120, 40), (80, 24), (40, 10)]

    /// Everything that a command opens in some pane, and everything that comes up by itself.
    private func all(_ columns: Int, _ rows: Int) -> [(what: String, explorer: ExplorerDriver)] {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.run(.success())
        explorer.pick("orders/create")
        // What comes up by itself waits while somebody types.
        explorer.tick(5_000)
        var all: [(what: String, explorer: ExplorerDriver)] = []
        for command in Command.all {
            for pane in command.panes.sorted() {
                var other = explorer
                other.focus(pane)
                other.press(command.id)
                all.append(("\(command.id) in the \(pane)", other))
            }
        }
        for event in Self.events {
            var other = explorer
            other.send(event)
            all.append(("\(event)", other))
        }
        return all.filter { $0.explorer.state.overlay != nil }
    }

    private static let events: [ExplorerEvent] = {
        let run = ComparedRun(title: "login", date: nil, response: Response(.success()), body: "{}")
        let forms: [Question.Form] = [
            .text(proposal: "", isSecret: true), .choice(options: ["eu", "us"], proposal: "us"),
            .signIn(lines: ["https://auth.example/device"], url: "https://auth.example/device"),
        ]
        return [
            .sendFailed(ShopCollection.reference("login"), message: "the secret can't be read"),
            .runsCompared(Comparison(RunComparison(run, run))), .collectionFailed(path: "/shop", message: "there is no such file"),
        ] + forms.map { .questionAsked(Question(id: 1, message: "Which one?", form: $0)) }
    }()

    private func frame(_ explorer: ExplorerDriver) -> [String] {
        let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
        let rows = frame.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return rows.map { $0.padding(to: frame.size.columns) }
    }

    private func text(_ rect: Rect, of rows: [String]) -> [String] {
        (rect.row..<rect.endRow).filter(rows.indices.contains).map { row in
            String(rows[row].dropFirst(rect.column).prefix(rect.columns))
        }
    }

    @Test func `is of every kind here`() {
        let kinds = Set(all(120, 40).compactMap { $0.explorer.state.overlay.map { "\(type(of: $0.content))" } })
        #expect(kinds.count >= 14)
    }

    @Test(arguments: sizes) func `is drawn where it says that it is`(columns: Int, rows: Int) throws {
        for (what, explorer) in all(columns, rows) {
            let overlay = try #require(explorer.state.overlay)
            #expect(overlay.content.overlay == overlay, "\(what)")
            let layout = OverlayLayout(of: overlay.content, in: explorer.state.screen.size)
            let screen = Rect(explorer.state.screen.size)
            #expect(layout.area.intersection(screen) == layout.area, "\(what)")
            guard !layout.area.isEmpty else { continue }
            #expect(layout.list.intersection(layout.area.inner) == layout.list, "\(what)")
            let lines = frame(explorer)
            let title = overlay.content.title
            #expect(!title.isEmpty && (columns < 80 || text(layout.area, of: lines)[0].contains(" \(title) ")), "\(what): \(title)")
            // What its keys are is drawn for it; the rest is its own.
            var inner = layout.area.inner
            if let row = layout.hints { inner.rows = row.row - inner.row }
            #expect(text(inner, of: lines).joined().contains { $0 != " " }, "\(what): nothing draws it")
        }
    }

    @Test(arguments: sizes.prefix(2)) func `shows the way out whole, and goes it`(columns: Int, rows: Int) throws {
        for (what, explorer) in all(columns, rows) {
            let content = try #require(explorer.state.overlay).content
            let hints = content.hints(in: explorer.state)
            #expect(Set(hints.map(\.key)).count == hints.count, "\(what)")
            // Some say it in a sentence.
            let way = hints.first { $0.key == "Esc" }.map { "Esc \($0.word)" } ?? (hints.isEmpty ? "Esc " : "no way out")
            let layout = OverlayLayout(of: content, in: explorer.state.screen.size)
            let lines = frame(explorer)
            let shown = hints.isEmpty ? text(layout.area, of: lines) : layout.hints.map { text($0, of: lines) } ?? lines.suffix(1)
            #expect(shown.contains { $0.contains(way) }, "\(what): \(way)")
            var other = explorer
            other.press("Esc")
            #expect(other.state.overlay == nil, "\(what)")
        }
    }

    @Test func `goes away at a click beside it, but for what was filled in`() throws {
        for (what, explorer) in all(120, 40) {
            var other = explorer
            let content = try #require(explorer.state.overlay).content
            other.click(0, 0)
            #expect((other.state.overlay == nil) == content.closesOutside, "\(what)")
            #expect(content.closesOutside || content.isTypedInto, "\(what)")
        }
    }
}

extension String {
    fileprivate func padding(to columns: Int) -> String { self + String(repeating: " ", count: max(0, columns - count)) }
}
