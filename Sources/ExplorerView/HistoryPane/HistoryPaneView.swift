import ExplorerModel
import TerminalUI

/// Draws the history pane, border included.
enum HistoryPaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on surface: inout Surface) {
        let isFocused = state.focus == .history && state.overlay == nil
        surface.box(rect, title: Surface.title(.history, isFocused: isFocused), isFocused: isFocused)
    }
}
