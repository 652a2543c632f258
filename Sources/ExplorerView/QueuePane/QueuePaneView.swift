import ExplorerModel
import TerminalUI

/// Draws the queue pane, border included.
enum QueuePaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on surface: inout Surface) {
        let isFocused = state.focus == .queue && state.overlay == nil
        surface.box(rect, title: Surface.title(.queue, isFocused: isFocused), isFocused: isFocused)
    }
}
