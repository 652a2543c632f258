import ExplorerModel
import TerminalUI
import Testing

@Suite struct `The layout` {
    @Test func `gives a focused response 14 rows of 58 columns at 80x24, and 20 when zoomed`() throws {
        let size = Size(columns: 80, rows: 24)
        let shared = try #require(Layout(size: size, focus: .response).content(of: .response))
        #expect(shared.rows >= 14 && shared.columns >= 58)
        let zoomed = try #require(Layout(size: size, focus: .response, isZoomed: true).content(of: .response))
        #expect(zoomed.rows >= 20 && zoomed.columns >= 76)
    }

    @Test func `gives the request what it needs at 120x40 while it is edited`() throws {
        let panes = Layout(size: Size(columns: 120, rows: 40), focus: .request, isEditing: true).panes
        let request = try #require(panes[.request])
        #expect(request.inner.rows >= 20 && request.columns >= 52)
        #expect(RequestPaneState().tabs(columns: request.columns).showsAll)
        #expect(try #require(panes[.response]).inner.rows >= 12)
        #expect(try #require(panes[.operation]).inner.columns >= 30)
    }

    @Test func `what is dragged while one edits stays apart from what is dragged afterwards`() throws {
        var layout = Layout(size: Size(columns: 120, rows: 40), focus: .request, isEditing: true)
        layout.adjustments = layout.dragging(.top, to: Point(column: 60, row: 14))
        #expect(try #require(layout.panes[.request]).rows == 15)
        let before = Layout(size: layout.size, focus: .response).panes
        #expect(Layout(size: layout.size, focus: .response, adjustments: layout.adjustments).panes == before)
    }

    @Test func `keeps a row for the request at 80x24, beside 14 rows of body`() throws {
        let layout = Layout(size: Size(columns: 80, rows: 24), focus: .collection, main: .response)
        #expect(try #require(layout.requestLine).columns >= 50)
        #expect(try #require(layout.content(of: .operation)).rows >= 4)
        #expect(try #require(layout.panes[.response]).inner.rows - 1 >= 14)
        #expect(Layout(size: layout.size, focus: .request, main: .request).requestLine == nil)
    }

    @Test func `gives the response 25 rows at 120x40, whatever has the focus`() throws {
        for focus in Pane.allCases {
            let panes = Layout(size: Size(columns: 120, rows: 40), focus: focus).panes
            #expect(Set(panes.keys) == Set(Pane.allCases))
            #expect(try #require(panes[.response]).inner.rows >= 25)
        }
    }

    @Test func `gives the request room for all of its tabs where the operation keeps its table`() throws {
        let panes = Layout(size: Size(columns: 140, rows: 42), focus: .collection).panes
        let request = try #require(panes[.request])
        #expect(RequestPaneState().tabs(columns: request.columns).showsAll)
        #expect(try #require(panes[.operation]).inner.columns >= 53)
    }

    @Test func `shows the focused pane alone at 40x10`() {
        for focus in Pane.allCases {
            #expect(
                Layout(size: Size(columns: 40, rows: 10), focus: focus).panes == [
                    focus: Rect(column: 0, row: 0, columns: 40, rows: 9)
                ])
        }
    }

    @Test func `shows the focused pane at every size that isn't too small, inside of the screen`() {
        for columns in stride(from: 1, through: 220, by: 7) {
            for rows in stride(from: 1, through: 70, by: 3) {
                let size = Size(columns: columns, rows: rows)
                for focus in Pane.allCases {
                    let layout = Layout(size: size, focus: focus, main: .queue)
                    if layout.shape == .tooSmall { continue }
                    let screen = Rect(column: 0, row: 0, columns: columns, rows: rows - 1)
                    #expect(layout.panes[focus] != nil, "\(focus) at \(size)")
                    for (pane, rect) in layout.panes {
                        #expect(
                            rect.intersection(screen) == rect && rect.columns >= 2 && rect.rows >= 2, "\(pane) at \(size): \(rect)")
                    }
                }
            }
        }
    }

    @Test func `neighbours share one border and leave no gap`() {
        for size in [Size(columns: 120, rows: 40), Size(columns: 80, rows: 24), Size(columns: 100, rows: 16)] {
            let panes = Layout(size: size, focus: .response).panes
            for row in 0..<size.rows - 1 {
                for column in 0..<size.columns {
                    let point = Point(column: column, row: row)
                    #expect(panes.values.filter { $0.contains(point) }.count >= 1, "\(point) at \(size)")
                    #expect(panes.values.filter { $0.inner.contains(point) }.count <= 1, "\(point) at \(size)")
                }
            }
        }
    }

    @Test func `a divider goes where it is dragged`() throws {
        var layout = Layout(size: Size(columns: 120, rows: 40), focus: .response)
        for divider in Layout.Divider.allCases {
            let start = try #require(point(of: divider, in: layout))
            #expect(layout.divider(at: start) == divider)
            let target = Point(column: start.column + 3, row: start.row + 2)
            layout.adjustments = layout.dragging(divider, to: target)
            let moved = try #require(point(of: divider, in: layout))
            switch divider {
            case .collection, .request: #expect(moved.column == target.column)
            case .top, .queue, .history: #expect(moved.row == target.row, "\(divider)")
            }
        }
    }

    /// A point in the middle of a divider.
    private func point(of divider: Layout.Divider, in layout: Layout) -> Point? {
        let panes = layout.panes
        guard let collection = panes[.collection], let operation = panes[.operation], let queue = panes[.queue],
            let history = panes[.history]
        else { return nil }
        return switch divider {
        case .collection: Point(column: collection.endColumn - 1, row: collection.row + 2)
        case .request: Point(column: operation.column, row: operation.row + 2)
        case .top: Point(column: operation.column + 5, row: operation.endRow - 1)
        case .queue: Point(column: queue.column + 12, row: queue.row)
        case .history: Point(column: history.column + 12, row: history.row)
        }
    }
}
