import ExplorerModel
import TerminalUI

/// Draws the letters of jump labels over the first cells of what they lead to: nothing moves.
enum JumpView {
    static func draw(_ jump: Jump, on canvas: inout Canvas) {
        for (rest, point) in jump.open {
            canvas.text(String(rest), .searchMatchCurrent, column: point.column, row: point.row)
        }
    }
}
