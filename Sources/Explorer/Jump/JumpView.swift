import TerminalUI

/// Draws the letters of jump labels over the first cells of what they lead to: nothing moves.
extension Jump: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        for (rest, point) in open {
            canvas.text(String(rest), .searchMatchCurrent, column: point.column, row: point.row)
        }
    }
}
