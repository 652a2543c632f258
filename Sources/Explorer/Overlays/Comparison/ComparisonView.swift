import TerminalUI

extension Comparison: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let (rect, rows) = (layout.list, visible)
        canvas.draw(in: rect.inset(columns: 1)) { canvas in
            for row in rows { canvas.line(lines[row], row: row - rows.lowerBound, offset: left, ellipsis: true) }
        }
        canvas.scrollbar(column: rect.endColumn, rows: rect.row..<rect.endRow, visible: rows, total: lines.count)
    }
}
