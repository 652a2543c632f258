import FoundationEssentials
import NetworkLayerTesting
import TerminalUI
import Testing

@testable import Explorer

/// The keys that the status line names, for every place and moment: recorded screens leave them out.
@Suite struct `The hints of the status line` {
    /// What a person did, and the explorer after it.
    private static let moments: [(String, ExplorerDriver)] = {
        func picked(_ commands: Command.ID...) -> ExplorerDriver {
            var explorer = ExplorerDriver()
            explorer.pick("orders/create")
            for command in commands { explorer.press(command) }
            return explorer
        }
        func having(_ script: EventScript, _ commands: Command.ID...) -> ExplorerDriver {
            var explorer = ExplorerDriver.having(script)
            for command in commands { explorer.press(command) }
            return explorer
        }
        func running(_ commands: Command.ID...) -> ExplorerDriver {
            var explorer = ExplorerDriver()
            explorer.pick("orders/create")
            explorer.enqueue(1, "orders/create")
            for event in EventScript.success().events.prefix(6) { explorer.send(.network(event)) }
            for command in commands { explorer.press(command) }
            return explorer
        }
        var filtered = picked(.focusCollection, .search)
        filtered.type("cre")
        var looking = filtered
        filtered.press("Enter")
        looking.press("Esc")
        looking.press(.focusResponse, .search)
        var line = picked(.focusRequest, .nextTab, .addRow)
        line.type("x")
        var value = line
        value.press("Tab")
        return [
            ("in the tree", picked()), ("in the tree, with a filter", filtered),
            ("in the URL", picked(.focusRequest)), ("in the headers", picked(.focusRequest, .nextTab)),
            ("in the body", picked(.focusRequest, .nextTab, .nextTab)),
            ("in the checks", picked(.focusRequest, .previousTab, .previousTab)),
            ("in the settings", picked(.focusRequest, .previousTab)), ("before the letter of a tab", picked(.goToTab)),
            ("before one, in the request", picked(.focusRequest, .goToTab)), ("typing a name", line), ("typing a value", value),
            ("typing a URL", picked(.focusRequest, .edit)), ("looking for something", looking),
            ("after an edit", ExplorerDriver.edited()), ("while it runs", running()),
            ("while it waits to retry", having(.waitingToRetry())), ("after a success", having(.success())),
            ("in the response", having(.success(), .focusResponse)),
            ("in the queue", running(.focusQueue)), ("in the history", having(.success(), .focusHistory)),
        ]
    }()

