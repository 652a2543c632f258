import ExplorerModel
import TerminalUI

/// Draws the operation pane, border included.
enum OperationPaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on surface: inout Surface) {
        let isFocused = state.focus == .operation && state.overlay == nil
        surface.box(rect, title: Surface.title(.operation, isFocused: isFocused), isFocused: isFocused)
    }
}
