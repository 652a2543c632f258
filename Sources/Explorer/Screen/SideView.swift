import NetworkLayer
import Presentation
import TerminalUI

/// Draws what stands beside the stage's panes: where the time went, or what would be sent.
enum SideView {
    static func draw(_ side: Layout.Side, of state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        let pane: Pane = side == .timing ? .operation : .request
        var title = StyledLine(" \(pane.rawValue) ", .dim)
        title.append(side == .timing ? "timing " : "will be sent ", .title)
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

/// The panes of the foot in the tree's lower edge while they aren't shown: `5 queue 2  6 history 12`.
enum TreeEdgeView {
    static func draw(_ state: ExplorerState, _ panes: [Pane: Rect], on canvas: inout Canvas) {
        guard state.layout.shape == .rails, let tree = panes[.collection] else { return }
        let last = Pane.foot.last { panes[$0] != nil }.flatMap { panes[$0] }
        let rect = last.map { $0.column == tree.column ? $0 : tree } ?? tree
        var line = StyledLine()
        for pane in Pane.foot where panes[pane] == nil {
            let count = state.count(in: pane)
            guard count > 0 else { continue }
            let number = " \(pane.rawValue) "
            let name = pane.title.lowercased()
            // Each part is shown whole or not at all. What is live comes first, and a large count is kept rather than the name.
            for text in ["\(name) \(Figures.count(count)) ", "\(name) "]
            where DisplayWidth.of(line.text + number + text) <= rect.columns - 4 {
                line.append(number, .dim)
                line.append(text, pane == .queue ? .stateRunning : .dim)
                break
            }
        }
        guard rect.columns > 4, !line.spans.isEmpty else { return }
        canvas.line(line, column: rect.column + 2, row: rect.endRow - 1, limit: rect.columns - 4, ellipsis: true)
    }
}
