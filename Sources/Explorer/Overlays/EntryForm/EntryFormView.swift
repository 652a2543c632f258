import TerminalUI

/// Draws the lines to fill in for what is to be in the tree.
extension EntryForm: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let inner = layout.area.inner.inset(columns: 1)
        for (row, field) in fields.enumerated() where row < inner.rows {
            let isFocused = row == selected
            canvas.text(field.label, isFocused ? .key : .dim, column: inner.column, row: inner.row + row)
            field.shownLine.draw(on: &canvas, in: place(ofField: row, in: layout.area.inner), isFocused: isFocused)
        }
        canvas.draw(in: inner) { canvas in
            let lines = lines(columns: canvas.bounds.columns)
            for (row, line) in lines.enumerated() where fields.count + row + 2 < canvas.bounds.rows {
                canvas.text(line, complaint == nil ? .dim : .error, column: 0, row: fields.count + 1 + row)
            }
            canvas.text(Self.hint, .dim, column: 0, row: canvas.bounds.rows - 1, ellipsis: true)
        }
    }
}
