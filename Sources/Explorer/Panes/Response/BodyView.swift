import Presentation
import TerminalUI

/// Draws the part of a body that is in sight, over the whole canvas.
enum BodyView {
    /// - Parameter showsCursor: whether keys come here.
    static func draw(_ document: BodyDocument, _ view: BodyViewState, showsCursor: Bool, on canvas: inout Canvas) {
        let gutter = view.gutter(of: document)
        let cursor = showsCursor && view.hasCursor(document) ? view.cursor : nil
        for (index, row) in view.rows(of: document, in: canvas.bounds.size).enumerated() {
            if row.position.line == cursor { canvas.fill(canvas.bounds.line(index), .selection) }
            if gutter > 0, row.position.column == 0 {
                canvas.text("\(row.position.line + 1)", .lineNumber, endColumn: gutter - 1, row: index)
            }
            canvas.line(row.text, column: gutter, row: index)
        }
    }
}
