import ExplorerModel
import ExplorerTesting
import ExplorerView
import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@Suite struct `A click into the text that is being typed` {
    private static let lines: [(name: String, open: @Sendable (inout ExplorerDriver) -> Void)] = [
        ("the URL", { $0.press(.focusRequest, .activate) }),
        ("a header", { $0.press(.focusRequest, .nextTab, .addRow) }),
        ("a search", { $0.press(.focusRequest, .search) }),
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

    private func explorer(_ index: Int) -> ExplorerDriver {
        var explorer = ExplorerDriver(columns: 120, rows: 40)
        explorer.run(.success(), body: Data("{\"a\":1}".utf8))
        explorer.pick("orders/create")
        explorer.tick(5_000)
        Self.lines[index].open(&explorer)
        explorer.type("0123456789")
        return explorer
    }

    /// Draws it as the loop does.
    private func draw(_ explorer: inout ExplorerDriver) throws -> (text: String, cursor: Point) {
        let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
        explorer.state.screen.cursor = frame.cursor
        return (frame.text, try #require(frame.cursor))
    }

    @Test(arguments: lines.indices) func `puts the cursor there`(index: Int) throws {
        var explorer = explorer(index)
        let cursor = try draw(&explorer).cursor
        explorer.click(cursor.column - 4, cursor.row)
        explorer.click(cursor.column - 4, cursor.row, .release)
        explorer.type("x")
        #expect(try draw(&explorer).text.contains("012345x6789"), "\(Self.lines[index].name)")
    }

    @Test(arguments: lines.indices) func `and a drag from there on selects`(index: Int) throws {
        var explorer = explorer(index)
        let cursor = try draw(&explorer).cursor
        explorer.click(cursor.column - 4, cursor.row)
        explorer.click(cursor.column - 5, cursor.row, .drag)
        // The pointer leaves the row, and comes before the next frame.
        explorer.click(cursor.column - 7, cursor.row + 3, .drag)
        explorer.click(cursor.column - 7, cursor.row + 3, .release)
        explorer.type("x")
        #expect(try draw(&explorer).text.contains("012x6789"), "\(Self.lines[index].name)")
    }

    @Test func `goes to its ends at most, and between wide characters`() throws {
        var explorer = explorer(6)
        explorer.type("漢字")
        let cursor = try draw(&explorer).cursor
        explorer.click(cursor.column - 1, cursor.row)
        explorer.type("x")
        #expect(try draw(&explorer).text.contains("漢x字") || draw(&explorer).text.contains("漢字x"))
        explorer.click(cursor.column + 8, cursor.row)
        explorer.type("z")
        let area = OverlayLayout(of: try #require(explorer.state.overlay).content, in: explorer.state.screen.size).area
        explorer.click(area.column, try draw(&explorer).cursor.row)
        explorer.type("a")
        let text = try draw(&explorer).text
        #expect(text.contains("a0123456789") && (text.contains("字z") || text.contains("xz")))
    }

    @Test func `in another row of the pane takes the text over, as ever`() throws {
        var explorer = explorer(1)
        let cursor = try draw(&explorer).cursor
        explorer.press("Enter")
        explorer.type("7")
        _ = try draw(&explorer)
        explorer.click(cursor.column, cursor.row + 1)
        #expect(explorer.request?.headers.contains(.init(name: "0123456789", value: "7")) == true)
        #expect(!explorer.state.isTyping)
    }
}
