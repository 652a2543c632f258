import ExplorerModel
import TerminalUI

/// Draws the collection pane inside of its border, and its title into it.
enum CollectionPaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        canvas.pane(.collection, of: state, in: rect)
    }
}
