import TerminalUI
import Testing

@testable import Explorer

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
