import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

/// What was sent and what came of it.
struct OperationBook: Sendable {
    /// In the order in which they were enqueued.
    var entries: OrderedDictionary<OperationID, OperationEntry> = [:]
    /// The last operation of each request.
    var latest: [RequestReference: OperationID] = [:]
    var selected: OperationID?
    /// Sends that aren't in the queue yet, by number.
    var waitingSends: OrderedDictionary<Int, WaitingSend> = [:]
    /// Why requests were not sent when that was asked for last.
    var refusals: [RequestReference: Refusal] = [:]
    var isSuspended = false
    /// What was shown when a request was sent: a user who has moved on since stays at the new place.
    var shownAtSend: [RequestReference: RequestReference] = [:]
    var retention = Retention()

    subscript(id: OperationID) -> OperationEntry? {
        get { entries[id] }
        _modify { yield &entries[id] }
    }

    mutating func apply(_ event: NetworkEvent) { self[event.operation]?.apply(event) }

    /// What is known of a request goes where the request has gone.
    mutating func follow(from: RequestReference, to: RequestReference) {
        latest.follow(from: from, to: to)
        refusals.follow(from: from, to: to)
    }

    /// The operations that have ended, the newest first.
    var finished: [OperationID] {
        entries.values.reversed().lazy.filter { $0.state.isFinal && $0.id.pastRun == nil }.map(\.id)
    }

    /// The next operation of a list that a search finds, coming round at the ends.
    func next(
        matching text: String, in ids: [OperationID], from selection: OperationSelection, isForward: Bool,
        includesSelected: Bool = false
    ) -> OperationID? {
        guard !text.isEmpty else { return nil }
        let start = selection.selected(in: ids).flatMap { ids.firstIndex(of: $0) } ?? 0
        return ids.indices.round(from: start, forward: isForward, includesStart: includesSelected).lazy.map { ids[$0] }
            .first { self[$0]?.matches(text) ?? false }
    }
}

// MARK: The queue

extension OperationBook {
    /// Those that run in the order in which they were enqueued, then those that wait in the order in which they will start.
    var queued: [OperationID] {
        var running: [OperationID] = []
        var waiting: [(id: OperationID, priority: Priority)] = []
        for entry in entries.values where !entry.state.isFinal {
            if entry.state.isUnderWay {
                running.append(entry.id)
            } else {
                waiting.append((entry.id, entry.priority))
            }
        }
        // Stable: within one priority the order of enqueueing stays.
        waiting = waiting.enumerated().sorted { left, right in
            (right.element.priority, left.offset) < (left.element.priority, right.offset)
        }.map(\.element)
        return running + waiting.map(\.id)
    }

    /// How many run, how many wait to retry, and how many wait for their turn.
    var counts: (running: Int, retrying: Int, waiting: Int) {
        var counts = (running: 0, retrying: 0, waiting: waitingSends.count)
        for entry in entries.values where !entry.state.isFinal {
            if entry.state == .waitingToRetry {
                counts.retrying += 1
            } else if entry.state.isUnderWay {
                counts.running += 1
            } else {
                counts.waiting += 1
            }
        }
        return counts
    }

    mutating func set(_ priority: Priority, of id: OperationID) -> [ExplorerEffect] {
        guard let entry = self[id], !entry.state.isFinal, entry.priority != priority else { return [] }
        self[id]?.priority = priority
        return [.setPriority(id, priority)]
    }

    /// Changes places with the next one that waits. What starts first is decided by priorities alone, so those that must differ do.
    ///
    /// - Returns: `nil`: it doesn't wait.
    mutating func reorder(_ id: OperationID?, by step: Int) -> [ExplorerEffect]? {
        var waiting = queued.filter { self[$0]?.state.isUnderWay == false }
        guard let id, let index = waiting.firstIndex(of: id) else { return nil }
        guard waiting.indices.contains(index + step) else { return [] }
        waiting.swapAt(index, index + step)
        var effects: [ExplorerEffect] = []
        for place in waiting.indices.dropLast().reversed() {
            let (first, second) = (waiting[place], waiting[place + 1])
            guard let next = self[second]?.priority, let own = self[first]?.priority else { continue }
            // Where two are equal, the older one starts first.
            if own > next || own == next && isOlder(first, than: second) { continue }
            effects += set(Priority(rawValue: next.rawValue + 1), of: first)
        }
        return effects
    }

    private func isOlder(_ id: OperationID, than other: OperationID) -> Bool {
        (entries.index(forKey: id) ?? 0) < (entries.index(forKey: other) ?? 0)
    }
}

/// The selected row of a list of operations: by id and not by index, since rows come and go while one looks.
struct OperationSelection: Hashable, Sendable {
    /// `nil`: the first row, whichever that is.
    private var id: OperationID?
    /// The first row in sight, as it was at the last step.
    private var top = 0

    init() {}

    enum Step: Hashable, Sendable {
        case rows(Int)
        case pages(Int)
        case first, last
    }

    /// The state of the list: its selection, and the rows in sight.
    func list(of ids: [OperationID], rows: Int) -> ListState {
        let index = id.flatMap { ids.firstIndex(of: $0) } ?? 0
        var list = ListState(count: ids.count, selected: index, height: rows)
        list.scroll(by: top - list.top)
        list.select(index)
        return list
    }

