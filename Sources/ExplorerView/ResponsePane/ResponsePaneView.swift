import ExplorerModel
import TerminalUI

/// Draws the response pane inside of its border, and its title into it.
enum ResponsePaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        canvas.pane(.response, of: state, in: rect)
    }
}
