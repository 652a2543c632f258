import ExplorerModel
import NetworkLayer
import Presentation
import TerminalUI

/// Draws the operation pane inside of its border, and its title into it.
enum OperationPaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        guard let entry = state.shownOperation else {
            let inner = canvas.pane(.operation, of: state, in: rect)
            canvas.draw(in: inner) { canvas in
                canvas.calm(["Nothing has been sent yet.", "s or F5 sends the request; its states appear here."])
            }
            return
        }
        let inner = canvas.pane(.operation, of: state, in: rect, details: title(entry))
        canvas.draw(in: inner) { canvas in
            content(entry, state.operationPane, now: state.now, isFocused: state.focus == .operation, on: &canvas)
        }
    }

    /// `#218 create an order`, where it ran when that is said.
    private static func title(_ entry: OperationEntry) -> StyledLine {
        var line = StyledLine("#\(entry.id.rawValue) ", .dim)
        line.append(entry.title, .text)
        if let environment = entry.environment { line.append(" in \(environment)", .dim) }
        return line
    }

    /// All rows, over the whole canvas.
    static func content(
        _ entry: OperationEntry, _ pane: OperationPaneState, now: MonotonicTime, isFocused: Bool, on canvas: inout Canvas
    ) {
        let size = canvas.bounds.size
        let metrics = entry.metrics
        let rows = OperationPaneLayout(entry, in: size, selected: pane).rows
        let selected = metrics.attempts.count > 1 ? pane.selectedIndex(of: entry) : nil
        let board = TimeoutBoard(metrics, now: now)
        let failure = rows.contains(.failure(0)) ? FailureText.lines(of: metrics, columns: size.columns) : []
        let table = AttemptTableView(
            metrics, shown: rows.compactMap(\.attempt), now: now, width: size.columns, hasHeader: rows.contains(.attemptHeader))

        for (index, row) in rows.enumerated() {
            switch row {
            case .summary: canvas.line(OperationSummary.line(entry, board, now: now), row: index, ellipsis: true)
            case .lifeline: LifelineView.draw(metrics, now: now, row: index, on: &canvas)
            case .attemptHeader: canvas.tableHeader(table.layout, row: index)
            case .attempt(let attempt):
                if attempt == selected { canvas.fill(canvas.bounds.line(index), isFocused ? .selection : .selectionUnfocused) }
                table.draw(attempt, row: index, on: &canvas)
            case .activity(let activity): ActivityView.draw(activity, of: entry, now: now, row: index, on: &canvas)
            case .failure(let line): canvas.line(failure[line], row: index, ellipsis: true)
            case .outcome: canvas.line(OperationSummary.outcome(entry), row: index, ellipsis: true)
            case .gauges: TimeoutGaugeView.draw(board, row: index, on: &canvas)
            case .gauge(let name):
                guard let gauge = board.gauges.first(where: { $0.name == name }) else { break }
                TimeoutGaugeView.draw(gauge, of: board, row: index, on: &canvas)
            case .blank: break
            }
        }
    }
}

extension OperationPaneLayout.Row {
    fileprivate var attempt: Int? {
        if case .attempt(let index) = self { index } else { nil }
    }
}

extension Canvas {
    /// What an empty pane says: a dim paragraph near the top, in the middle.
    mutating func calm(_ lines: [String]) {
        let rows = bounds.rows
        let wrapped = lines.flatMap { StyledLine($0, .placeholder).wrapped(columns: bounds.columns - 2) }
        let top = max(0, (rows - wrapped.count) / 3)
        for (index, line) in wrapped.enumerated() where top + index < rows {
            self.line(line, column: max(0, (bounds.columns - DisplayWidth.of(line.text)) / 2), row: top + index)
        }
    }
}
