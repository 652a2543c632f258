import TerminalUI

extension Help: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let (commands, rect) = (commands, layout.list)
        let keys = commands.map { state.keymap.keys(for: $0.id).map(\.name).joined(separator: " ") }
        let keyColumns = min(12, keys.map(\.count).max() ?? 0)
        let isWide = rect.columns >= 60
        let titleColumns = isWide ? (commands.map { $0.title.count }.max() ?? 0) + 2 : 0
        let rows = list.window(height: rect.rows)
        canvas.draw(in: rect) { canvas in
            for row in rows {
                let line = row - rows.lowerBound
                if row == list.selected { OverlayView.select(line, on: &canvas) }
                canvas.text(keys[row], .key, column: 1, row: line, limit: keyColumns, ellipsis: true)
                var column = keyColumns + 3
                if isWide {
                    canvas.text(commands[row].title, .strong, column: column, row: line)
                    column += titleColumns
                }
                canvas.text(commands[row].help, .text, column: column, row: line, limit: rect.columns - column - 1, ellipsis: true)
            }
        }
        canvas.scrollbar(column: rect.endColumn, rows: rect.row..<rect.endRow, visible: rows, total: commands.count)
        guard let selected = list.selection else { return }
        let sentence = LineWrapping.lines(of: commands[selected].help, columns: rect.columns - 2)
        for (row, text) in sentence.prefix(Self.sentenceRows - 1).enumerated() {
            canvas.text(text, .info, column: rect.column + 1, row: rect.endRow + 1 + row)
        }
    }
}
