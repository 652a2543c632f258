import NetworkLayer
import TerminalUI

extension ExplorerState {
    /// A command while the history pane has the focus; `nil`: not one of its own.
    mutating func historyPane(perform command: Command.ID) -> [ExplorerEffect]? {
        let ids = filteredHistory
        if let step = OperationSelection.Step(command) {
            historyPane.selection.move(step, in: ids, rows: rows(of: .history))
            return readPastRunsOn()
        }
        switch command {
        case .activate:
            return historyPane.selection.selected(in: ids).map { open($0) } ?? []
        case .compare:
            return compare(historyPane.selection.selected(in: ids))
        case .replay:
            return replay(historyPane.selection.selected(in: ids))
        case .nextMatch, .previousMatch:
            // All that is shown matches.
            historyPane.selection.move(.rows(command == .nextMatch ? 1 : -1), in: ids, rows: rows(of: .history))
            return readPastRunsOn()
        default:
            return nil
        }
    }

    /// A click or the wheel inside of the pane, whose inner part is `area`.
    mutating func historyPane(mouse event: MouseEvent, in area: Rect) -> [ExplorerEffect] {
        let ids = filteredHistory
        switch event.action {
        case .wheelUp, .wheelDown:
            historyPane.selection.move(.rows(event.action == .wheelUp ? -3 : 3), in: ids, rows: area.rows)
            return readPastRunsOn()
        case .press:
            _ = historyPane.selection.click(row: event.point.row - area.row, in: ids, rows: area.rows)
        case .doubleClick:
            guard historyPane.selection.click(row: event.point.row - area.row, in: ids, rows: area.rows) else { return [] }
            return historyPane(perform: .activate) ?? []
        case .drag, .release:
            break
        }
        return []
    }

    /// The text that is looked for changed: only what has it is shown; an empty one shows all.
    mutating func historyPane(search text: String) -> [ExplorerEffect] {
        historyPane.searchText = text
        let effects = settleHistory()
        historyPane.selection.move(.first, in: filteredHistory, rows: rows(of: .history))
        return effects
    }
}
