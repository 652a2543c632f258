import NetworkLayer
import OrderedCollections
import TerminalUI

extension PaneDescription {
    static let queue = PaneDescription(
        title: "Queue", focus: .focusQueue, commands: [.startEarlier, .startLater, .priority, .cancelSubtree],
        perform: { $0.queuePane(perform: $1) }, mouse: { $0.queuePane(mouse: $1, in: $2) },
        searchText: { $0.panes.queue.searchText }, search: { $0.queuePane(search: $1) },
        hints: { state in
            (state.selectedQueueRow.map { state.queueSubtree(of: $0.id).count > 1 } ?? false ? [.cancelSubtree] : [])
                + [.activate, .startEarlier, .startLater, .priority]
        },
        rows: { $0.panes.queue.selection.places(of: $0.queueRows.map(\.id), in: .queue, $1) },
        foot: .init(room: { $0.queueRoom }, count: { $0.queueRows.count }))
}

extension OperationSelection {
    /// The rows that are seen of a list of operations.
    func places(of ids: [OperationID], in pane: Pane, _ area: Rect) -> [PaneDescription.JumpPlace] {
        let list = list(of: ids, rows: area.rows)
        return list.visible.map { index in
            (.operation(ids[index], in: pane), Point(column: area.column, row: area.row + index - list.top))
        }
    }
}

extension ExplorerState {
    /// The row on which keys act.
    var selectedQueueRow: QueueRow? {
        let rows = queueRows
        let id = panes.queue.selection.selected(in: rows.map(\.id))
        return rows.first { $0.id == id }
    }

    /// A command while the queue pane has the focus; `nil`: not one of its own.
    mutating func queuePane(perform command: Command.ID) -> [ExplorerEffect]? {
        let ids = queueRows.map(\.id)
        if let step = OperationSelection.Step(command) {
            panes.queue.selection.move(step, in: ids, rows: rows(of: .queue))
            return []
        }
        if let number = selectedQueueRow?.send, let effects = waitingRow(number, perform: command) { return effects }
        let selected = panes.queue.selection.selected(in: ids)
        switch command {
        case .activate:
            guard let selected else { return [] }
            show(selected)
            screen.setFocus(.operation)
        case .cancel:
            guard let selected else { return nil }
            return [.cancel(selected, "the user")]
        case .cancelSubtree:
            guard let selected else { return nil }
            return cancelSubtree(of: selected)
        case .startEarlier, .startLater:
            guard let effects = operations.reorder(selected, by: command == .startEarlier ? -1 : 1) else {
                return say("it has started already")
            }
            // Effects mean that it has moved: the cursor goes along.
            if let selected, !effects.isEmpty { panes.queue.selection.select(selected) }
            return effects
        case .priority: open(priorityChooser(selected))
        case .replay: return replay(selected)
        case .nextMatch, .previousMatch:
            operations.next(
                matching: panes.queue.searchText, in: ids, from: panes.queue.selection, isForward: command == .nextMatch
            )
            .map { panes.queue.selection.select($0) }
        default: return nil
        }
        return []
    }

    /// A command on a row that isn't in the queue yet; `nil`: the same as on any other row.
    private mutating func waitingRow(_ number: Int, perform command: Command.ID) -> [ExplorerEffect]? {
        guard let send = operations.waitingSends[number] else { return nil }
        switch command {
        case .cancel, .cancelSubtree: return [.cancelSend(number)]
        case .activate:
            if tree.index(of: send.sent.reference) != nil { selectedRequest = send.sent.reference }
            screen.setFocus(.operation)
        case .startEarlier, .startLater, .priority: notice = Notice(.info, "it isn't in the queue yet: it \(words(for: send.wait))")
        case .replay: return [.send(send.sent.definition, in: send.sent.collection, environment: send.sent.environment)]
        default: return nil
        }
        return []
    }

    /// A click or the wheel inside of the pane, whose inner part is `area`.
    mutating func queuePane(mouse event: MouseEvent, in area: Rect) -> [ExplorerEffect] {
        let isOpened = panes.queue.selection.handle(event, in: queueRows.map(\.id), area)
        return isOpened ? queuePane(perform: .activate) ?? [] : []
    }

    /// The text that is looked for changed; an empty one ends the search. `n` and `N` come as commands.
    mutating func queuePane(search text: String) -> [ExplorerEffect] {
        panes.queue.searchText = text
        let ids = queueRows.map(\.id)
        if let found = operations.next(
            matching: text, in: ids, from: panes.queue.selection, isForward: true, includesSelected: true)
        {
            panes.queue.selection.select(found)
        }
        return []
    }
}
