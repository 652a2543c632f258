/// Where the columns of a table are.
package struct TableLayout: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package var title: String
        /// As wide as its widest cell.
        package var natural: Int
        /// Less than this makes no sense: rather leave the column out.
        package var minimum: Int
        package var alignment: Alignment
        /// Columns of a higher rank are left out first when there is no room. Rank 0 always stays.
        package var rank: Int
        /// It takes what room is left.
        package var grows: Bool

        package init(
            _ title: String = "", natural: Int, minimum: Int = 1, alignment: Alignment = .left, rank: Int = 0, grows: Bool = false
        ) {
            self.title = title
            self.natural = max(natural, DisplayWidth.of(title))
            self.minimum = minimum
            self.alignment = alignment
            self.rank = rank
            self.grows = grows
        }
    }

    package enum Alignment: Hashable, Sendable {
        case left, right
    }

    /// One a column; `nil`: left out.
    package let places: [Range<Int>?]
    package let columns: [Column]

    /// - Parameters:
    ///   - width: of the whole table.
    ///   - spacing: blanks between two columns.
    package init(_ columns: [Column], width: Int, spacing: Int = 2) {
        self.columns = columns
        var shown = Array(columns.indices)
        func need(_ part: [Int], _ size: (Column) -> Int) -> Int {
            part.reduce(0) { $0 + size(columns[$1]) } + spacing * max(0, part.count - 1)
        }
        while need(shown, { min($0.minimum, $0.natural) }) > width,
            let last = shown.filter({ columns[$0].rank > 0 }).max(by: { columns[$0].rank < columns[$1].rank })
        {
            shown.removeAll { $0 == last }
        }
        var widths = shown.map { columns[$0].natural }
        var excess = need(shown, \.natural) - width
        // The widest gives first, so that short columns keep their whole text.
        while excess > 0,
            let widest = shown.indices.filter({ widths[$0] > columns[shown[$0]].minimum }).max(by: { widths[$0] < widths[$1] })
        {
            let next = widths.indices.filter { $0 != widest }.map { widths[$0] }.filter { $0 < widths[widest] }.max() ?? 0
            let floor = max(columns[shown[widest]].minimum, min(next, widths[widest] - 1))
            let given = min(excess, widths[widest] - floor)
            widths[widest] -= given
            excess -= given
        }
        if excess < 0, let growing = shown.firstIndex(where: { columns[$0].grows }) { widths[growing] -= excess }
        var places: [Range<Int>?] = Array(repeating: nil, count: columns.count)
        var start = 0
        for (index, column) in shown.enumerated() {
            let from = min(start, width)
            places[column] = from..<max(from, min(start + widths[index], width))
            start += widths[index] + spacing
        }
        self.places = places
    }
}

extension Canvas {
    /// One row of a table; what doesn't fit ends in `…`.
    package mutating func tableRow(_ cells: [StyledLine], layout: TableLayout, row: Int, base: ThemeRole? = nil) {
        for (index, cell) in cells.enumerated() {
            guard index < layout.places.count, let place = layout.places[index], !place.isEmpty else { continue }
            let width = layout.columns[index].alignment == .right ? DisplayWidth.of(cell.text) : 0
            let column =
                layout.columns[index].alignment == .right ? max(place.lowerBound, place.upperBound - width) : place.lowerBound
            line(cell, column: column, row: row, limit: place.upperBound - column, base: base, ellipsis: true)
        }
    }

    package mutating func tableHeader(_ layout: TableLayout, row: Int, role: ThemeRole = .dim) {
        tableRow(layout.columns.map { StyledLine($0.title, role) }, layout: layout, row: row)
    }
}
