import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

/// What the queue pane shows: the operations that run, and those that wait.
struct QueuePaneState: Hashable, Sendable {
    var selection = OperationSelection()
    var searchText = ""
}

/// A row of the queue: an operation, or below it what can't begin before that has ended.
///
///     ▶ auth/login          running
///     └ cart                not yet
///       └ orders/create     waits for auth/login
struct QueueRow: Hashable, Sendable, Identifiable {
    /// The operation's; that of a row without one is nobody else's.
    let id: OperationID
    let content: Content
    /// How many it waits for in turn.
    let depth: Int

    enum Content: Hashable, Sendable {
        case operation
        /// A send that isn't in the queue yet.
        case send(Int)
        /// What is sent for it before.
        case planned(RequestID, for: Int)
    }

    /// The send that the row belongs to; `nil`: it is in the queue.
    var send: Int? {
        switch content {
        case .operation: nil
        case .send(let number), .planned(_, let number): number
        }
    }
}

extension OperationID {
    /// The id of a row of the queue that is no operation.
    fileprivate init(send number: Int, step: Int) { self.init(rawValue: 1 << 41 + number << 12 + min(step, 4095)) }
}

extension ExplorerState {
    /// The operations as they start, each with what waits for it below, and then what waits for something else.
    var queueRows: [QueueRow] {
        var below: [OperationID: [WaitingSend]] = [:]
        var alone: [WaitingSend] = []
        let ids = operations.queued
        for send in operations.waitingSends.values {
            if let id = needed(by: send, in: ids) { below[id, default: []].append(send) } else { alone.append(send) }
        }
        let tree = ids.flatMap { id in
            [QueueRow(id: id, content: .operation, depth: 0)] + (below[id] ?? []).flatMap { rows(of: $0, depth: 1) }
        }
        return tree + alone.flatMap { rows(of: $0, depth: 0) }
    }

    /// The operation that it waits for, unless that has just ended.
    private func needed(by send: WaitingSend, in ids: [OperationID]) -> OperationID? {
        switch send.wait {
        case .person, .command, .token: nil
        case .operation(let id, _): ids.contains(id) ? id : nil
        case .request(let request):
            ids.last { operations[$0]?.request == RequestReference(collection: send.sent.collection, id: request) }
        }
    }

    /// What is sent before it, one after the other, and it.
    private func rows(of send: WaitingSend, depth: Int) -> [QueueRow] {
        var next: [RequestID] = []
        if case .operation(_, let then) = send.wait { next = Array(then.dropLast(then.last == send.sent.definition.id ? 1 : 0)) }
        let planned = next.enumerated().map { step, request in
            QueueRow(
                id: OperationID(send: send.number, step: step + 1), content: .planned(request, for: send.number),
                depth: depth + step)
        }
        let last = QueueRow(
            id: OperationID(send: send.number, step: 0), content: .send(send.number), depth: depth + next.count)
        return planned + [last]
    }

    /// A row and all that waits for it.
    func queueSubtree(of id: OperationID) -> [QueueRow] {
        let rows = queueRows
        guard let first = rows.firstIndex(where: { $0.id == id }) else { return [] }
        let end = rows[(first + 1)...].firstIndex { $0.depth <= rows[first].depth } ?? rows.endIndex
        return Array(rows[first..<end])
    }

    /// Cancels what waits first: it would be stopped, which looks like a failure.
    func cancelSubtree(of id: OperationID) -> [ExplorerEffect] {
        let rows = queueSubtree(of: id)
        var seen: Set<Int> = []
        let sends = rows.compactMap(\.send).filter { seen.insert($0).inserted }
        let operations = rows.filter { $0.content == .operation }.map(\.id)
        return sends.map { .cancelSend($0) } + operations.map { .cancel($0, "the user") }
    }

    /// The send that a row belongs to.
    func waitingSend(of row: QueueRow) -> WaitingSend? { row.send.flatMap { operations.waitingSends[$0] } }

    /// What a row is called.
    func title(of row: QueueRow) -> String {
        switch row.content {
        case .operation: operations[row.id]?.title ?? ""
        case .send(let number): operations.waitingSends[number]?.title ?? ""
        case .planned(let id, _): id.rawValue
        }
    }
}

extension PaneDescription {
    static let queue = PaneDescription(
        title: "Queue", focus: .focusQueue, commands: [.startEarlier, .startLater, .priority, .cancelSubtree],
        perform: { $0.queuePane(perform: $1) }, mouse: { $0.queuePane(mouse: $1, in: $2) },
        searchText: { $0.panes.queue.searchText }, search: { $0.queuePane(search: $1) },
        hints: { state in
            (state.selectedQueueRow.map { state.queueSubtree(of: $0.id).count > 1 } ?? false ? [.cancelSubtree] : [])
                + [.activate, .startEarlier, .startLater, .priority]
        })
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
            screen.setFocus(.response)
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
            screen.setFocus(.response)
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

/// What starts first: by priority, and within one by age.
extension ExplorerState {
    static let priorities: [(priority: Priority, name: String)] = [
        (.veryHigh, "very high"), (.high, "high"), (.normal, "normal"), (.low, "low"), (.veryLow, "very low"),
    ]

    func priorityChooser(_ id: OperationID?) -> Opening {
        guard let id, let entry = operations[id], !entry.state.isFinal else { return .notice("nothing runs or waits") }
        let current = Self.priorities.firstIndex { $0.priority <= entry.priority } ?? Self.priorities.count - 1
        return .chooser(
            Chooser(
                "Priority of \(entry.title)", Self.priorities.map { Chooser.Item($0.name) }, selected: current,
                purpose: .priority(id)))
    }
}
