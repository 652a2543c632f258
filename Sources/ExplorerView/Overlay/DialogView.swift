import ExplorerModel
import TerminalUI

extension Dialog: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        canvas.draw(in: layout.area.inner.inset(columns: 1)) { canvas in
            let lines = wrapped(columns: canvas.bounds.columns)
            let room = canvas.bounds.rows - 2
            for (row, line) in lines.prefix(room).enumerated() { canvas.text(line, .text, column: 0, row: row) }
            var column = 0
            for (index, button) in buttons.enumerated() {
                let isSelected = index == selected
                let row = canvas.bounds.rows - 1
                let rect = Rect(column: column, row: row, columns: button.title.count + 4, rows: 1)
                if isSelected { canvas.fill(rect, .selection) }
                canvas.text("\(button.key)", .key, column: column + 1, row: row)
                canvas.text(button.title, isSelected ? .strong : .text, column: column + 3, row: row)
                column = rect.endColumn + 2
            }
        }
    }
}
