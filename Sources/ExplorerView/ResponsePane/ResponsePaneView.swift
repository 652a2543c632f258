import ExplorerModel
import TerminalUI

/// Draws the response pane, border included.
enum ResponsePaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on surface: inout Surface) {
        let isFocused = state.focus == .response && state.overlay == nil
        surface.box(rect, title: Surface.title(.response, isFocused: isFocused), isFocused: isFocused)
    }
}
