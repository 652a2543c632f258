package import ExplorerModel
package import TerminalUI

/// Draws what the explorer knows.
package enum ExplorerView {
    /// Pure: the same state and theme give the same frame.
    package static func frame(for state: ExplorerState, theme: Theme) -> Frame {
        var surface = Surface(size: state.size, theme: theme)
        let layout = state.layout
        guard layout.shape != .tooSmall else {
            surface.text("terminal too small", .warning, column: 0, row: 0, columns: state.size.columns)
            return surface.frame
        }
        for (pane, rect) in layout.panes {
            draw(pane, of: state, in: rect, on: &surface)
        }
        return surface.frame
    }

    private static func draw(_ pane: Pane, of state: ExplorerState, in rect: Rect, on surface: inout Surface) {
        switch pane {
        case .collection: CollectionPaneView.draw(state, in: rect, on: &surface)
        case .request: RequestPaneView.draw(state, in: rect, on: &surface)
        case .operation: OperationPaneView.draw(state, in: rect, on: &surface)
        case .response: ResponsePaneView.draw(state, in: rect, on: &surface)
        case .queue: QueuePaneView.draw(state, in: rect, on: &surface)
        case .history: HistoryPaneView.draw(state, in: rect, on: &surface)
        }
    }
}
