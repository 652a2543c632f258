import ExplorerModel
import TerminalUI

/// Draws the request pane, border included.
enum RequestPaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on surface: inout Surface) {
        let isFocused = state.focus == .request && state.overlay == nil
        surface.box(rect, title: Surface.title(.request, isFocused: isFocused), isFocused: isFocused)
    }
}
