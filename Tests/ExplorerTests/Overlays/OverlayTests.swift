import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// What each overlay says of itself is so on the screen.
@Suite struct `What lies over the panes` {
    static let sizes = [(120, 40), (80, 24), (50, 11), (40, 10)]

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
        explorer.state.overlay = .start(StartLine(found: [FoundFile("shop.har", "HAR")], offersDemo: true))
        return all.filter { $0.explorer.state.overlay != nil } + [("the first line", explorer)]
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
        #expect(kinds.count >= 12)
    }

    @Test(arguments: sizes) func `is drawn where it says that it is`(columns: Int, rows: Int) throws {
        for (what, explorer) in all(columns, rows) {
            let overlay = try #require(explorer.state.overlay)
            #expect(overlay.content.overlay == overlay, "\(what)")
            let layout = OverlayLayout(of: overlay.content, in: explorer.state.screen.size)
            let screen = Rect(explorer.state.screen.size)
            #expect(layout.area.intersection(screen) == layout.area, "\(what)")
            // The keys of some, and what has just been said, stand in the status line.
            #expect(layout.area.endRow < rows, "\(what): it covers the status line")
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

    // MARK: The mouse

    /// What a click could change below the overlay, or do.
    private func beneath(_ explorer: inout ExplorerDriver) -> String {
        let state = explorer.state
        let panes = state.panes
        let request = [String(describing: state.selectedRequest), String(describing: panes.request.editing)]
        let tabs = "\(panes.request.tab) \(panes.response.tab)"
        return "\(state.screen.focus) \(request) \(tabs) \(panes.collection.list) \(explorer.takeEffects())"
    }

    @Test func `takes two quick clicks beside it for no answer`() throws {
        for (what, explorer) in all(120, 40) {
            var left = explorer
            left.press("Esc")
            let expected = beneath(&left)
            for row in 0..<39 {
                var other = explorer
                let content = try #require(explorer.state.overlay).content
                other.click(0, row)
                other.click(0, row, .doubleClick)
                #expect((other.state.overlay == nil) == content.closesOutside, "\(what), row \(row)")
                if content.closesOutside { #expect(beneath(&other) == expected, "\(what), row \(row)") }
            }
        }
    }

    @Test func `keeps the second half of a double click from what lies below it`() throws {
        for (what, explorer) in all(120, 40) {
            let overlay = try #require(explorer.state.overlay)
            let area = OverlayLayout(of: overlay.content, in: explorer.state.screen.size).area
            for row in [-1] + Array(area.row..<area.endRow) {
                var other = explorer
                let (column, place) = row < 0 ? (2, 3) : (area.column + 6, row)
                other.click(column, place)
                guard other.state.overlay.map({ "\(type(of: $0.content))" }) != "\(type(of: overlay.content))" else { continue }
                let opened = other.state.overlay
                _ = other.takeEffects()
                let before = beneath(&other)
                other.click(column, place, .doubleClick)
                #expect(other.state.overlay == opened && beneath(&other) == before, "\(what), row \(row)")
                // Another click is one again.
                other.click(2, 3)
            }
        }
    }

    @Test func `isn't answered by the second half of the double click that has opened it`() throws {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        explorer.press(.focusRequest, .nextTab, .nextTab, .nextTab)
        let pane = try #require(explorer.state.layout.content(of: .request))
        explorer.click(pane.column + 3, pane.row)
        guard case .chooser(let chooser) = explorer.state.overlay else { throw CancellationError() }
        explorer.click(pane.column + 3, pane.row, .doubleClick)
        #expect(explorer.state.overlay == .chooser(chooser))
        let list = OverlayLayout(of: chooser, in: explorer.state.screen.size).list
        explorer.click(list.column + 3, list.row + 1)
        #expect(explorer.state.overlay == nil)
    }

    @Test func `isn't answered by the second half of the double click that has answered another one of its kind`() throws {
        var explorer = ExplorerDriver()
        for id in 1...2 {
            let form = Question.Form.choice(options: ["first", "second"], proposal: nil)
            explorer.send(.questionAsked(Question(id: id, message: "Which?", form: form)))
        }
        let list = OverlayLayout(of: try #require(explorer.state.overlay).content, in: explorer.state.screen.size).list
        explorer.click(list.column + 3, list.row + 1)
        #expect((explorer.state.overlay?.content as? QuestionForm)?.question.id == 2)
        let opened = explorer.state.overlay
        _ = explorer.takeEffects()
        explorer.click(list.column + 3, list.row + 1, .doubleClick)
        #expect(explorer.state.overlay == opened && explorer.takeEffects().isEmpty)
        // A double click on it counts all the same.
        explorer.click(list.column + 3, list.row)
        #expect(explorer.state.overlay == nil)
    }

    // MARK: What changes meanwhile

    @Test func `never acts on another request than the one it came up over`() throws {
        for (what, explorer) in all(120, 40) {
            var other = explorer
            var collection = ShopCollection.collection
            guard case .folder(var folder) = collection.nodes[1] else { throw CancellationError() }
            folder.nodes.removeFirst()
            collection.nodes[1] = .folder(folder)
            _ = other.takeEffects()
            other.send(.collectionLoaded(collection))
            // The omnibox goes where it says; a question about a request says which.
            switch other.state.overlay {
            case nil, .omnibox, .why: continue
            default: break
            }
            _ = other.takeEffects()
            other.press("Down")
            if other.state.overlay != nil { other.press("Enter") }
            let effects = other.takeEffects()
            #expect(other.state.drafts.unsaved.isEmpty, "\(what)")
            let isSent = effects.contains {
                switch $0 {
                case .send, .sendWhatIf, .startLab, .copyRequest: true
                default: false
                }
            }
            #expect(!isSent, "\(what): \(effects)")
        }
    }

    @Test func `shows as much of two runs as there is room for, also when there is more of it than before`() throws {
        let run = ComparedRun(
            title: "login", date: nil, response: Response(.success()), body: (0..<30).map { "line \($0)" }.joined(separator: "\n"))
        var other = run
        other.body = (0..<30).map { "row \($0)" }.joined(separator: "\n")
        var explorer = ExplorerDriver(columns: 80, rows: 11)
        explorer.send(.runsCompared(Comparison(RunComparison(run, other))))
        explorer.press("End")
        explorer.send(.terminal(.resize(Size(columns: 80, rows: 40))))
        guard case .comparison(let comparison) = explorer.state.overlay else { throw CancellationError() }
        #expect(comparison.visible.count == comparison.height)
    }

    @Test func `shows the rest of the lines of two runs that are wider than the screen`() throws {
        var run = ComparedRun(title: "login", date: nil, response: Response(.success()), body: "{\"a\":1}")
        run.body = String(repeating: "x", count: 150) + " the end"
        var other = run
        other.body = "short"
        var explorer = ExplorerDriver(columns: 80, rows: 40)
        explorer.send(.runsCompared(Comparison(RunComparison(run, other))))
        let before = frame(explorer)
        #expect(!before.contains { $0.contains("the end") })
        explorer.press(Array(repeating: "Right", count: 30).joined(separator: " "))
        #expect(frame(explorer).contains { $0.contains("the end") })
        explorer.press(Array(repeating: "Left", count: 30).joined(separator: " "))
        #expect(frame(explorer) == before)
    }

    // MARK: What it says

    @Test(arguments: sizes.prefix(3))
    func `says all of what is wrong, and all of what is good to know`(columns: Int, rows: Int) {
        for (what, explorer) in all(columns, rows) {
            for name in ["", "x y"] {
                var explorer = explorer
                guard case .entry = explorer.state.overlay else { continue }
                explorer.press("C-u")
                explorer.type(name)
                explorer.press("Enter")
                guard case .entry(let form) = explorer.state.overlay else { continue }
                let words = (form.complaint ?? form.note).split(separator: " ")
                let seen = Set(frame(explorer).flatMap { $0.split(separator: " ") })
                #expect(words.allSatisfy(seen.contains), "\(what): \(form.complaint ?? form.note)")
            }
        }
    }

    @Test(arguments: sizes.prefix(3))
    func `tells what of a command for curl is left out, and the way out beside it`(columns: Int, rows: Int) {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.press(.palette)
        explorer.paste("curl --foo x http://a.b/ -H 'x: y'")
        guard case .omnibox(let omnibox) = explorer.state.overlay, let complaint = omnibox.complaint else {
            Issue.record("there is no complaint")
            return
        }
        let lines = frame(explorer)
        let seen = Set(lines.flatMap { $0.split(separator: " ") })
        #expect(complaint.split(separator: " ").allSatisfy(seen.contains), "\(complaint)")
        #expect(lines.contains { $0.contains("Esc back ") })
    }

    @Test(arguments: sizes) func `shows all buttons of a dialog, and all that it says`(columns: Int, rows: Int) throws {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.pick("orders/create")
        explorer.press(.method)
        explorer.press("Down Enter")
        explorer.press(.focusRequest, .nextTab, .edit)
        explorer.type("!")
        explorer.press("Enter")
        explorer.send(
            .collectionLoaded(
                ShopCollection.changed("orders/create") {
                    $0.url = "{{host}}/theirs"
                    $0.headers[0].value = "theirs"
                }))
        explorer.press(.save)
        guard case .dialog(let dialog) = explorer.state.overlay else { throw CancellationError() }
        #expect(dialog.buttons.count == 5)
        var seen: Set<Substring> = []
        for _ in 0..<30 {
            let text = frame(explorer).joined(separator: "\n")
            for button in dialog.buttons { #expect(text.contains("\(button.key) \(button.title)"), "\(button.title)") }
            seen.formUnion(text.split { $0 == " " || $0 == "\n" })
            explorer.press("Down")
        }
        for word in dialog.lines.flatMap({ $0.split(separator: " ") }) { #expect(seen.contains(word)) }
        for _ in 0..<30 { explorer.press("Up") }
        guard case .dialog(dialog) = explorer.state.overlay else { throw CancellationError() }
    }

    @Test func `marks what was typed where it stands, also behind wide characters`() throws {
        var collection = RequestCollection(path: "/wide", name: "Wide")
        collection.nodes = [.request(ShopCollection.request("日本-order", "GET", "http://127.0.0.1/"))]
        var explorer = ExplorerDriver([collection])
        explorer.press(.palette)
        explorer.type("order")
        let theme = Theme(name: "marked", styles: [.searchMatch: Style(attributes: .reverse)])
        let drawn = ExplorerView.frame(for: explorer.state, theme: theme)
        let omnibox = try #require(explorer.state.overlay).content
        let list = OverlayLayout(of: omnibox, in: explorer.state.screen.size).list
        let row = list.row
        let start = try #require((list.column..<list.endColumn).first { drawn[$0, row].character == "本" })
        let styles = (start..<start + 8).map { drawn[$0, row].style }
        // The character, its second half, a hyphen, and what was typed.
        #expect(Set(styles[3...7]).count == 1 && styles[3] != styles[2] && styles[2] == styles[0])
    }

    @Test func `the tour says how to leave it, however narrow the screen is`() {
        var demo = RequestCollection(path: "/demo", name: "Demo")
        demo.nodes = [.request(ShopCollection.request("redirects/across-origins", "GET", "http://h/"))]
        for (columns, rows) in Self.sizes {
            var explorer = ExplorerDriver([demo], columns: columns, rows: rows)
            explorer.state.begin(.beginning)
            explorer.send(.terminal(.resize(Size(columns: columns, rows: max(12, rows)))))
            let last = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")).text.split(separator: "\n").last ?? ""
            #expect(last.contains("any other key leaves"), "\(columns)x\(rows): \(last)")
        }
    }

    @Test(arguments: [(50, 11), (60, 12), (40, 10)])
    func `a notice leaves the row that it is about in sight`(columns: Int, rows: Int) throws {
        for more in 0..<4 {
            var explorer = ExplorerDriver(columns: columns, rows: rows)
            explorer.pick("orders/create")
            explorer.press(.focusRequest, .nextTab)
            for number in 0..<more {
                explorer.press(.addRow)
                explorer.type("x-\(number): 1")
                explorer.press("Enter")
            }
            explorer.press(.addRow)
            explorer.type("bad name")
            explorer.press("Enter")
            let drawn = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
            let cursor = try #require(drawn.cursor)
            #expect(frame(explorer)[cursor.row].contains("bad name"), "\(more)")
            let seen = Set(frame(explorer).flatMap { $0.split(separator: " ") })
            #expect(explorer.state.notice?.text.split(separator: " ").allSatisfy(seen.contains) == true)
        }
    }
}

extension String {
    fileprivate func padding(to columns: Int) -> String { self + String(repeating: " ", count: max(0, columns - count)) }
}
