import ExplorerModel
import TerminalUI

/// Draws the request pane inside of its border, and its title into it.
enum RequestPaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        canvas.pane(.request, of: state, in: rect)
    }
}
