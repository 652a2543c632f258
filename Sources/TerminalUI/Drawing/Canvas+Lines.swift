/// Sides that a line leaves a cell on.
private struct Arms: OptionSet {
    let rawValue: UInt8
    static let up = Arms(rawValue: 1)
    static let right = Arms(rawValue: 2)
    static let down = Arms(rawValue: 4)
    static let left = Arms(rawValue: 8)

    /// By `rawValue`.
    private static let characters: [Character] = [
        " ", "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼",
    ]

    var character: Character { Arms.characters[Int(rawValue)] }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(_ character: Character) {
        self.rawValue = UInt8(Arms.characters.firstIndex(of: character) ?? 0)
    }
}

extension Canvas {
    /// A box of light lines along the rectangle's edge. Where it meets lines that are there already, they join (`├ ┬ ┼`):
    /// boxes that share an edge are drawn one over the other, the focused one last.
    package mutating func box(
        _ rect: Rect, title: String = "", isFocused: Bool = false, border: ThemeRole? = nil, titleRole: ThemeRole? = nil
    ) {
        self.box(
            rect, title: title.isEmpty ? StyledLine() : StyledLine(title, titleRole ?? (isFocused ? .titleFocused : .title)),
            isFocused: isFocused, border: border)
    }

    /// A box whose title has several styles: tabs, a count, a state.
    package mutating func box(_ rect: Rect, title: StyledLine, isFocused: Bool = false, border: ThemeRole? = nil) {
        let role = border ?? (isFocused ? .borderFocused : .border)
        guard rect.columns >= 2, rect.rows >= 2 else { return }
        horizontalLine(column: rect.column, row: rect.row, columns: rect.columns, role)
        horizontalLine(column: rect.column, row: rect.endRow - 1, columns: rect.columns, role)
        verticalLine(column: rect.column, row: rect.row, rows: rect.rows, role)
        verticalLine(column: rect.endColumn - 1, row: rect.row, rows: rect.rows, role)
        if !title.spans.isEmpty, rect.columns >= 6 {
            var padded = title
            padded.spans.insert(StyledLine.Span(" ", role), at: 0)
            padded.append(" ", role)
            draw(in: Rect(column: rect.column + 1, row: rect.row, columns: rect.columns - 2, rows: 1)) { canvas in
                canvas.line(padded, row: 0, ellipsis: true)
            }
        }
    }

    package mutating func horizontalLine(column: Int, row: Int, columns: Int, _ role: ThemeRole = .border) {
        for index in 0..<max(0, columns) {
            var arms: Arms = columns == 1 ? [.left, .right] : []
            if index > 0 { arms.insert(.left) }
            if index < columns - 1 { arms.insert(.right) }
            join(arms, column: column + index, row: row, role)
        }
    }

    package mutating func verticalLine(column: Int, row: Int, rows: Int, _ role: ThemeRole = .border) {
        for index in 0..<max(0, rows) {
            var arms: Arms = rows == 1 ? [.up, .down] : []
            if index > 0 { arms.insert(.up) }
            if index < rows - 1 { arms.insert(.down) }
            join(arms, column: column, row: row + index, role)
        }
    }

    private mutating func join(_ arms: Arms, column: Int, row: Int, _ role: ThemeRole) {
        let here = cell(column: column, row: row).map { Arms($0.character) } ?? []
        put(Glyph(here.union(arms).character), style: overlaid(role), column: column, row: row)
    }
}
