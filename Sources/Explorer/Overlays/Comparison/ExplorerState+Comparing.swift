import NetworkLayer
import OrderedCollections
import RequestCollections

extension ExplorerState {
    /// `c` marks a run, and on another one compares the two; on the marked one it takes the run before it of the same request.
    mutating func compare(_ id: OperationID?) -> [ExplorerEffect] {
        guard let id else { return [] }
        let key = keyName(.compare)
        guard let marked = panes.history.marked, historyRows.contains(marked) else {
            panes.history.marked = id
            return say("\(key) on another run compares the two; \(key) again: with the run before")
        }
        panes.history.marked = nil
        if marked != id { return [isNewer(marked, than: id) ? .compareRuns(id, marked) : .compareRuns(marked, id)] }
        return compareWithPrevious(id)
    }

    mutating func compareWithPrevious(_ id: OperationID?) -> [ExplorerEffect] {
        let rows = historyRows
        guard let id, let index = rows.firstIndex(of: id), let request = request(of: id),
            let previous = rows[(index + 1)...].first(where: { self.request(of: $0) == request })
        else {
            return say("there is no earlier run of this request to compare with")
        }
        return [.compareRuns(previous, id)]
    }

    private func isNewer(_ id: OperationID, than other: OperationID) -> Bool {
        let rows = historyRows
        return (rows.firstIndex(of: id) ?? 0) < (rows.firstIndex(of: other) ?? 0)
    }

    private func request(of id: OperationID) -> RequestReference? { operations[id]?.request ?? pastRuns[id]?.request }
}
