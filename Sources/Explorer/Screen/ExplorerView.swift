import NetworkLayer
import Presentation
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
        if let rail = layout.operationRail, rail.rows > 1 { canvas.box(rail) }
        if let side = layout.side { canvas.box(side.rect) }
        for (pane, rect) in panes where pane != state.screen.focus { canvas.box(rect) }
        if let rect = panes[state.screen.focus] { canvas.box(rect, isFocused: true) }
        if let rail = layout.requestRail { RequestLineView.draw(state, in: rail, on: &canvas) }
        if let rail = layout.operationRail { OperationLineView.draw(state, in: rail, on: &canvas) }
        for pane in Pane.allCases {
            if let rect = panes[pane] { draw(pane, of: state, in: rect, on: &canvas) }
        }
        if let side = layout.side { SideView.draw(side.what, of: state, in: side.rect, on: &canvas) }
        QueryView.drawCompletion(state, on: &canvas)
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

/// Draws what stands beside the stage's panes: where the time went, or what would be sent.
enum SideView {
    static func draw(_ side: Layout.Side, of state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        let title = StyledLine(side == .timing ? " timing " : " will be sent ", .title)
        canvas.line(title, column: rect.column + 1, row: rect.row, limit: rect.columns - 2, ellipsis: true)
        canvas.draw(in: rect.inner.inset(columns: 1)) { canvas in
            switch side {
            case .timing: drawTiming(state, on: &canvas)
            case .willBeSent:
                for (row, line) in state.sentPreview.prefix(canvas.bounds.rows).enumerated() {
                    canvas.line(line, row: row, ellipsis: true)
                }
            }
        }
    }

    private static func drawTiming(_ state: ExplorerState, on canvas: inout Canvas) {
        guard let entry = state.shownOperation else { return canvas.calm(["Where the time went is seen here."]) }
        var row = 0
        if !entry.metrics.attempts.isEmpty {
            for line in Waterfall(entry.metrics, now: state.now).lines(width: canvas.bounds.columns) where row < canvas.bounds.rows
            {
                canvas.line(line, row: row, ellipsis: true)
                row += 1
            }
        }
        let board = TimeoutBoard(entry.metrics, now: state.now)
        // The body's place has them while there is nothing to be read.
        guard !entry.state.isFinal || board.fired != nil, !showsProgress(state) else { return }
        row += row > 0 ? 1 : 0
        for gauge in board.gauges where board.fired == nil || gauge.name == board.fired {
            guard row < canvas.bounds.rows else { return }
            TimeoutGaugeView.draw(gauge, of: board, row: row, on: &canvas)
            row += 1
        }
    }

    private static func showsProgress(_ state: ExplorerState) -> Bool {
        guard state.layout.panes[.response] != nil, state.panes.response.tab == .body,
            let subject = state.responseSubject(for: .body), !subject.isPrevious
        else { return false }
        if case .progress = state.responseContent(columns: state.responseArea.columns) { return true }
        return false
    }
}
