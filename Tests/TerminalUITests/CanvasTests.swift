import NetworkLayerTesting
import TerminalTesting
import TerminalUI
import Testing

@Suite struct CanvasTests {
    private let red = Color(red: 200, green: 0, blue: 0)
    private let blue = Color(red: 0, green: 0, blue: 200)

    private func canvas(_ columns: Int, _ rows: Int) -> Canvas {
        Canvas(
            size: Size(columns: columns, rows: rows),
            theme: Theme(
                name: "test",
                styles: [
                    .error: Style(foreground: red), .selection: Style(background: blue),
                    .controlCharacter: Style(attributes: .reverse),
                ]))
    }

    @Test func `text is cut at the window's edge`() {
        var canvas = canvas(8, 2)
        #expect(canvas.text("hello world", column: 3, row: 0) == 8)
        canvas.draw(in: Rect(column: 2, row: 1, columns: 3, rows: 1)) { $0.text("abcdef", column: -1, row: 0) }
        #expect(canvas.frame.text == "   hello\n  bcd")
    }

    @Test func `what is cut off ends in an ellipsis`() {
        var canvas = canvas(8, 3)
        canvas.text("exactly8", column: 0, row: 0, ellipsis: true)
        canvas.text("too long for it", column: 0, row: 1, ellipsis: true)
        canvas.line(StyledLine([.init("漢字"), .init("漢字漢字")]), row: 2, limit: 6, ellipsis: true)
        #expect(canvas.frame.text == "exactly8\ntoo lon…\n漢字 …")
    }

    @Test func `half of a wide character is a blank`() {
        var canvas = canvas(5, 2)
        canvas.text("a漢字", column: 0, row: 0, limit: 4)
        canvas.line(StyledLine("漢字漢"), row: 1, offset: 1)
        #expect(canvas.frame.text == "a漢\n 字漢")
        #expect(canvas.frame[3, 0] == Cell(" "))
        #expect(canvas.frame[0, 1].width == 1)
    }

    @Test func `overwriting half of a wide character blanks the other half`() {
        var canvas = canvas(4, 1)
        canvas.text("漢字", column: 0, row: 0)
        canvas.text("x", column: 1, row: 0)
        #expect(canvas.frame.text == " x字")
        #expect(canvas.frame.cells.map(\.width) == [1, 1, 2, 0])
    }

    @Test func `text keeps the ground that it is laid on`() {
        var canvas = canvas(3, 1)
        canvas.fill(Rect(column: 0, row: 0, columns: 3, rows: 1), .selection)
        canvas.text("ab", .error, column: 0, row: 0)
        #expect(canvas.frame[0, 0].style == Style(foreground: red, background: blue))
        canvas.fill(Rect(column: 0, row: 0, columns: 1, rows: 1), .text)
        #expect(canvas.frame[0, 0] == Cell(" "))
    }

    @Test func `the theme's own ground doesn't hide the ground below`() {
        let ground = Style(foreground: red, background: Color(red: 1, green: 1, blue: 1))
        let theme = Theme(name: "test", styles: [.text: ground, .selection: Style(background: blue)])
        var canvas = Canvas(size: Size(columns: 2, rows: 1), theme: theme)
        canvas.fill(canvas.bounds, .selection)
        canvas.text("a", column: 0, row: 0)
        #expect(canvas.frame[0, 0].style == Style(foreground: red, background: blue))
    }

    @Test func `a control character is shown, in its own role`() {
        var canvas = canvas(10, 1)
        canvas.text("a\u{1B}[31m\tb", column: 0, row: 0)
        #expect(canvas.frame.text == "a␛[31m  b")
        #expect(canvas.frame[1, 0].style.attributes == .reverse)
        #expect(canvas.frame[2, 0].style == .plain)
    }

    @Test func `a scrolled line shows its part, tabs and all`() {
        var canvas = canvas(6, 1)
        canvas.line(StyledLine([.init("ab\t"), .init("cdefghij", .error)]), row: 0, offset: 3)
        #expect(canvas.frame.text == " cdefg")
        #expect(canvas.frame[1, 0].style.foreground == red)
    }

