import NetworkLayer
import OrderedCollections
import RequestCollections

extension ExplorerState {
    /// The rows of the history: this session's runs that ended, and then those of former ones.
    var historyRows: [OperationID] { operations.finished + pastRuns.runs.map(\.id) }

    /// Reads on when the cursor comes near the end.
    mutating func readPastRunsOn() -> [ExplorerEffect] {
        let rows = shownHistoryRows
        let index = panes.history.selection.selected(in: rows).flatMap { rows.firstIndex(of: $0) } ?? 0
        guard rows.count - index <= 30 else { return [] }
        return pastRuns.more().map { .loadPastRuns(in: $0.collection, before: $0.before) }
    }

    /// Shows a row of the history, and goes to its response.
    mutating func open(_ id: OperationID) -> [ExplorerEffect] {
        screen.setFocus(.response)
        pastRuns.wanted = nil
        guard let number = id.pastRun, operations[id] == nil || operations[id]?.isReleased == true else {
            show(id)
            return []
        }
        pastRuns.wanted = id
        return [.loadPastRun(number, for: .show)]
    }

    mutating func pastRunLoaded(_ contents: PastRunContents, for purpose: PastRunPurpose) -> [ExplorerEffect] {
        switch purpose {
        case .replay:
            let sent = contents.sent
            let reference = RequestReference(collection: sent.collection, id: sent.definition.id)
            guard let definition = sent.definition.restoringCredentials(from: self.definition(of: reference)) else {
                notice = Notice(
                    .error, "it was sent with a credential that the history doesn't keep, and the file has none any more")
                return []
            }
            return [.send(definition, in: sent.collection, environment: sent.environment)]
        case .show:
            let id = OperationID(past: contents.number)
            var entry = OperationEntry(id: id, sent: contents.sent)
            entry.metrics = contents.response.metrics
            entry.response = contents.response
            entry.lacksBody = contents.lacksBody
            entry.pastDate = pastRuns[id]?.date
            entry.pastVerdict = pastRuns[id]?.verdict
            operations[id] = entry
            guard pastRuns.wanted == id else { return [] }
            pastRuns.wanted = nil
            guard !isTyping else { return [] }
            show(id)
            guard let body = contents.response.info?.body, body.count > 0 else { return [] }
            operations[id]?.body = .preparing
            return [.prepareBody(id, panes.response.body.mode)]
        }
    }
}
