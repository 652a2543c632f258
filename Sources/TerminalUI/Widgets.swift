/// Which row of a list is selected, and which rows are seen.
package struct ListState: Hashable, Sendable {
    /// Rows there are.
    package var count: Int { didSet { settle() } }
    /// Rows that are seen at once. Set it when the layout changes; drawing may use `window(height:)` instead.
    package var height: Int { didSet { settle() } }
    /// Always a row that there is; 0 in an empty list.
    package private(set) var selected: Int
    /// The first row seen.
    package private(set) var top: Int

    package init(count: Int = 0, selected: Int = 0, height: Int = 20) {
        self.count = max(0, count)
        self.height = max(1, height)
        self.selected = selected
        self.top = 0
        settle()
    }

    package var selection: Int? { count == 0 ? nil : selected }
    package var visible: Range<Int> { top..<min(count, top + height) }

    package mutating func select(_ index: Int) {
        selected = index
        settle()
    }

    package mutating func move(by rows: Int) { select(selected + rows) }

    package mutating func page(by pages: Int) { select(selected + pages * max(1, height - 1)) }

    /// Moves what is seen; the selection stays where it is, in sight or not.
    package mutating func scroll(by rows: Int) {
        top = min(max(0, top + rows), max(0, count - height))
    }

    /// What is selected when the mouse points at this row of the window; `nil` below the list.
    package func index(atRow row: Int) -> Int? {
        let index = top + row
        return row >= 0 && row < height && index < count ? index : nil
    }

    /// The rows to draw in a window of this height, with the selection among them.
    package func window(height: Int) -> Range<Int> {
        if height == self.height { return visible }
        var other = self
        other.height = height
        return other.visible
    }

    /// Up, down, `k`, `j`, page up and down, Home, End, `g`, `G`.
    ///
    /// - Returns: whether it was a key of the list's.
    package mutating func handle(_ press: KeyPress) -> Bool {
        guard press.modifiers.isEmpty else { return false }
        switch press.key {
        case .up, .character("k"): move(by: -1)
        case .down, .character("j"): move(by: 1)
        case .pageUp: page(by: -1)
        case .pageDown: page(by: 1)
        case .home, .character("g"): select(0)
        case .end, .character("G"): select(count - 1)
        default: return false
        }
        return true
    }

    private mutating func settle() {
        if count < 0 { count = 0 }
        if height < 1 { height = 1 }
        selected = min(max(0, selected), max(0, count - 1))
        if selected < top { top = selected }
        if selected >= top + height { top = selected - height + 1 }
        top = min(max(0, top), max(0, count - height))
    }
}

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

/// How much of something there is: a bar over its track.
package struct Gauge: Hashable, Sendable {
    /// 0 to 1.
    package var fraction: Double
    package var role: ThemeRole

    package init(fraction: Double, role: ThemeRole = .gauge) {
        self.fraction = fraction.isFinite ? min(max(0, fraction), 1) : 0
        self.role = role
    }

    /// What is left of something that runs out: from `low` down in another role.
    package init(remaining: Double, low: Double = 0.2) {
        self.init(fraction: remaining, role: remaining <= low ? .gaugeLow : .gauge)
    }

    package func draw(on canvas: inout Canvas, in rect: Rect) {
        canvas.draw(in: rect) { canvas in
            canvas.bar(from: 0, to: fraction * Double(rect.columns), row: 0, role, track: .gaugeTrack)
        }
    }
}

/// A sign that something goes on when nothing can be measured.
package enum Spinner {
    package static let frames: [Character] = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

    /// - Parameter step: counts on with time; whoever has a clock divides by what one step takes (80 ms look calm).
    package static func character(step: Int) -> Character {
        frames[((step % frames.count) + frames.count) % frames.count]
    }
}

extension Canvas {
    /// The rows of a list that are in sight, the selected one on its ground, and a scrollbar behind them.
    ///
    /// - Parameters:
    ///   - isActive: whether keys act on the selected row.
    ///   - draw: draws an element in a row of the canvas.
    package mutating func list(
        _ list: ListState, in rect: Rect, isActive: Bool = true, _ draw: (inout Canvas, _ index: Int, _ row: Int) -> Void
    ) {
        let rows = list.window(height: rect.rows)
        self.draw(in: rect) { canvas in
            for index in rows {
                if isActive, index == list.selected { canvas.select(index - rows.lowerBound, sign: 0) }
                draw(&canvas, index, index - rows.lowerBound)
            }
        }
        scrollbar(column: rect.endColumn, rows: rect.row..<rect.endRow, visible: rows, total: list.count)
    }
}
