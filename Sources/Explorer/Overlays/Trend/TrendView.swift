import Presentation
import TerminalUI

/// Draws a request's history as two rows of blocks, and the words of the run under the mark.
extension Trend: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        canvas.draw(in: layout.area.inner.inset(columns: 1)) { canvas in
            let size = canvas.bounds.size
            var lines = lines(width: size.columns)
            // Air goes before words do.
            if lines.count >= size.rows { lines.removeAll(where: \.text.isEmpty) }
            for (row, line) in lines.prefix(max(0, size.rows - 1)).enumerated() {
                canvas.line(line, column: 0, row: row, limit: size.columns, ellipsis: true)
            }
        }
    }
}
