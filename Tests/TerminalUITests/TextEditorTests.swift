import NetworkLayerTesting
import TerminalTesting
import TerminalUI
import Testing

@Suite struct TextEditorTests {
    /// The text with `|` at the cursor and, when something is selected, `[` or `]` at the selection's other end.
    private func shown(_ editor: TextEditor) -> String {
        var marked = TextEditor(editor.text)
        let marks =
            [(editor.cursor, "|")]
            + (editor.selection.map { [($0.lowerBound == editor.cursor ? $0.upperBound : $0.lowerBound, "^")] } ?? [])
        for (position, mark) in marks.sorted(by: { $0.0 > $1.0 }) {
            marked.move(.to(position))
            marked.insert(mark)
        }
        return marked.text
    }

    /// An editor with this text, the cursor at `|`.
    private func editor(_ text: String, isMultiline: Bool = true) -> TextEditor {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        var editor = TextEditor(parts.joined(), isMultiline: isMultiline)
        let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
        editor.move(.to(TextPosition(line: lines.count - 1, offset: lines.last?.utf8.count ?? 0)))
        return editor
    }

    private func after(_ presses: [KeyPress], in text: String, clipboard: String = "") -> String {
        var editor = editor(text)
        var clipboard = clipboard
        for press in presses { _ = editor.handle(press, clipboard: &clipboard) }
        return shown(editor)
    }

    @Test(
        arguments: [
            ("ab|cd", [KeyPress(.right)], "abc|d"),
            ("ab|", [KeyPress(.right)], "ab|"),
            ("ab\n|cd", [KeyPress(.left)], "ab|\ncd"),
            ("a👨‍👩‍👧|b", [KeyPress(.left)], "a|👨‍👩‍👧b"),
            ("ae\u{301}|b", [KeyPress(.backspace)], "a|b"),
            ("one two| three", [KeyPress(.left, .control)], "one |two three"),
            ("one| two three", [KeyPress(.right, .control)], "one two| three"),
            ("one, |two", [KeyPress(.left, .control)], "|one, two"),
            ("one\n|two", [KeyPress(.left, .control)], "|one\ntwo"),
            ("  ab|c", [KeyPress(.home)], "  |abc"),
            ("  |abc", [KeyPress(.home)], "|  abc"),
            ("a|bc\nx", [KeyPress(.end)], "abc|\nx"),
            ("abcdef|\nab\nabcdef", [KeyPress(.down), KeyPress(.down)], "abcdef\nab\nabcdef|"),
            ("漢字|漢\nabcdef", [KeyPress(.down)], "漢字漢\nabcd|ef"),
            ("abc|\n漢字", [KeyPress(.down)], "abc\n漢|字"),
            ("a|b", [KeyPress(.up)], "|ab"),
            ("a|b", [KeyPress(.down)], "ab|"),
            ("a|b\nc", [KeyPress(.end, .control)], "ab\nc|"),
        ] as [(String, [KeyPress], String)])
    func `the cursor moves by what a reader sees`(text: String, presses: [KeyPress], result: String) {
        #expect(after(presses, in: text) == result)
    }

    @Test(
        arguments: [
            ("a|b", [KeyPress.character("x")], "ax|b"),
            ("  a|b", [KeyPress(.enter)], "  a\n  |b"),
            ("|  ab", [KeyPress(.enter)], "\n|  ab"),
            ("a|b", [KeyPress(.tab)], "a  |b"),
            ("ab\n|cd", [KeyPress(.backspace)], "ab|cd"),
            ("ab|\ncd", [KeyPress(.delete)], "ab|cd"),
            ("one two|", [KeyPress.character("w", .control)], "one |"),
            ("|one two", [KeyPress.character("d", .alt)], "| two"),
            ("one| two\nx", [KeyPress.character("k", .control)], "one|\nx"),
            (
                "one| two", [KeyPress.character("k", .control), .character("v", .control), .character("v", .control)],
                "one two two|"
            ),
            ("a|bc", [KeyPress(.right, .shift), .character("x")], "ax|c"),
            ("a|bc", [KeyPress(.right, .shift), KeyPress(.left)], "a|bc"),
            ("a|bc", [KeyPress(.right, .shift)], "a^b|c"),
            (
                "abc|",
                [
                    KeyPress(.left, .shift), KeyPress(.left, .shift), .character("c", .control), KeyPress(.end),
                    .character("v", .control),
                ], "abcbc|"
            ),
            ("ab|c", [KeyPress.character("a", .alt), .character("x", .control)], "|"),
        ] as [(String, [KeyPress], String)])
    func `keys edit at the cursor or the selection`(text: String, presses: [KeyPress], result: String) {
        #expect(after(presses, in: text) == result)
    }

    @Test func `a typed word is one step of undo`() {
        var editor = TextEditor()
        var clipboard = ""
        for character in "one two" { _ = editor.handle(.character(character), clipboard: &clipboard) }
        let first = editor.handle(.character("_", .control), clipboard: &clipboard)
        #expect(first == .changed)
        #expect(editor.text == "one ")
        editor.undo()
        #expect(editor.text == "")
        let second = editor.undo()
        #expect(!second)
        _ = editor.handle(.character("r", .control), clipboard: &clipboard)
        editor.redo()
        #expect(shown(editor) == "one two|")
    }

