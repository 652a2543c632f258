import ExplorerModel
import TerminalUI

/// Draws the history pane inside of its border, and its title into it.
enum HistoryPaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        canvas.pane(.history, of: state, in: rect)
    }
}