    /// The selected one of `ids`, if there are any.
    func selected(in ids: [OperationID]) -> OperationID? {
        id.flatMap { ids.contains($0) ? $0 : nil } ?? ids.first
    }

    mutating func move(_ step: Step, in ids: [OperationID], rows: Int) {
        change(in: ids, rows: rows) { list in
            switch step {
            case .rows(let rows): list.move(by: rows)
            case .pages(let pages): list.page(by: pages)
            case .first: list.select(0)
            case .last: list.select(list.count - 1)
            }
        }
    }

    /// - Parameter row: of those in sight, from 0.
    /// - Returns: whether there is an operation.
    mutating func click(row: Int, in ids: [OperationID], rows: Int) -> Bool {
        guard let index = list(of: ids, rows: rows).index(atRow: row) else { return false }
        change(in: ids, rows: rows) { $0.select(index) }
        return true
    }

    /// A click or the wheel inside of `area`.
    ///
    /// - Returns: whether an operation was clicked twice.
    mutating func handle(_ event: MouseEvent, in ids: [OperationID], _ area: Rect) -> Bool {
        switch event.action {
        case .wheelUp, .wheelDown: move(.rows(event.action == .wheelUp ? -3 : 3), in: ids, rows: area.rows)
        case .press, .doubleClick:
            return click(row: event.point.row - area.row, in: ids, rows: area.rows) && event.action == .doubleClick
        case .drag, .release: break
        }
        return false
    }

    mutating func select(_ id: OperationID) {
        self.id = id
    }

    private mutating func change(in ids: [OperationID], rows: Int, _ body: (inout ListState) -> Void) {
        var list = list(of: ids, rows: rows)
        body(&list)
        id = list.selection.map { ids[$0] }
        top = list.top
    }
}

extension OperationSelection.Step {
    /// What a command does to any list.
    init?(_ command: Command.ID) {
        switch command {
        case .up: self = .rows(-1)
        case .down: self = .rows(1)
        case .pageUp: self = .pages(-1)
        case .pageDown: self = .pages(1)
        case .top: self = .first
        case .bottom: self = .last
        default: return nil
        }
    }
}

extension ExplorerState {
    /// Sends the request of an operation again, as it was sent then.
    mutating func replay(_ id: OperationID?) -> [ExplorerEffect] {
        guard let id else { return [] }
        screen.moment = .sent
        if operations[id] == nil, let number = id.pastRun { return [.loadPastRun(number, for: .replay)] }
        guard let sent = operations[id]?.sent else { return [] }
        operations.shownAtSend[sent.reference] = selectedRequest
        return closingSessions(of: sent.reference)
            + [.send(sent.definition, in: sent.collection, environment: sent.environment)]
    }

    /// Closes the sessions of a request that are open or being opened: sending the request again ends them.
    func closingSessions(of reference: RequestReference) -> [ExplorerEffect] {
        operations.entries.values.filter { entry in
            let isSession = entry.isOpenSession || entry.sent.definition.isWebSocket
            return entry.request == reference && !entry.state.isFinal && isSession
        }.map { .closeSession($0.id) }
    }

    /// Shows an operation in the operation and response panes.
    mutating func show(_ id: OperationID) {
        guard let entry = operations[id] else { return }
        // Its request may have been removed from the collection since.
        if tree.index(of: entry.request) != nil { selectedRequest = entry.request }
        operations.selected = id
        screen.moment = .sent
    }
}

extension RequestOperation.State {
    /// Neither waiting for its turn nor at its end.
    var isUnderWay: Bool {
        switch self {
        case .preparing, .starting, .running, .waitingToRetry: true
        case .idle, .waiting, .cancelled, .failed, .succeeded: false
        }
    }
}

extension OperationEntry {
    /// Whether a search in a list of operations finds it: by its title, its URL, its state or its status.
    func matches(_ text: String) -> Bool {
        guard !text.isEmpty else { return false }
        let attempt = metrics.attempts.last
        let status = attempt?.head.map { String($0.status.code) } ?? ""
        let url = attempt?.request.url.absoluteString ?? sent.definition.url
        return [title, url, status, state.description].contains { $0.lowercased().contains(text.lowercased()) }
    }
}

/// How much of what ended is kept until the explorer is left. What goes first is the oldest; a run that is looked at stays.
struct Retention: Hashable, Sendable {
    /// Runs whose bodies and events are kept.
    var runs = 200
    /// The bytes of bodies, in memory and in temporary files.
    var bytes = 256 << 20
}

extension OperationBook {
    /// Lets go of the bodies and events of old runs. Their attempts, times and errors stay.
    mutating func releaseOld(except shown: Set<OperationID>) -> [ExplorerEffect] {
        var runs = 0
        var bytes = 0
        var released: [OperationID] = []
        for entry in entries.values.reversed() where entry.state.isFinal && !entry.isReleased {
            runs += 1
            bytes += entry.response?.info?.body.count ?? 0
            guard runs > retention.runs || bytes > retention.bytes, !shown.contains(entry.id) else { continue }
            bytes -= entry.response?.info?.body.count ?? 0
            released.append(entry.id)
        }
        for id in released { self[id]?.release() }
        return released.isEmpty ? [] : [.release(released)]
    }
}

extension OperationEntry {
    fileprivate mutating func release() {
        isReleased = true
        events = []
        body = .none
        filtered = nil
        stream = nil
        picture = nil
        response?.info?.body = .none
    }
}
