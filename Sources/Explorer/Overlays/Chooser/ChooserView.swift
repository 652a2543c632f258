import TerminalUI

extension Chooser: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let rect = layout.list
        let rows = list.window(height: rect.rows)
        let detailColumn = (items.map { DisplayWidth.of($0.title) }.max() ?? 0) + 4
        canvas.draw(in: rect) { canvas in
            for row in rows {
                let line = row - rows.lowerBound
                let item = items[row]
                if row == list.selected { OverlayView.select(line, on: &canvas) }
                canvas.text(item.title, .text, column: 2, row: line, ellipsis: true)
                canvas.text(
                    item.detail, .dim, column: detailColumn, row: line, limit: rect.columns - detailColumn - 1, ellipsis: true)
            }
        }
        canvas.scrollbar(column: rect.endColumn, rows: rect.row..<rect.endRow, visible: rows, total: items.count)
    }
}
