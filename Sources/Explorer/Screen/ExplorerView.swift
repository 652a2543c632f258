import TerminalUI

/// Draws what the explorer knows.
enum ExplorerView {
    /// Pure: the same state and theme give the same frame.
    static func frame(for state: ExplorerState, theme: Theme) -> Frame {
        var canvas = Canvas(size: state.terminalSize, theme: theme)
        let layout = state.layout
        guard layout.shape != .tooSmall else {
            TooSmallView.draw(on: &canvas)
            return canvas.frame
        }
        let panes = layout.panes
        // Neighbours share their edges: first all borders, the focused one last so that it is whole, then what is in them.
        if let rail = layout.requestRail, rail.rows > 1 { canvas.box(rail) }
        if let side = layout.side { canvas.box(side.rect) }
        for (pane, rect) in panes where pane != state.screen.focus { canvas.box(rect) }
        if let rect = panes[state.screen.focus] { canvas.box(rect, isFocused: true) }
        if let rail = layout.requestRail { RequestLineView.draw(state, in: rail, on: &canvas) }
        if let line = layout.verdictLine { canvas.draw(in: line) { VerdictLineView.draw(state, row: 0, on: &$0) } }
        for pane in Pane.allCases {
            if let rect = panes[pane] { draw(pane, of: state, in: rect, on: &canvas) }
        }
        if let side = layout.side { SideView.draw(side.what, of: state, in: side.rect, on: &canvas) }
        TreeEdgeView.draw(state, panes, on: &canvas)
        let cut = StatusLineView.draw(state, in: layout.statusLine, on: &canvas)
        TourView.draw(state, on: &canvas)
        if let content = state.overlay?.content { OverlayView.draw(content, of: state, on: &canvas) }
        if let cut { StatusLineView.draw(cut, above: layout.statusLine, on: &canvas) }
        return canvas.frame
    }

    private static func draw(_ pane: Pane, of state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        switch pane {
        case .collection: CollectionPaneView.draw(state, in: rect, on: &canvas)
        case .request: RequestPaneView.draw(state, in: rect, on: &canvas)
        case .operation: OperationPaneView.draw(state, in: rect, on: &canvas)
        case .response: ResponsePaneView.draw(state, in: rect, on: &canvas)
        case .queue: QueuePaneView.draw(state, in: rect, on: &canvas)
        case .history: HistoryPaneView.draw(state, in: rect, on: &canvas)
        }
    }
}

/// What is left to say in a terminal that has no room for a pane.
private enum TooSmallView {
    static func draw(on canvas: inout Canvas) {
        let lines = ["too small:", "make it \(Layout.minimum.columns)×\(Layout.minimum.rows)"]
        for (row, line) in lines.enumerated() {
            canvas.text(line, .warning, column: 0, row: row)
        }
    }
}
