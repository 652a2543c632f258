import FoundationEssentials
import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `A view of a body` {
    private static let size = Size(columns: 10, rows: 4)

    private func document(_ text: String, _ mode: BodyMode = .pretty) -> BodyDocument {
        let document = BodyDocument(BodyBytes(Data(text.utf8)), contentType: "text/plain", mode: mode)
        document.extendIndexToEnd()
        return document
    }

    /// `a0`, `a1` …
    private func numbered(_ count: Int) -> BodyDocument {
        document((0..<count).map { "a\($0)" }.joined(separator: "\n"))
    }

    private func text(_ view: BodyViewState, _ document: BodyDocument) -> [String] {
        view.rows(of: document, in: Self.size).map(\.text.text)
    }

    @Test func `scrolls by lines and pages, and never past the last page`() {
        let document = numbered(10)
        var view = BodyViewState()
        view.move(.lines(2), in: document, size: Self.size)
        #expect(text(view, document) == ["a2", "a3", "a4", "a5"])
        view.move(.pages(1), in: document, size: Self.size)
        #expect(text(view, document) == ["a5", "a6", "a7", "a8"])
        view.move(.pages(9), in: document, size: Self.size)
        #expect(text(view, document) == ["a6", "a7", "a8", "a9"])
        view.move(.lines(-99), in: document, size: Self.size)
        #expect(text(view, document) == ["a0", "a1", "a2", "a3"])
        view.move(.end, in: document, size: Self.size)
        #expect(text(view, document) == ["a6", "a7", "a8", "a9"])
    }

    @Test func `finds lines behind the end of the index by itself`() {
        let document = BodyDocument(
            BodyBytes(Data((0..<100_000).map { "line \($0)\n" }.joined().utf8)), contentType: "text/plain")
        var view = BodyViewState()
        view.move(.lines(50_000), in: document, size: Self.size)
        #expect(text(view, document).first == "line 50000")
        view.move(.end, in: document, size: Self.size)
        #expect(text(view, document).last == "line 99999")
    }

    @Test func `wraps long lines into rows that scroll one by one`() {
        let document = document("short\n0123456789abcdefghijKLM\nlast\nend")
        var view = BodyViewState()
        view.wraps = true
        #expect(text(view, document) == ["short", "0123456789", "abcdefghij", "KLM"])
        view.move(.lines(2), in: document, size: Self.size)
        #expect(text(view, document) == ["abcdefghij", "KLM", "last", "end"])
        #expect(view.top == BodyPosition(line: 1, column: 10))
        view.move(.lines(1), in: document, size: Self.size)
        #expect(view.top == BodyPosition(line: 1, column: 10))
        view.move(.lines(-1), in: document, size: Self.size)
        #expect(text(view, document) == ["0123456789", "abcdefghij", "KLM", "last"])
    }

    @Test func `shows every row once on the way down and up again`() {
        let document = document((0..<40).map { String(repeating: "\($0 % 10)", count: $0 * 7 % 45) }.joined(separator: "\n"))
        var view = BodyViewState()
        view.wraps = true
        var down: [BodyPosition] = [view.top]
        for _ in 0..<300 {
            view.move(.lines(1), in: document, size: Self.size)
            if view.top != down.last { down.append(view.top) }
        }
        #expect(down == down.sorted())
        var up: [BodyPosition] = [view.top]
        for _ in 0..<300 {
            view.move(.lines(-1), in: document, size: Self.size)
            if view.top != up.last { up.append(view.top) }
        }
        #expect(up.reversed() == down)
        view.move(.end, in: document, size: Self.size)
        #expect(view.top == down.last)
    }

    @Test func `scrolls sideways as far as the longest line in sight`() {
        let document = document("0123456789abcdef\nx")
        var view = BodyViewState()
        view.moveSideways(by: 4, in: document, size: Self.size)
        #expect(text(view, document) == ["456789abcd", ""])
        view.moveSideways(by: 80, in: document, size: Self.size)
        #expect(text(view, document) == ["6789abcdef", ""])
        view.moveSideways(by: -80, in: document, size: Self.size)
        #expect(view.left == 0)
    }

    @Test func `goes round when it looks for the next match`() {
        let document = numbered(30)
        var view = BodyViewState()
        _ = view.find("a2", in: document, size: Self.size)
        #expect(view.search.current?.line == 2)
        #expect(view.matchCount(in: document)! == (1, 11))
        _ = view.findNext(backwards: false, in: document, size: Self.size)
        #expect(view.search.current?.line == 20)
        #expect(text(view, document).contains("a20"))
        _ = view.findNext(backwards: true, in: document, size: Self.size)
        _ = view.findNext(backwards: true, in: document, size: Self.size)
        #expect(view.search.current?.line == 29)
        #expect(view.matchCount(in: document)! == (11, 11))
        _ = view.find("", in: document, size: Self.size)
        #expect(view.search == BodyViewState.Search())
    }

    @Test func `brings a match at the right into sight`() {
        let document = document("\(String(repeating: "-", count: 50))here\nx")
        var view = BodyViewState()
        _ = view.find("here", in: document, size: Self.size)
        #expect(text(view, document)[0].contains("here"))
        _ = view.find("x", in: document, size: Self.size)
        #expect(view.left == 0)
    }

    @Test func `keeps its place when the form changes`() {
        let json = "[" + (0..<50).map { "[\($0)]" }.joined(separator: ",\n") + "]"
        let raw = BodyDocument(BodyBytes(Data(json.utf8)), contentType: "application/json", mode: .raw)
        var view = BodyViewState()
        view.mode = .raw
        view.move(.lines(20), in: raw, size: Self.size)
        let pretty = raw.inMode(.pretty)
        _ = view.change(to: pretty, from: raw, size: Self.size)
        #expect(text(view, pretty) == ["  [", "    20", "  ],", "  ["])
    }

    @Test func `numbers lines only when asked, and hex never`() {
        let document = numbered(30)
        var view = BodyViewState()
        #expect(view.gutter(of: document) == 0)
        view.showsNumbers = true
        #expect(view.gutter(of: document) == 4)
        #expect(view.gutter(of: document.inMode(.hex)) == 0)
    }
}

