import ExplorerModel
import TerminalUI

/// Draws the queue pane inside of its border, and its title into it.
enum QueuePaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        canvas.pane(.queue, of: state, in: rect)
    }
}
