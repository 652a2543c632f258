import Presentation
import TerminalUI

/// Draws the choices before a request is sent again, one a row.
extension WhatIfBoard: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        canvas.draw(in: layout.area.inner) { canvas in
            let room = canvas.bounds.rows - 1
            let top = max(0, selected - room + 1)
            for (row, index) in (top..<min(choices.count, top + room)).enumerated() {
                let choice = choices[index]
                if index == selected { OverlayView.select(row, on: &canvas) }
                canvas.text(choice.label, .text, column: 2, row: row)
                var column = 15
                for (number, option) in choice.options.enumerated() where column < canvas.bounds.columns - 2 {
                    let isPicked = number == choice.picked
                    // It has a sign, too, because not every terminal has colours.
                    let text = isPicked ? "[\(option)]" : " \(option) "
                    canvas.text(
                        SafeText.line(text), isPicked ? number > 0 ? .unsaved : .strong : .dim, column: column, row: row,
                        limit: canvas.bounds.columns - column - 1, ellipsis: true)
                    column += text.count + 1
                }
            }
        }
    }
}
