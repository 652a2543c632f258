import TerminalUI
import Testing

@Suite struct LineEditorTests {
    private func drawn(_ editor: LineEditor, width: Int, placeholder: String = "") -> Frame {
        var canvas = Canvas(size: Size(columns: width, rows: 1), theme: Theme(name: "test"))
        editor.draw(on: &canvas, in: canvas.bounds, isFocused: true, placeholder: placeholder)
        return canvas.frame
    }

    @Test func `a long text shows the end where the cursor is`() {
        let editor = LineEditor("https://example.com/path")
        #expect(drawn(editor, width: 10).text == ".com/path")
        #expect(drawn(editor, width: 10).cursor == Point(column: 9, row: 0))
        #expect(drawn(editor, width: 40).text == "https://example.com/path")
    }

    @Test func `an empty field shows what belongs there`() {
        #expect(drawn(LineEditor(), width: 12, placeholder: "URL").text == "URL")
        #expect(drawn(LineEditor("x"), width: 12, placeholder: "URL").text == "x")
    }
}
