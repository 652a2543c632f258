import FoundationEssentials
import NetworkLayerTesting
import Presentation
import TerminalUI
import Testing

@testable import Explorer

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
        #expect(rows(explorer) == ["{", "  \"a\": [ … ],  3 lines", "  \"b\": {", "    \"c\": \"d\"", "  },", "  \"e\": 5", "}"])
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
        #expect(rows(explorer) == ["{ … }  9 lines"])
    }

    @Test func `F shows each member on one row, and all again`() {
        var explorer = explorer()
        explorer.press(.down, .down, .foldAll)
        #expect(rows(explorer) == ["{", "  \"a\": [ … ],  3 lines", "  \"b\": { … },  2 lines", "  \"e\": 5", "}"])
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
                == "nothing here can be folded: JSON, XML and HTML can, laid out and not wrapped (o, L), or read as such (I)")
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
