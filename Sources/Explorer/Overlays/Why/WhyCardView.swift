import TerminalUI

/// Draws the cause, what shows it, and a row for each remedy.
extension WhyCard: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let inner = layout.area.inner
        canvas.draw(in: inner) { canvas in
            for (row, what) in rows(in: inner.inset(columns: 1).size).enumerated() {
                switch what {
                case .text(let line): canvas.line(line, column: 1, row: row, limit: inner.columns - 2, ellipsis: true)
                case .remedy(let index):
                    let remedy = remedies[index]
                    if index == list.selected { OverlayView.select(row, on: &canvas) }
                    canvas.text("\(remedy.key)", .key, column: 2, row: row)
                    canvas.text(remedy.sentence, .text, column: 5, row: row, limit: inner.columns - 6, ellipsis: true)
                case .hint: canvas.text(Self.hint, .keyHelp, column: 1, row: row)
                case .blank: break
                }
            }
        }
    }
}