@Suite struct `Folding a body` {
    /// Lines: 0 {, 1 "a": [, 2 1, 3 2, 4 ], 5 "b": {, 6 "c": "d", 7 }, 8 "e": 5, 9 }
    private func explorer(_ body: String = #"{"a":[1,2],"b":{"c":"d"},"e":5}"#) -> ExplorerDriver {
        var explorer = ExplorerDriver()
        explorer.run(.success(), body: Data(body.utf8))
        explorer.press(.focusResponse)
        return explorer
    }

    private func rows(_ explorer: ExplorerDriver) -> [String] {
        guard let document = explorer.state.responseDocument else { return [] }
        return explorer.state.panes.response.body.rows(of: document, in: explorer.state.responseArea).map(\.text.text)
    }

    @Test func `Enter folds what begins under the cursor, and unfolds it`() {
        var explorer = explorer()
        explorer.press(.down, .activate)
        #expect(rows(explorer) == ["{", "  \"a\": [ 2 items ],", "  \"b\": {", "    \"c\": \"d\"", "  },", "  \"e\": 5", "}"])
        explorer.press(.down)
        #expect(explorer.state.panes.response.body.cursor == 5)
        explorer.press(.up, .activate)
        #expect(rows(explorer).count == 10)
    }

    @Test func `Enter within a part folds that part`() {
        var explorer = explorer()
        explorer.press(.down, .down, .down, .activate)
        #expect(explorer.state.panes.response.body.cursor == 1)
        #expect(rows(explorer).count == 7)
        explorer.press(.bottom, .activate)
        #expect(rows(explorer) == [#"{ "a": […], "b": {…}, "e": 5 }"#])
    }

    @Test func `F shows each member on one row, and all again`() {
        var explorer = explorer()
        explorer.press(.down, .down, .foldAll)
        #expect(rows(explorer) == ["{", "  \"a\": [ 2 items ],", "  \"b\": { \"c\": \"d\" },", "  \"e\": 5", "}"])
        #expect(explorer.state.panes.response.body.cursor == 1)
        explorer.press(.foldAll)
        #expect(rows(explorer).count == 10)
    }

    @Test func `a match that is folded away is unfolded`() {
        var explorer = explorer()
        explorer.press(.foldAll, .search)
        explorer.type("d")
        explorer.press("Enter")
        #expect(rows(explorer).count == 7)
        #expect(explorer.state.panes.response.body.cursor == 6)
    }

