import ExplorerModel
import Presentation
import TerminalUI

/// Draws a question that a run asks.
enum QuestionView {
    static func draw(_ form: QuestionForm, in area: Rect, list: Rect, on canvas: inout Canvas) {
        let inner = area.inner.inset(columns: 1)
        canvas.draw(in: inner) { canvas in
            for (row, line) in OverlayLayout.lines(of: form, columns: canvas.bounds.columns).enumerated() {
                canvas.text(line, .text, column: 0, row: row)
            }
            canvas.text(form.hint, .dim, column: 0, row: canvas.bounds.rows - 1, ellipsis: true)
        }
        switch form.question.form {
        case .text:
            form.shownLine.draw(on: &canvas, in: list.line(0).inset(columns: 1), isFocused: true)
        case .choice(let options, _):
            let rows = form.list.window(height: list.rows)
            canvas.draw(in: list) { canvas in
                for row in rows {
                    let line = row - rows.lowerBound
                    if row == form.list.selected {
                        canvas.fill(canvas.bounds.line(line), .selection)
                        canvas.text("›", .accent, column: 0, row: line)
                    }
                    canvas.text(SafeText.line(options[row]), .text, column: 2, row: line, ellipsis: true)
                }
            }
            canvas.scrollbar(column: list.endColumn, rows: list.row..<list.endRow, visible: rows, total: options.count)
        case .signIn: break
        }
    }
}
