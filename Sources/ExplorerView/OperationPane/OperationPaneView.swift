import ExplorerModel
import TerminalUI

/// Draws the operation pane inside of its border, and its title into it.
enum OperationPaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        canvas.pane(.operation, of: state, in: rect)
    }
}
