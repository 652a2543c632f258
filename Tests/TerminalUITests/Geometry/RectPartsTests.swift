import TerminalUI
import Testing

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