    @Test func `name what helps most, where one is`() {
        let lines = Self.moments.map { what, explorer in
            let words = (explorer.state.hints + explorer.state.fixedHints).map { $0.word.isEmpty ? $0.key : "\($0.key) \($0.word)" }
            return "\(what): " + words.joined(separator: ", ")
        }
        expectText(lines.joined(separator: "\n"), "StatusLine/Hints", sourceLocation: #_sourceLocation)
    }

    @Test func `are dropped whole where there is no room, the ways out last`() {
        let rows = [40, 60, 80, 120, 160].map { columns in
            var explorer = ExplorerDriver.having(.waitingToRetry())
            explorer.send(.terminal(.resize(Size(columns: columns, rows: 30))))
            let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
            return String(frame.text.split(separator: "\n", omittingEmptySubsequences: false).last ?? "")
        }
        expectText(rows.joined(separator: "\n"), "StatusLine/Room", sourceLocation: #_sourceLocation)
    }
}

@Suite struct `A click on a hint` {
    private func frame(_ explorer: ExplorerDriver) -> Frame { ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain")) }

    /// Clicks the last character of a text.
    private func click(_ text: String, in explorer: inout ExplorerDriver) -> Bool {
        let rows = frame(explorer).text.split(separator: "\n", omittingEmptySubsequences: false)
        for (row, line) in rows.enumerated().reversed() {
            guard let range = line.firstRange(of: text) else { continue }
            explorer.click(line.distance(from: line.startIndex, to: range.upperBound) - 1, row)
            return true
        }
        return false
    }

    @Test func `in the status line presses its key`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        #expect(click("? help", in: &explorer))
        guard case .help = explorer.state.overlay else { return #expect(Bool(false)) }
        #expect(click("Esc back", in: &explorer))
        #expect(explorer.state.overlay == nil)
        _ = explorer.takeEffects()
        #expect(click("s send", in: &explorer))
        #expect(explorer.takeEffects().contains { if case .send = $0 { true } else { false } })
    }

    @Test func `beside the verdict presses its key`() {
        var explorer = ExplorerDriver.having(.tlsFailure())
        explorer.press(.focusRequest)
        #expect(click("! why", in: &explorer))
        #expect(explorer.card != nil)
    }

    @Test func `between hints does nothing`() {
        var explorer = ExplorerDriver()
        explorer.pick("orders/create")
        _ = explorer.takeEffects()
        explorer.click(60, 39)
        #expect(explorer.takeEffects() == [])
        #expect(explorer.state.overlay == nil)
    }
}

@Suite struct `The selected row` {
    /// Where no ground is seen: in `mono` of a terminal without colours, say.
    @Test(arguments: [Pane.collection, .request, .response, .queue, .history], [120, 80, 50])
    func `has a sign in each pane`(pane: Pane, columns: Int) throws {
        var explorer = ExplorerDriver(columns: columns, rows: 30)
        explorer.run(.success(), body: Data(#"{"a":[1,2]}"#.utf8))
        if pane == .queue { explorer.enqueue(2, "login") }
        explorer.focus(pane)
        let place = try #require(explorer.state.layout.panes[pane])
        let rail = explorer.state.layout.requestLine.flatMap { pane == .request ? $0 : nil }
        let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
        let signs = ([place] + [rail].compactMap(\.self)).flatMap { rect in
            (rect.row..<rect.endRow).filter { row in (rect.column..<rect.column + 3).contains { frame[$0, row].character == "›" } }
        }
        #expect(signs.count == 1)
    }
}

@Suite struct `The tabs in a pane's edge` {
    private let titles = ["body", "headers", "timing", "checks", "log"]

    private func tabs(_ columns: Int, selected: Int = 0, reserve: Int = 14) -> PaneTabs {
        let tabs = zip(titles, ["", "12", "4", "4/5", ""]).map { PaneTabs.Tab(name: $0, detail: $1) }
        return PaneTabs(tabs, selected: selected, of: .response, columns: columns, reserve: reserve, showsName: false)
    }

    @Test func `stand closer, then without what is in them, before one of them is left out`() {
        let lines = [100, 64, 60, 55, 54, 46, 40].map { tabs($0, selected: 1).line.text }
        #expect(
            lines == [
                " body [headers 12] timing 4  checks 4/5  log ", "body [headers 12] timing 4 checks 4/5 log ",
                " body [headers] timing  checks  log ", "body [headers] timing checks log ", "body [headers] timing checks …",
                "body [headers] timing …",
                "[headers] 2/5 ",
            ])
    }

    @Test func `of the request are all seen at 180 and 200 columns`() {
        for columns in [180, 200] {
            var explorer = ExplorerDriver(columns: columns, rows: 60)
            explorer.pick("orders/create")
            explorer.run(.success())
            explorer.press(.send)
            #expect(explorer.state.requestTabs.line.text.contains("settings"), "\(columns)")
        }
    }

    @Test func `begin with the letters that lead to them, and are dim when they are empty`() {
        let line = PaneTabs(
            [.init(name: "body"), .init(name: "headers"), .init(name: "log", isEmpty: true)], selected: 0, of: .response,
            columns: 80
        ).line
        #expect(line.spans.filter { $0.role == .key }.map(\.text) == ["h", "l"])
        #expect(line.spans.filter { $0.role == .dim }.map(\.text) == ["og "])
        #expect(Set(ResponsePaneState.Tab.allCases.map(\.rawValue.first)).count == ResponsePaneState.Tab.allCases.count)
        #expect(Set(RequestPaneState.Tab.allCases.map(\.rawValue.first)).count == RequestPaneState.Tab.allCases.count)
    }

    @Test func `are hit where they are drawn, and leave the pane's corner free, at each width`() {
        for reserve in [0, 14] {
            for columns in 20...140 {
                for selected in titles.indices {
                    let tabs = tabs(columns, selected: selected, reserve: reserve)
                    let text = Array(tabs.line.text)
                    let lead = tabs.shown.lowerBound > 0 && tabs.shown.count > 1 ? 2 : 0
                    let origin = tabs.start - lead
                    #expect(tabs.shown.contains(selected))
                    if tabs.shown.count > 1 { #expect(origin + text.count <= columns - 1) }
                    guard tabs.shown.count > 1 else { continue }
                    for index in tabs.shown {
                        let hit = (origin..<origin + text.count).filter { tabs.index(atColumn: $0) == index }
                        #expect(String(hit.map { text[$0 - origin] }).contains(titles[index]), "\(titles[index]) at \(columns)")
                    }
                }
            }
        }
    }
}

@Suite struct `Marking what is looked for` {
    @Test func `finds it in any case, double-width characters included, and nothing else`() {
        let match = Style(attributes: .reverse)
        var canvas = Canvas(size: Size(columns: 12, rows: 1), theme: Theme(name: "marks", styles: [.searchMatch: match]))
        canvas.text("aB日ab日 ab", column: 0, row: 0)
        canvas.mark("AB日")
        let marked = (0..<12).filter { canvas.frame[$0, 0].style == match }
        #expect(marked == [0, 1, 2, 3, 4, 5, 6, 7])
    }

    @Test func `an empty text marks nothing`() {
        var canvas = Canvas(
            size: Size(columns: 4, rows: 1), theme: Theme(name: "marks", styles: [.searchMatch: Style(attributes: .reverse)]))
        canvas.mark("")
        #expect(canvas.frame == Canvas(size: Size(columns: 4, rows: 1), theme: Theme(name: "plain")).frame)
    }
}