    @Test func `boxes that share an edge join`() {
        var canvas = canvas(13, 5)
        canvas.box(Rect(column: 0, row: 0, columns: 7, rows: 5))
        canvas.box(Rect(column: 6, row: 0, columns: 7, rows: 3), title: "long title", isFocused: true)
        canvas.box(Rect(column: 6, row: 2, columns: 7, rows: 3))
        #expect(
            canvas.frame.text == """
                ┌─────┬ lon…┐
                │     │     │
                │     ├─────┤
                │     │     │
                └─────┴─────┘
                """)
    }

    @Test func `bars are exact to an eighth at both ends`() {
        var canvas = canvas(6, 5)
        canvas.bar(from: 0, to: 2.5, row: 0, .error)
        canvas.bar(from: 1, to: 1.01, row: 1, .error)
        canvas.bar(from: 1.5, to: 4, row: 2, .error)
        canvas.bar(from: 4, to: 99, row: 3, .error)
        canvas.bar(from: 3, to: 3, row: 4, .error)
        #expect(canvas.frame.text == "██▌\n ▏\n ▌██\n    ██\n")
        #expect(canvas.frame[1, 2].style.attributes == .reverse)
    }

    @Test func `the scrollbar touches both ends and only them`() {
        func thumb(_ top: Int, total: Int = 25) -> [Int] {
            var drawing = canvas(1, 5)
            drawing.scrollbar(column: 0, rows: 0..<5, visible: top..<top + 5, total: total)
            return (0..<5).filter { drawing.frame[0, $0].character == "┃" }
        }
        #expect([0, 1, 10, 19, 20].map { thumb($0) } == [[0], [0], [2], [4], [4]])
        #expect(thumb(0, total: 5) == [])
        #expect(thumb(0, total: 8) == [0, 1, 2])
    }

    @Test func `the cursor is shown only where it can be seen`() {
        var canvas = canvas(5, 2)
        canvas.draw(in: Rect(column: 1, row: 1, columns: 2, rows: 1)) { $0.showCursor(column: 2, row: 0) }
        #expect(canvas.frame.cursor == nil)
        canvas.draw(in: Rect(column: 1, row: 1, columns: 2, rows: 1)) { $0.showCursor(column: 1, row: 0) }
        #expect(canvas.frame.cursor == Point(column: 2, row: 1))
    }

    @Test func `nothing draws outside, at any size`() {
        for columns in 0...6 {
            for rows in 0...4 {
                var canvas = canvas(columns, rows)
                canvas.box(Rect(column: -2, row: -1, columns: 12, rows: 9), title: "title")
                canvas.box(canvas.bounds, title: "漢字")
                canvas.text("漢字漢字", column: -1, row: 0)
                canvas.bar(from: -1, to: 40, row: 1, .error)
                #expect(canvas.frame.cells.count == columns * rows)
            }
        }
    }
}

@Suite struct FrameDiffTests {
    private func frame(_ lines: String...) -> Frame {
        var canvas = Canvas(size: Size(columns: 8, rows: lines.count), theme: Theme(name: "test"))
        for (row, line) in lines.enumerated() { canvas.text(line, column: 0, row: row) }
        return canvas.frame
    }

    private func text(_ diff: FrameDiff) -> [String] {
        diff.runs.map { "\($0.row):\($0.column) \(String($0.cells.map(\.character)))" }
    }

    @Test func `nothing has changed, nothing is written`() {
        #expect(FrameDiff(from: frame("abc", "漢"), to: frame("abc", "漢")).runs.isEmpty)
    }

    @Test func `only what has changed is in, in runs`() {
        #expect(text(FrameDiff(from: frame("abcdef", "x"), to: frame("aBCdeF", "x"))) == ["0:1 BC", "0:5 F"])
    }

