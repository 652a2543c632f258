import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import TerminalUI

extension PaneDescription {
    static let operation = PaneDescription(
        title: "Operation", focus: .focusOperation, moment: .sent, perform: { $0.operationPane(perform: $1) },
        mouse: { $0.operationPane(mouse: $1, in: $2) }, searchText: { $0.panes.operation.searchText },
        search: { $0.operationPane(search: $1) }, hints: { _ in [.replay] },
        rows: { state, area in
            guard let entry = state.shownOperation else { return [] }
            return state.operationRows(entry, in: area.size).enumerated().compactMap { row, what in
                guard case .attempt(let index) = what else { return nil }
                return (.attempt(entry.id, index), Point(column: area.column, row: area.row + row))
            }
        })
}

extension ExplorerState {
    /// The attempt that the response pane's tabs are about: the one selected in the operation pane.
    var shownAttempt: AttemptMetrics? {
        guard let entry = shownOperation, let index = panes.operation.selectedIndex(of: entry) else { return nil }
        return entry.metrics.attempts[index]
    }

    /// What is on which row of the operation pane.
    func operationRows(_ entry: OperationEntry, in size: Size) -> [OperationPaneLayout.Row] {
        guard layout.shape == .rails else {
            let rows = OperationPaneLayout(entry, in: size, selected: panes.operation).rows
            return layout.verdictLine == nil ? rows : rows.filter { $0 != .outcome }
        }
        return OperationPaneLayout(rail: entry, in: size, selected: panes.operation, isFailureTold: isFailureTold).rows
    }

    /// The response pane says what went wrong, above what came of the body.
    private var isFailureTold: Bool {
        guard layout.panes[.response] != nil, case .failure = responseNotes(columns: layout.size.columns) else { return false }
        return true
    }

    /// A command while the operation pane has the focus; `nil`: not one of its own.
    mutating func operationPane(perform command: Command.ID) -> [ExplorerEffect]? {
        guard let entry = shownOperation else { return nil }
        let index = panes.operation.selectedIndex(of: entry) ?? 0
        switch command {
        case .up: panes.operation.select(index - 1, of: entry)
        case .down: panes.operation.select(index + 1, of: entry)
        case .pageUp, .top: panes.operation.select(0, of: entry)
        case .pageDown, .bottom: panes.operation.select(.max, of: entry)
        case .activate:
            screen.setFocus(.response)
            // The body is the last attempt's: of an earlier one, the times say most.
            if panes.operation.isHistoric(entry), panes.response.tab == .body { panes.response.tab = .timing }
        case .previousTab, .nextTab:
            return responsePane(perform: command)
        case .replay:
            return replay(entry.id)
        case .compare:
            return compareWithPrevious(entry.id)
        case .nextMatch, .previousMatch:
            panes.operation.find(in: entry, from: index, step: command == .nextMatch ? 1 : -1)
        default:
            return nil
        }
        return []
    }

    /// The attempt before or after the shown one, from any pane; the tabs of the response are about it.
    mutating func stepAttempt(by step: Int) {
        guard let entry = shownOperation, let index = panes.operation.selectedIndex(of: entry) else {
            notice = Notice(.info, "there is no attempt to show")
            return
        }
        let attempts = entry.metrics.attempts
        let next = index + step
        guard attempts.indices.contains(next) else {
            let which = attempts.count == 1 ? "the only attempt" : step < 0 ? "the first attempt" : "the last attempt"
            notice = Notice(.info, "this is \(which)")
            return
        }
        panes.operation.select(next, of: entry)
        let result = attempts[next].head.map { "\($0.status.code)" } ?? attempts[next].disposition.map { "\($0)" } ?? ""
        notice = Notice(.info, "attempt \(next + 1) of \(attempts.count)" + (result.isEmpty ? "" : ": \(result)"))
    }

    /// A click or the wheel inside of the pane, whose inner part is `area`.
    mutating func operationPane(mouse event: MouseEvent, in area: Rect) -> [ExplorerEffect] {
        guard let entry = shownOperation else { return [] }
        switch event.action {
        case .wheelUp: return operationPane(perform: .up) ?? []
        case .wheelDown: return operationPane(perform: .down) ?? []
        case .press, .doubleClick:
            let rows = operationRows(entry, in: area.size)
            let row = event.point.row - area.row
            guard rows.indices.contains(row), case .attempt(let index) = rows[row] else { return [] }
            panes.operation.select(index, of: entry)
            return event.action == .doubleClick ? operationPane(perform: .activate) ?? [] : []
        case .drag, .release: return []
        }
    }

    /// The text that is looked for changed; an empty one ends the search. `n` and `N` come as commands.
    mutating func operationPane(search text: String) -> [ExplorerEffect] {
        panes.operation.searchText = text
        guard let entry = shownOperation else { return [] }
        panes.operation.find(in: entry, from: (panes.operation.selectedIndex(of: entry) ?? 0) - 1, step: 1)
        return []
    }
}
