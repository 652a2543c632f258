import TerminalUI

extension Dialog: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let inner = layout.area.inner
        let (lines, seen) = shown(in: inner.inset(columns: 1).size)
        canvas.draw(in: inner.inset(columns: 1)) { canvas in
            for row in seen { canvas.text(lines[row], .text, column: 0, row: row - seen.lowerBound) }
            let rows = buttonRows(columns: canvas.bounds.columns)
            for (row, buttons) in rows.enumerated() { draw(buttons, row: canvas.bounds.rows - rows.count + row, on: &canvas) }
        }
        canvas.scrollbar(column: inner.endColumn, rows: inner.row..<inner.row + seen.count, visible: seen, total: lines.count)
    }

    private func draw(_ indices: Range<Int>, row: Int, on canvas: inout Canvas) {
        var column = 0
        for index in indices {
            let button = buttons[index]
            if index == selected { canvas.fill(Rect(column: column, row: row, columns: button.columns, rows: 1), .selection) }
            canvas.text("\(button.key)", .key, column: column + 1, row: row)
            canvas.text(button.title, index == selected ? .strong : .text, column: column + 3, row: row)
            column += button.columns + 2
        }
    }
}