    @Test func `wide characters go as a whole`() {
        #expect(text(FrameDiff(from: frame("a漢b"), to: frame("a字b"))) == ["0:1 字"])
        #expect(text(FrameDiff(from: frame("a漢b"), to: frame("axyb"))) == ["0:1 xy"])
        #expect(text(FrameDiff(from: frame("axyb"), to: frame("a漢b"))) == ["0:1 漢"])
        #expect(text(FrameDiff(from: frame("漢字"), to: frame("x漢y"))) == ["0:0 x漢y"])
    }

    @Test func `another size means everything`() {
        let diff = FrameDiff(from: frame("ab"), to: frame("ab", ""))
        #expect(text(diff) == ["0:0 ab      ", "1:0         "])
    }

    @Test func `the runs make any frame out of any other`() {
        var random = SeededGenerator(seed: 1)
        let alphabet = Array("ab 漢字😀é")
        func any() -> Frame {
            var canvas = Canvas(size: Size(columns: 9, rows: 3), theme: Theme(name: "test"))
            for row in 0..<3 {
                let line = (0..<Int.random(in: 0...9, using: &random)).map { _ in alphabet.randomElement(using: &random) ?? "a" }
                canvas.text(String(line), column: Int.random(in: -2...3, using: &random), row: row)
            }
            return canvas.frame
        }
        for _ in 0..<500 {
            let (old, new) = (any(), any())
            var screen = old
            for run in FrameDiff(from: old, to: new).runs {
                var column = run.column
                for cell in run.cells {
                    screen.put(cell.character, width: Int(cell.width), style: cell.style, column: column, row: run.row)
                    column += Int(cell.width)
                }
            }
            #expect(screen == new)
        }
    }
}

@Suite struct RectPartsTests {
    private let screen = Rect(column: 0, row: 0, columns: 100, rows: 30)

    @Test func `fixed parts get what they ask for and shares get the rest`() {
        let parts = screen.columns([.fixed(20), .share(1), .share(2)])
        #expect(parts.map(\.columns) == [20, 26, 54])
        #expect(parts.map(\.column) == [0, 20, 46])
    }

    @Test func `parts that share an edge overlap by one cell and reach the end`() {
        let parts = screen.rows([.share(1), .share(1), .fixed(5)], sharedEdges: true)
        #expect(parts.map(\.row) == [0, 12, 25])
        #expect(parts.map(\.rows) == [13, 14, 5])
        #expect(parts.last?.endRow == 30)
    }

    @Test func `a minimum is kept before shares are given out`() {
        #expect(screen.columns([.share(1, minimum: 60), .share(1)]).map(\.columns) == [60, 40])
        #expect(screen.columns([.share(1, minimum: 20), .share(1)]).map(\.columns) == [50, 50])
    }

    @Test func `when there is no room the last parts lose and nothing is negative`() {
        #expect(
            Rect(column: 0, row: 0, columns: 10, rows: 1).columns([.fixed(8), .fixed(8), .share(1)]).map(\.columns) == [8, 2, 0])
        #expect(Rect(column: 3, row: 0, columns: 0, rows: 0).columns([.fixed(8), .share(1)]).map(\.columns) == [0, 0])
    }

    @Test func `parts cover the whole without gaps, whatever their shares`() {
        for width in 0...50 {
            let parts = Rect(column: 0, row: 0, columns: width, rows: 1).columns([
                .share(3, minimum: 4), .fixed(7), .share(1), .share(2),
            ])
            #expect(parts.map(\.columns).reduce(0, +) == width)
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.endColumn == $1.column })
        }
    }

    @Test func `splits and centres stay inside`() {
        #expect(screen.splitTop(3).rest == Rect(column: 0, row: 3, columns: 100, rows: 27))
        #expect(screen.splitBottom(1).bottom == Rect(column: 0, row: 29, columns: 100, rows: 1))
        #expect(screen.splitLeft(200).left == screen)
        #expect(screen.centered(Size(columns: 50, rows: 40)) == Rect(column: 25, row: 0, columns: 50, rows: 30))
        #expect(
            screen.intersection(Rect(column: 90, row: 20, columns: 40, rows: 40))
                == Rect(column: 90, row: 20, columns: 10, rows: 10))
    }
}
