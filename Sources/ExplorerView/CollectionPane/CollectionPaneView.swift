import ExplorerModel
import TerminalUI

/// Draws the collection pane, border included.
enum CollectionPaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on surface: inout Surface) {
        let isFocused = state.focus == .collection && state.overlay == nil
        surface.box(rect, title: Surface.title(.collection, isFocused: isFocused), isFocused: isFocused)
    }
}
