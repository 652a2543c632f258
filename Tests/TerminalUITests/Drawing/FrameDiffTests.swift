import NetworkLayerTesting
import TerminalTesting
import TerminalUI
import Testing

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
