import NetworkLayer
import OrderedCollections

/// What starts first: by priority, and within one by age.
extension ExplorerState {
    static let priorities: [(priority: Priority, name: String)] = [
        (.veryHigh, "very high"), (.high, "high"), (.normal, "normal"), (.low, "low"), (.veryLow, "very low"),
    ]

    mutating func openPriorityChooser(_ id: OperationID?) {
        guard let id, let entry = operations[id], !entry.state.isFinal else {
            notice = Notice(.info, "nothing runs or waits")
            return
        }
        let current = Self.priorities.firstIndex { $0.priority <= entry.priority } ?? Self.priorities.count - 1
        overlay = .chooser(
            Chooser(
                "Priority of \(entry.title)", Self.priorities.map { Chooser.Item($0.name) }, selected: current,
                purpose: .priority(id)))
    }

    mutating func set(_ priority: Priority, of id: OperationID) -> [ExplorerEffect] {
        guard let entry = operations[id], !entry.state.isFinal, entry.priority != priority else { return [] }
        operations[id]?.priority = priority
        return [.setPriority(id, priority)]
    }

    /// Changes places with the next one that waits. What starts first is decided by priorities alone, so those that must differ do.
    mutating func reorder(_ id: OperationID?, by step: Int) -> [ExplorerEffect] {
        var waiting = queuedOperations.filter { operations[$0]?.state.isUnderWay == false }
        guard let id, let index = waiting.firstIndex(of: id) else {
            notice = Notice(.info, "it has started already")
            return []
        }
        guard waiting.indices.contains(index + step) else { return [] }
        waiting.swapAt(index, index + step)
        var effects: [ExplorerEffect] = []
        for place in waiting.indices.dropLast().reversed() {
            let (first, second) = (waiting[place], waiting[place + 1])
            guard let next = operations[second]?.priority, let own = operations[first]?.priority else { continue }
            // Where two are equal, the older one starts first.
            if own > next || own == next && isOlder(first, than: second) { continue }
            effects += set(Priority(rawValue: next.rawValue + 1), of: first)
        }
        panes.queue.selection.select(id)
        return effects
    }

    private func isOlder(_ id: OperationID, than other: OperationID) -> Bool {
        (operations.entries.index(forKey: id) ?? 0) < (operations.entries.index(forKey: other) ?? 0)
    }
}
