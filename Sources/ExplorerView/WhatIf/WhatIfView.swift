import ExplorerModel
import Presentation
import TerminalUI

/// Draws the choices before a request is sent again, one a row.
enum WhatIfView {
    static func draw(_ board: WhatIfBoard, in area: Rect, on canvas: inout Canvas) {
        canvas.draw(in: area.inner) { canvas in
            let room = canvas.bounds.rows - 1
            let top = max(0, board.selected - room + 1)
            for (row, index) in (top..<min(board.choices.count, top + room)).enumerated() {
                let choice = board.choices[index]
                if index == board.selected { OverlayView.select(row, on: &canvas) }
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
            let again = board.last.map { [ExplorerState.Hint(key: ".", word: "again: \($0.words)")] } ?? []
            canvas.keys(
                [
                    .init(key: "Enter", word: "send"), .init(key: "← →", word: "choose"), .init(key: "Esc", word: "drop"),
                    .init(key: "c", word: "both ways, compared"),
                ] + again, column: 1, row: canvas.bounds.rows - 1, limit: canvas.bounds.columns - 2)
        }
    }
}
