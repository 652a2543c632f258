import ExplorerModel
import Presentation
import TerminalUI

/// Draws a request's history as two rows of blocks, and the words of the run under the mark.
enum TrendView {
    static func draw(_ trend: Trend, in area: Rect, on canvas: inout Canvas) {
        canvas.draw(in: area.inner.inset(columns: 1)) { canvas in
            let size = canvas.bounds.size
            for (row, line) in trend.lines(width: size.columns).prefix(max(0, size.rows - 1)).enumerated() {
                canvas.line(line, column: 0, row: row, limit: size.columns, ellipsis: true)
            }
            canvas.keys(
                [.init(key: "← →", word: "another run"), .init(key: "Enter", word: "open it"), .init(key: "Esc", word: "back")],
                row: size.rows - 1)
        }
    }
}
