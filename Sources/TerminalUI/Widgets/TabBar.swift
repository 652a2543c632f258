/// Titles side by side, one of them selected. When there is no room for all, those around the selected one are shown.
package struct TabBar: Hashable, Sendable {
    package var titles: [String]
    package var selected: Int

    package init(_ titles: [String], selected: Int = 0) {
        self.titles = titles
        self.selected = min(max(0, selected), max(0, titles.count - 1))
    }

    package struct Place: Hashable, Sendable {
        package var index: Int
        package var columns: Range<Int>
    }

    /// Where each shown title is, with a blank at either side; the first at column 0 (or behind `‹`).
    package func places(width: Int) -> [Place] {
        let widths = titles.map { DisplayWidth.of($0) + 2 }
        guard widths.indices.contains(selected) else { return [] }
        var first = selected
        var last = selected
        func room(_ first: Int, _ last: Int) -> Int {
            widths[first...last].reduce(0, +) + (first > 0 ? 1 : 0) + (last < widths.count - 1 ? 1 : 0)
        }
        while true {
            if last + 1 < widths.count, room(first, last + 1) <= width {
                last += 1
            } else if first > 0, room(first - 1, last) <= width {
                first -= 1
            } else {
                break
            }
        }
        var start = first > 0 ? 1 : 0
        return (first...last).map { index in
            let end = min(start + widths[index], max(start, width))
            defer { start = end }
            return Place(index: index, columns: start..<end)
        }
    }

    /// The tab that the mouse points at.
    package func index(atColumn column: Int, width: Int) -> Int? {
        places(width: width).first { $0.columns.contains(column) }?.index
    }

    /// Draws over the canvas's row.
    package func draw(on canvas: inout Canvas, row: Int, isFocused: Bool = true) {
        let places = places(width: canvas.bounds.columns)
        for place in places {
            let role: ThemeRole = place.index == selected ? .tabSelected : .tab
            let rect = Rect(column: place.columns.lowerBound, row: row, columns: place.columns.count, rows: 1)
            canvas.fill(rect, role)
            canvas.text(
                titles[place.index], role, column: place.columns.lowerBound + 1, row: row, limit: place.columns.count - 1,
                ellipsis: true)
        }
        if let first = places.first, first.index > 0 { canvas.text("‹", .dim, column: 0, row: row) }
        if let last = places.last, last.index < titles.count - 1 {
            canvas.text("›", .dim, column: last.columns.upperBound, row: row)
        }
    }
}