    @Test func `the path and the value under the cursor can be copied`() {
        var explorer = explorer()
        explorer.press(.down, .down, .down, .down, .down, .down)
        #expect(explorer.state.placeUnderCursor?.path == ".b.c")
        explorer.press(.copy)
        guard case .chooser(let chooser) = explorer.state.overlay else { return #expect(Bool(false)) }
        #expect(chooser.items.prefix(2).map(\.title) == ["value under the cursor", "its path"])
        #expect(chooser.items.prefix(2).map(\.detail) == ["d", ".b.c"])
    }

    @Test func `a click sets the cursor, a double click folds`() throws {
        var explorer = explorer()
        let content = try #require(explorer.state.layout.content(of: .response))
        explorer.click(content.column + 3, content.row + 5)
        #expect(explorer.state.panes.response.body.cursor == 5)
        explorer.click(content.column + 3, content.row + 5, .doubleClick)
        #expect(rows(explorer).count == 8)
        explorer.click(content.column + 3, content.row + 20)
        #expect(explorer.state.panes.response.body.cursor == 5)
    }

    @Test func `another form unfolds, and keeps the place`() {
        var explorer = explorer()
        explorer.press(.foldAll, .down, .down, .raw)
        #expect(explorer.state.responseDocument?.mode == .raw)
        explorer.press(.raw, .raw)
        #expect(rows(explorer).count == 10)
    }

    @Test func `wrapped lines have no cursor, and say so`() {
        var explorer = explorer()
        explorer.press(.foldAll, .wrap)
        #expect(rows(explorer).count == 10)
        explorer.press(.activate)
        #expect(
            explorer.state.notice?.text
                == "nothing here can be folded: JSON and XML can, laid out (o) and not wrapped, or read as such (: read-as)")
    }

    @Test func `what isn't laid out is scrolled and not walked`() {
        var explorer = explorer("[" + (0..<99).map(String.init).joined(separator: ",\n") + "]")
        explorer.press(.raw, .down, .down, .activate)
        #expect(explorer.state.bodyWithCursor == nil)
        #expect(rows(explorer).first == "2,")
    }

    @Test func `the cursor stays in sight and the last page stays full, whatever is folded and however one moves`() {
        let body = "[" + (0..<40).map { "{\"n\":\($0),\"of\":[\($0),[\($0)]]}" }.joined(separator: ",") + "]"
        var explorer = explorer(body)
        var generator = SeededGenerator(seed: 20_261_121)
        let keys = ["j", "j", "j", "k", "k", "Enter", "Enter", "F", "PgDn", "PgUp", "g", "G", "l", "h"]
        for step in 0..<2_000 {
            explorer.press(keys[Int(generator.next() % UInt64(keys.count))])
            guard let document = explorer.state.responseDocument else { return #expect(Bool(false)) }
            let view = explorer.state.panes.response.body
            let seen = view.rows(of: document, in: explorer.state.responseArea)
            let count = view.folds.rowCount(document.lineCount).lines
            #expect(seen.contains { $0.position.line == view.cursor }, "step \(step)")
            #expect(seen.count == min(count, explorer.state.responseArea.rows), "step \(step)")
            #expect(seen.map(\.position) == seen.map(\.position).sorted(), "step \(step)")
        }
    }
}

@Suite struct `A scroll position` {
    @Test func `never leaves what there is`() {
        var scroll = ScrollPosition()
        scroll.move(.lines(-5), count: 100, rows: 10)
        #expect(scroll.firstLine(of: 100, rows: 10) == 0)
        scroll.move(.pages(50), count: 100, rows: 10)
        #expect(scroll.firstLine(of: 100, rows: 10) == 90)
        #expect(scroll.firstLine(of: 20, rows: 10) == 10)
        #expect(scroll.firstLine(of: 3, rows: 10) == 0)
    }

    @Test func `leaves a line of the old page in sight`() {
        var scroll = ScrollPosition()
        scroll.move(.pages(1), count: 100, rows: 10)
        #expect(scroll.firstLine(of: 100, rows: 10) == 9)
    }

    @Test func `stays at the end of a log, until it is moved away, and again from there on`() {
        var scroll = ScrollPosition(follows: true)
        #expect(scroll.firstLine(of: 100, rows: 10) == 90)
        #expect(scroll.firstLine(of: 150, rows: 10) == 140)
        scroll.move(.lines(-1), count: 150, rows: 10, logs: true)
        #expect(!scroll.follows)
        #expect(scroll.firstLine(of: 200, rows: 10) == 139)
        scroll.move(.end, count: 200, rows: 10, logs: true)
        #expect(scroll.follows)
        #expect(scroll.firstLine(of: 300, rows: 10) == 290)
    }

    @Test func `moves only when a line is out of sight`() {
        var scroll = ScrollPosition()
        scroll.reveal(9, count: 100, rows: 10)
        #expect(scroll.firstLine(of: 100, rows: 10) == 0)
        scroll.reveal(50, count: 100, rows: 10)
        #expect(scroll.firstLine(of: 100, rows: 10) == 47)
        scroll.reveal(99, count: 100, rows: 10)
        #expect(scroll.firstLine(of: 100, rows: 10) == 90)
    }
}
