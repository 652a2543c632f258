extension Frame {
    package var area: Rect { Rect(size) }

    /// Puts a cell and keeps double-width characters whole: what a new cell cuts in two becomes blank.
    /// Outside of the frame nothing happens.
    package mutating func put(_ character: Character, width: Int, style: Style, column: Int, row: Int) {
        guard row >= 0, row < size.rows, column >= 0, column + width <= size.columns else { return }
        release(column, row)
        if width == 2 { release(column + 1, row) }
        self[column, row] = Cell(character, width: UInt8(width), style: style)
        if width == 2 { self[column + 1, row] = Cell(" ", width: 0, style: style) }
    }

    private mutating func release(_ column: Int, _ row: Int) {
        switch self[column, row].width {
        case 2 where column + 1 < size.columns: self[column + 1, row] = Cell(" ", style: self[column + 1, row].style)
        case 0 where column > 0: self[column - 1, row] = Cell(" ", style: self[column - 1, row].style)
        default: break
        }
    }

    /// The characters of the screen, one line a row, without spaces at the ends of lines.
    package var text: String {
        var lines: [String] = []
        for row in 0..<size.rows {
            var line = ""
            for column in 0..<size.columns where self[column, row].width > 0 { line.append(self[column, row].character) }
            while line.last == " " { line.removeLast() }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }
}
