import NetworkLayer
import OrderedCollections
import RequestCollections

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
