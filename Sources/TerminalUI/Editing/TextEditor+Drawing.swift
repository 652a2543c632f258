extension TextEditor {
    /// The columns that line numbers take, with the blank behind them.
    package var gutterColumns: Int { String(buffer.lines.count).count + 1 }

    /// Draws the seen part over the canvas's whole window.
    ///
    /// - Parameters:
    ///   - isFocused: shows the terminal's cursor.
    ///   - highlight: a line's looks; it must keep the line's text.
    package func draw(
        on canvas: inout Canvas, isFocused: Bool, role: ThemeRole = .text, lineNumbers: Bool = false,
        highlight: ((String) -> StyledLine)? = nil
    ) {
        let gutter = lineNumbers ? gutterColumns : 0
        var shown = self
        shown.viewport = Size(columns: canvas.bounds.columns - gutter, rows: canvas.bounds.rows)
        let (numbers, page) = canvas.bounds.splitLeft(gutter)
        let rows = 0..<min(canvas.bounds.rows, buffer.lines.count - shown.top)
        if lineNumbers {
            canvas.draw(in: numbers) { canvas in
                for row in rows { canvas.text(String(shown.top + row + 1), .lineNumber, endColumn: gutter - 1, row: row) }
            }
        }
        canvas.draw(in: page) { canvas in
            for row in rows {
                let text = buffer.lines[shown.top + row]
                canvas.line(highlight?(text) ?? StyledLine(text, role), row: row, offset: shown.left)
                shown.drawSelection(line: shown.top + row, row: row, on: &canvas)
            }
            if isFocused {
                canvas.showCursor(column: buffer.column(of: cursor) - shown.left, row: cursor.line - shown.top)
            }
        }
    }

    private func drawSelection(line: Int, row: Int, on canvas: inout Canvas) {
        guard let selection, selection.lowerBound.line <= line, line <= selection.upperBound.line else { return }
        let start = selection.lowerBound.line == line ? buffer.column(of: selection.lowerBound) : 0
        // A selected line end shows as one selected blank.
        let end =
            selection.upperBound.line == line
            ? buffer.column(of: selection.upperBound) : buffer.column(of: buffer.lineEnd(line)) + 1
        let first = max(start - left, 0)
        canvas.restyle(Rect(column: first, row: row, columns: end - left - first, rows: 1), .selection)
    }
}
