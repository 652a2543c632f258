import NetworkLayer
import TerminalUI

extension PaneDescription {
    static let history = PaneDescription(
        title: "History", focus: .focusHistory, perform: { $0.historyPane(perform: $1) },
        mouse: { $0.historyPane(mouse: $1, in: $2) },
        searchText: { $0.panes.history.searchText }, search: { $0.historyPane(search: $1) },
        hints: { _ in [.activate, .replay, .compare, .trend] },
        rows: { $0.panes.history.selection.places(of: $0.shownHistoryRows, in: .history, $1) },
        foot: .init(
            room: { $0.historyRows.isEmpty ? 0 : $0.screen.size.columns < 140 ? 4 : 6 }, count: { $0.historyRows.count }))
}

extension ExplorerState {
    /// A command while the history pane has the focus; `nil`: not one of its own.
    mutating func historyPane(perform command: Command.ID) -> [ExplorerEffect]? {
        let ids = shownHistoryRows
        if let step = OperationSelection.Step(command) {
            panes.history.selection.move(step, in: ids, rows: rows(of: .history))
            return readPastRunsOn()
        }
        switch command {
        case .activate:
            return panes.history.selection.selected(in: ids).map { open($0) } ?? []
        case .compare:
            return compare(panes.history.selection.selected(in: ids))
        case .replay:
            return replay(panes.history.selection.selected(in: ids))
        case .nextMatch, .previousMatch:
            // All rows that are seen match.
            guard !panes.history.searchText.isEmpty, let selected = panes.history.selection.selected(in: ids),
                let index = ids.firstIndex(of: selected)
            else { return [] }
            panes.history.selection.select(ids[index.stepped(by: command == .nextMatch ? 1 : -1, of: ids.count)])
            return []
        default:
            return nil
        }
    }

    /// A click or the wheel inside of the pane, whose inner part is `area`.
    mutating func historyPane(mouse event: MouseEvent, in area: Rect) -> [ExplorerEffect] {
        if panes.history.selection.handle(event, in: shownHistoryRows, area) { return historyPane(perform: .activate) ?? [] }
        return event.action == .wheelUp || event.action == .wheelDown ? readPastRunsOn() : []
    }

    /// The text that is looked for changed: only rows with it are seen; an empty one shows all. `n` and `N` come as commands.
    mutating func historyPane(search text: String) -> [ExplorerEffect] {
        panes.history.searchText = text
        return readPastRunsOn()
    }
}
