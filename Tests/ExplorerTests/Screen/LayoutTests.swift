import TerminalUI
import Testing

@testable import Explorer

@Suite struct `The layout` {
    private static let sizes = [(80, 24), (120, 40), (160, 50), (200, 60)].map { Size(columns: $0, rows: $1) }

    private func layout(
        _ columns: Int, _ rows: Int, focus: Pane = .collection, _ moment: Layout.Moment = .sent, hasRun: Bool = true
    ) -> Layout {
        Layout(size: Size(columns: columns, rows: rows), focus: focus, moment: moment, hasRun: hasRun)
    }

    @Test func `keeps request line, verdict and 14 rows of 58 columns of body at 80x24, and all columns when zoomed`() throws {
        for focus in [Pane.collection, .response] {
            let shared = layout(80, 24, focus: focus)
            let content = try #require(shared.content(of: .response))
            #expect(content.rows >= 14 && content.columns >= 58)
            #expect(try #require(shared.requestLine).rows == 1)
            #expect(try #require(shared.operationLine).rows == 2)
        }
        let zoomed = try #require(
            Layout(size: Size(columns: 80, rows: 24), focus: .response, isZoomed: true).content(of: .response))
        #expect(zoomed.rows >= 17 && zoomed.columns >= 76)
    }

    @Test func `gives the stage all rows that the rails leave, from 21 rows on never fewer than 14`() throws {
        for rows in 21...70 {
            let stage = try #require(layout(80, rows).panes[.response])
            #expect(stage.inner.rows >= 14, "\(rows) rows")
        }
    }

    @Test(arguments: sizes) func `the verdict stands in the same row whatever one does`(size: Size) throws {
        let rows = try Pane.allCases.flatMap { focus in
            try [Layout.Moment.editing, .sent].map { moment in
                try [false, true].map { isZoomed in
                    let layout = Layout(size: size, focus: focus, isZoomed: isZoomed, moment: moment)
                    return try #require(layout.operationLine).row
                }
            }.flatMap(\.self)
        }
        #expect(Set(rows).count == 1)
    }

    @Test(arguments: sizes) func `zoomed, a pane has all columns and all rows below the verdict`(size: Size) throws {
        for focus in Pane.allCases {
            let layout = Layout(size: size, focus: focus, isZoomed: true)
            #expect(Set(layout.panes.keys) == [focus])
            let verdict = try #require(layout.operationRail)
            let pane = try #require(layout.panes[focus])
            #expect(verdict.rows == 3 && pane.row == verdict.endRow - 1)
            #expect(pane.columns == size.columns && pane.endRow == size.rows - 1)
            #expect(layout.growing(by: 2) == nil)
        }
    }

    @Test func `editing makes the request large`() throws {
        for (size, share) in zip(Self.sizes, [0.99, 0.6, 0.6, 0.45]) {
            let layout = Layout(size: size, focus: .request, moment: .editing)
            let request = try #require(layout.panes[.request])
            let stage = layout.panes.values.reduce(0) { max($0, $1.endRow) } - request.row
            #expect(request.columns >= 52)
            let part =
                size.columns < 140 ? Double(request.rows) / Double(stage) : Double(request.columns) / Double(size.columns - 38)
            #expect(part >= share, "at \(size)")
        }
        #expect(layout(120, 40, focus: .request, .editing).panes[.response] != nil)
        #expect(layout(160, 50, focus: .request, .editing).side?.what == .willBeSent)
        #expect(layout(200, 60, focus: .request, .editing).panes[.response] != nil)
    }

    @Test func `having sent makes the response large, and from 140 columns the timing stands beside it`() throws {
        #expect(try #require(layout(120, 40).content(of: .response)).rows >= 28)
        #expect(layout(120, 40).side == nil)
        let wide = layout(160, 50)
        #expect(try #require(wide.content(of: .response)).columns >= 70)
        #expect(try #require(wide.side).what == .timing)
        let full = layout(200, 60)
        #expect(full.panes[.request] != nil && full.side?.what == .timing)
    }

    @Test func `a response that shows its timing has none beside it`() {
        let wide = Layout(size: Size(columns: 160, rows: 50), focus: .response, showsTiming: true)
        #expect(wide.side == nil && wide.panes[.response] == wide.places.stage)
        #expect(Layout(size: Size(columns: 200, rows: 60), focus: .response, showsTiming: true).side?.what == .willBeSent)
        #expect(Layout(size: Size(columns: 160, rows: 50), focus: .request, moment: .editing, showsTiming: true).side != nil)
    }

    @Test func `a request that was never sent has the place of its response`() {
        #expect(layout(120, 40, hasRun: false).panes[.request] == layout(120, 40).panes[.response])
        #expect(layout(160, 50, hasRun: false).side?.what == .willBeSent)
        #expect(layout(120, 40, focus: .response, hasRun: false).panes[.response] != nil)
    }

    @Test func `held still, it keeps the borders while one edits`() {
        for size in Self.sizes {
            var editing = Layout(size: size, focus: .request, moment: .editing)
            editing.holdsStill = true
            let sent = Layout(size: size, focus: .response, moment: .sent)
            #expect(editing.operationRail == sent.operationRail)
            #expect(editing.panes[.request] == (size.columns < 180 ? sent.panes[.response] : sent.panes[.request]))
        }
    }

    @Test(arguments: sizes) func `queue and history have the whole stage while they are looked at, and else no place`(size: Size) {
        for pane in [Pane.queue, .history] {
            let layout = Layout(size: size, focus: pane)
            #expect(Set(layout.panes.keys) == [.collection, pane])
            #expect(layout.panes[pane] == layout.places.stage && layout.side == nil)
            #expect(Layout(size: size, focus: .collection).panes[pane] == nil)
        }
    }

    @Test(arguments: [(80, 20, 20), (100, 30, 30), (120, 30, 36), (139, 30, 41), (160, 34, 48), (200, 38, 60)])
    func `gives the tree what its names need, up to three tenths of the screen`(columns: Int, least: Int, most: Int) {
        func tree(_ needed: Int) -> Int? {
            var layout = layout(columns, 40)
            layout.treeColumns = needed
            return layout.panes[.collection]?.columns
        }
        #expect(tree(0) == least)
        #expect(tree(least + 3) == min(most, least + 3))
        #expect(tree(400) == most)
    }

    @Test func `the tree's columns depend neither on what is unfolded nor on what is sent`() {
        var explorer = ExplorerDriver()
        let before = explorer.state.layout.panes[.collection]?.columns
        explorer.press(.focusCollection, .top, .left)
        explorer.enqueue(1, "orders/create")
        #expect(explorer.state.layout.panes[.collection]?.columns == before)
    }

    @Test func `shows the focused pane alone at 40x10, below the request's line and the verdict`() throws {
        for focus in Pane.allCases {
            let small = layout(40, 10, focus: focus)
            #expect(small.panes == [focus: Rect(column: 0, row: 2, columns: 40, rows: 7)])
            #expect(small.requestLine == Rect(column: 0, row: 0, columns: 40, rows: 1))
            #expect(small.operationLine == Rect(column: 0, row: 1, columns: 40, rows: 1))
        }
    }

    @Test func `shows the focused pane at every size that isn't too small, inside of the screen`() {
        for columns in stride(from: 1, through: 220, by: 7) {
            for rows in stride(from: 1, through: 70, by: 3) {
                let size = Size(columns: columns, rows: rows)
                for focus in Pane.allCases {
                    for moment in [Layout.Moment.editing, .sent] {
                        let layout = Layout(
                            size: size, focus: focus, moment: moment, hasRun: rows % 2 == 0)
                        if layout.shape == .tooSmall { continue }
                        let screen = Rect(column: 0, row: 0, columns: columns, rows: rows - 1)
                        #expect(layout.panes[focus] != nil, "\(focus) at \(size)")
                        for (pane, rect) in layout.panes {
                            #expect(
                                rect.intersection(screen) == rect && rect.columns >= 2 && rect.rows >= 2,
                                "\(pane) at \(size): \(rect)")
                        }
                    }
                }
            }
        }
    }

    @Test func `neighbours share one border and leave no gap`() {
        for size in Self.sizes + [Size(columns: 100, rows: 16), Size(columns: 140, rows: 29)] {
            for moment in [Layout.Moment.editing, .sent] {
                let layout = Layout(size: size, focus: .collection, moment: moment)
                let rects =
                    Array(layout.panes.values) + [layout.requestRail, layout.operationRail, layout.side?.rect].compactMap(\.self)
                for row in 0..<size.rows - 1 {
                    for column in 0..<size.columns {
                        let point = Point(column: column, row: row)
                        #expect(rects.contains { $0.contains(point) }, "\(point) at \(size)")
                        #expect(rects.filter { $0.inner.contains(point) }.count <= 1, "\(point) at \(size)")
                    }
                }
            }
        }
    }

    @Test(arguments: sizes.dropFirst(), [Layout.Moment.editing, .sent])
    func `a divider goes where it is dragged, and only there`(size: Size, moment: Layout.Moment) throws {
        var layout = Layout(size: size, focus: .collection, moment: moment)
        for divider in Layout.Divider.allCases {
            guard let start = point(of: divider, in: layout) else { continue }
            let target = Point(column: start.column + 3, row: start.row + 2)
            layout.adjustments = layout.dragging(divider, to: target)
            let moved = try #require(point(of: divider, in: layout), "\(divider)")
            #expect(moved.column == target.column || moved.row == target.row, "\(divider) at \(size)")
        }
        var other = layout
        other.moment = moment == .editing ? .sent : .editing
        let fresh = Layout(size: size, focus: .collection, moment: other.moment)
        #expect(other.panes == fresh.panes)
    }

    @Test func `the focused pane grows and shrinks, and goes back to its designed size`() throws {
        for size in Self.sizes {
            for (focus, moment) in [
                (Pane.collection, Layout.Moment.sent), (.request, .editing), (.response, .sent),
            ] {
                var layout = Layout(size: size, focus: focus, moment: moment)
                let before = try #require(layout.panes[focus])
                guard let larger = layout.growing(by: 2) else {
                    #expect(size.columns < 140)
                    continue
                }
                layout.adjustments = larger
                let after = try #require(layout.panes[focus])
                #expect(after.columns * after.rows > before.columns * before.rows, "\(focus) at \(size)")
                layout.adjustments[layout.adjustmentKey] = .init()
                #expect(layout.panes[focus] == before)
            }
        }
    }

    /// The first point of the screen, from the upper left, that belongs to a divider.
    private func point(of divider: Layout.Divider, in layout: Layout) -> Point? {
        for row in 0..<layout.size.rows {
            for column in 0..<layout.size.columns where layout.divider(at: Point(column: column, row: row)) == divider {
                return Point(column: column, row: row)
            }
        }
        return nil
    }
}
