import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

@Suite struct `A click into the text that is being typed` {
    private static let lines: [(name: String, open: @Sendable (inout ExplorerDriver) -> Void)] = [
        ("the URL", { $0.press(.focusRequest, .activate) }),
        ("a header", { $0.press(.focusRequest, .nextTab, .addRow) }),
        ("a search", { $0.press(.focusRequest, .search) }),
        ("the tree's filter", { $0.press(.focusCollection, .search) }),
        ("a filter", { $0.press(.focusResponse, .filter) }),
        ("a path", { $0.press(.focusResponse, .saveBody) }),
        ("the omnibox", { $0.press(.palette) }),
        (
            "a new request",
            {
                $0.focus(.collection); $0.press(.newRequest)
            }
        ),
        ("a question", { $0.send(.questionAsked(Question(id: 1, message: "Which?", form: .text(proposal: "", isSecret: false)))) }),
        ("the lab", { $0.press(.lab) }),
    ]

    private func explorer(_ index: Int, columns: Int = 120, rows: Int = 40, typing text: String = "0123456789") -> ExplorerDriver {
        var explorer = ExplorerDriver(columns: columns, rows: rows)
        explorer.run(.success(), body: Data("{\"a\":1}".utf8))
        explorer.pick("orders/create")
        explorer.tick(5_000)
        Self.lines[index].open(&explorer)
        explorer.paste(text)
        return explorer
    }

    private func draw(_ explorer: ExplorerDriver) throws -> (text: String, cursor: Point) {
        let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
        return (frame.text, try #require(frame.cursor))
    }

    // MARK: A line that is wider than its field

    /// No part of it comes twice.
    private static let long = (100..<200).map { "\($0)." }.joined()

    /// The row with the cursor, cell by cell, and the columns in which the long text is seen.
    private func field(_ explorer: ExplorerDriver) throws -> (cells: [String], seen: Range<Int>, cursor: Point) {
        let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
        let cursor = try #require(frame.cursor)
        let cells = (0..<frame.size.columns).map { String(frame[$0, cursor.row].character) }
        let isDrawn = { (column: Int) in cells.indices.contains(column) && "0123456789.".contains(cells[column]) }
        var (start, end) = (cursor.column, cursor.column)
        while isDrawn(start - 1) { start -= 1 }
        while isDrawn(end) { end += 1 }
        return (cells, start..<end, cursor)
    }

    @Test(arguments: lines.indices) func `moves no cell of a line wider than its field`(index: Int) throws {
        let name = Self.lines[index].name
        for columns in stride(from: 40, through: 120, by: 5) {
            let before = explorer(index, columns: columns, rows: columns.isMultiple(of: 3) ? 24 : 40, typing: Self.long)
            let (cells, seen, end) = try field(before)
            #expect(Self.long.contains(cells[seen].joined()) && seen.count > 3, "\(name), \(columns)")
            let middle = (seen.lowerBound + seen.upperBound) / 2
            for column in columns.isMultiple(of: 2) ? [seen.lowerBound, middle] : [seen.lowerBound + 1, seen.upperBound - 1] {
                var after = before
                after.click(column, end.row)
                let clicked = try field(after)
                #expect(clicked.cells == cells, "\(name), \(columns) columns, a click at \(column) of \(seen)")
                #expect(clicked.cursor == Point(column: column, row: end.row), "\(name), \(columns) columns")
                // The other way round, and beyond the row.
                let other = seen.lowerBound + seen.upperBound - 1 - column
                after.click((column + other) / 2, end.row, .drag)
                after.click(other, end.row + 2, .drag)
                after.click(other, end.row + 2, .release)
                #expect(try field(after).cells == cells, "\(name), \(columns) columns, a drag from \(column) to \(other)")
                after.press("C-x")
                let passed = cells[min(column, other)..<max(column, other)].joined()
                #expect(after.state.clipboard == passed, "\(name), \(columns) columns, a drag from \(column) to \(other)")
            }
        }
    }

    @Test(arguments: lines.indices) func `a key moves the cursor within the field, and not the text`(index: Int) throws {
        for columns in [40, 80, 120] {
            var explorer = explorer(index, columns: columns, rows: 24, typing: Self.long)
            let before = try field(explorer)
            explorer.press("Left Left")
            let after = try field(explorer)
            #expect(after.cells == before.cells && after.cursor.column == before.cursor.column - 2, "\(Self.lines[index].name)")
        }
    }

    @Test(arguments: lines.indices) func `a line scrolls when its field gets narrower`(index: Int) throws {
        var explorer = explorer(index, typing: Self.long)
        explorer.press(Array(repeating: "Left", count: 150).joined(separator: " "))
        explorer.send(.terminal(.resize(Size(columns: 61, rows: 24))))
        let (cells, seen, cursor) = try field(explorer)
        #expect(Self.long.contains(cells[seen].joined()), "\(Self.lines[index].name)")
        let column = seen.upperBound - 1
        explorer.click(column, cursor.row)
        #expect(try field(explorer).cells == cells && field(explorer).cursor.column == column, "\(Self.lines[index].name)")
    }

    // MARK: A short line

    @Test(arguments: lines.indices) func `puts the cursor there`(index: Int) throws {
        var explorer = explorer(index)
        let cursor = try draw(explorer).cursor
        explorer.click(cursor.column - 4, cursor.row)
        explorer.click(cursor.column - 4, cursor.row, .release)
        explorer.type("x")
        #expect(try draw(explorer).text.contains("012345x6789"), "\(Self.lines[index].name)")
    }

    @Test(arguments: lines.indices) func `and a drag from there on selects`(index: Int) throws {
        var explorer = explorer(index)
        let cursor = try draw(explorer).cursor
        explorer.click(cursor.column - 4, cursor.row)
        explorer.click(cursor.column - 5, cursor.row, .drag)
        // The pointer leaves the row, and comes before the next frame.
        explorer.click(cursor.column - 7, cursor.row + 3, .drag)
        explorer.click(cursor.column - 7, cursor.row + 3, .release)
        explorer.type("x")
        #expect(try draw(explorer).text.contains("012x6789"), "\(Self.lines[index].name)")
    }

    @Test func `goes to its ends at most, and between wide characters`() throws {
        var explorer = explorer(7)
        explorer.type("漢字")
        let cursor = try draw(explorer).cursor
        explorer.click(cursor.column - 1, cursor.row)
        explorer.type("x")
        #expect(try draw(explorer).text.contains("漢x字") || draw(explorer).text.contains("漢字x"))
        explorer.click(cursor.column + 8, cursor.row)
        explorer.type("z")
        let area = OverlayLayout(of: try #require(explorer.state.overlay).content, in: explorer.state.screen.size).area
        explorer.click(area.column, try draw(explorer).cursor.row)
        explorer.type("a")
        let text = try draw(explorer).text
        #expect(text.contains("a0123456789") && (text.contains("字z") || text.contains("xz")))
    }

    @Test func `in another row of the pane takes the text over, as ever`() throws {
        var explorer = explorer(1)
        let cursor = try draw(explorer).cursor
        explorer.press("Enter")
        explorer.type("7")
        explorer.click(cursor.column, cursor.row + 1)
        #expect(explorer.request?.headers.contains(.init(name: "0123456789", value: "7")) == true)
        #expect(!explorer.state.isTyping)
    }
}