    @Test func `moving the cursor ends a step, and undo brings the selection back`() {
        var editor = editor("abc|")
        editor.insert("d", kind: .typing)
        editor.move(.left)
        editor.insert("x", kind: .typing)
        editor.undo()
        #expect(shown(editor) == "abc|d")
        editor.selectAll()
        editor.insert("new")
        editor.undo()
        #expect(shown(editor) == "^abcd|")
        editor.insert("z")
        let first = editor.redo()
        #expect(!first)
    }

    @Test func `any edits can be undone to the start and redone to the end`() {
        var random = SeededGenerator(seed: 1)
        let pieces = ["a", "漢", "\n", "e\u{301}", " ", "👨‍👩‍👧", "line\nline\n", "\r\n", "\u{301}", "🇩🇪"]
        for _ in 0..<50 {
            let start = "first\nsecond 漢字\nthird"
            var editor = TextEditor(start)
            for _ in 0..<40 {
                let moves: [TextEditor.Movement] = [
                    .left, .right, .up, .down, .wordLeft, .lineEnd, .textStart, .textEnd, .wordRight,
                ]
                editor.move(moves.randomElement(using: &random) ?? .left, extending: Bool.random(using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: editor.erase(.left)
                case 1: editor.erase(.wordRight)
                default: editor.insert(pieces.randomElement(using: &random) ?? "a", kind: .typing)
                }
            }
            let end = editor.text
            while editor.undo() {}
            #expect(editor.text == start)
            while editor.redo() {}
            #expect(editor.text == end)
        }
    }

    @Test func `bytes that nobody edits stay, carriage returns too`() {
        var editor = TextEditor("a\r\nb\n\n")
        #expect(editor.text == "a\r\nb\n\n")
        editor.move(.textEnd)
        editor.insert("x")
        #expect(editor.text == "a\r\nb\n\nx")
    }

    @Test func `a field of one line makes blanks of line ends and leaves other keys to others`() {
        var editor = editor("ab|", isMultiline: false)
        var clipboard = ""
        let first = editor.paste("x\r\ny\n")
        #expect(first == .changed)
        #expect(editor.text == "abx y")
        let second = editor.handle(KeyPress(.enter), clipboard: &clipboard)
        #expect(second == .ignored)
        let third = editor.handle(KeyPress(.tab), clipboard: &clipboard)
        #expect(third == .ignored)
        let fourth = editor.handle(KeyPress(.up), clipboard: &clipboard)
        #expect(fourth == .ignored)
        let fifth = editor.handle(KeyPress(.escape), clipboard: &clipboard)
        #expect(fifth == .ignored)
        let sixth = editor.handle(.character("c", .control), clipboard: &clipboard)
        #expect(sixth == .ignored)
    }

    @Test func `a text at its limit takes no more but gives away`() {
        var editor = TextEditor("12345", isMultiline: false, limit: 5)
        let first = editor.insert("6")
        #expect(!first)
        #expect(editor.text == "12345")
        editor.erase(.left)
        let second = editor.insert("6")
        #expect(second)
        #expect(editor.text == "12346")
    }

    @Test func `the cursor stays in sight, in both directions`() {
        var editor = TextEditor((1...100).map { "line \($0)" }.joined(separator: "\n"))
        editor.viewport = Size(columns: 10, rows: 5)
        editor.move(.pageDown)
        #expect(editor.cursor.line == 4)
        editor.move(.pageDown)
        #expect((editor.top, editor.cursor.line) == (4, 8))
        editor.move(.textEnd)
        #expect(editor.top == 95)
        editor.insert(" is a long one")
        #expect(editor.left == editor.buffer.column(of: editor.cursor) - 9)
        editor.move(.lineStart)
        #expect(editor.left == 0)
        editor.scroll(lines: -50)
        #expect((editor.top, editor.cursor.line) == (45, 99))
        editor.move(.left)
        #expect(editor.top == 94)
    }

    @Test func `it draws its part with the selection and the cursor`() {
        var editor = TextEditor("one\n漢字 two\nthree")
        editor.move(.down)
        editor.move(.right, extending: true)
        editor.move(.right, extending: true)
        var canvas = Canvas(
            size: Size(columns: 10, rows: 2), theme: Theme(name: "test", styles: [.selection: Style(attributes: .reverse)]))
        editor.draw(on: &canvas, isFocused: true, lineNumbers: true)
        #expect(canvas.frame.text == "1 one\n2 漢字 two")
        #expect(canvas.frame.cursor == Point(column: 6, row: 1))
        let reversed = (0..<10).filter { canvas.frame[$0, 1].style.attributes.contains(.reverse) }
        #expect(reversed == [2, 3, 4, 5])
    }

    @Test func `the mouse puts the cursor into the nearest character`() {
        var editor = TextEditor("one\n漢字 two")
        editor.moveToCell(column: 3, row: 1)
        #expect(shown(editor) == "one\n漢|字 two")
        editor.moveToCell(column: 50, row: 9, extending: true)
        #expect(shown(editor) == "one\n漢^字 two|")
    }
}

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
