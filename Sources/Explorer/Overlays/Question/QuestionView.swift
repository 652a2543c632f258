import Presentation
import TerminalUI

/// Draws a question that a run asks.
extension QuestionForm: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let inner = layout.area.inner.inset(columns: 1)
        canvas.draw(in: inner) { canvas in
            for (row, line) in lines(columns: canvas.bounds.columns).enumerated() {
                canvas.text(line, .text, column: 0, row: row)
            }
            canvas.text(hint, .dim, column: 0, row: canvas.bounds.rows - 1, ellipsis: true)
        }
        let area = layout.list
        switch question.form {
        case .text: if let field = layout.typedField { shownLine.draw(on: &canvas, in: field, isFocused: true) }
        case .choice(let options, _):
            let rows = list.window(height: area.rows)
            canvas.draw(in: area) { canvas in
                for row in rows {
                    let line = row - rows.lowerBound
                    if row == list.selected { OverlayView.select(line, on: &canvas) }
                    canvas.text(SafeText.line(options[row]), .text, column: 2, row: line, ellipsis: true)
                }
            }
            canvas.scrollbar(column: area.endColumn, rows: area.row..<area.endRow, visible: rows, total: options.count)
        case .signIn: break
        }
    }
}
