import Base
import HTTPTypes
import NetworkLayer
import OrderedCollections
import RequestCollections

extension ExplorerState {
    /// Sends the request of an operation again, as it was sent then.
    mutating func replay(_ id: OperationID?) -> [ExplorerEffect] {
        guard let id else { return [] }
        screen.moment = .sent
        if operations[id] == nil, let number = id.pastRun { return [.loadPastRun(number, for: .replay)] }
        guard let sent = operations[id]?.sent else { return [] }
        operations.shownAtSend[sent.reference] = selectedRequest
        return [.send(sent.definition, in: sent.collection, environment: sent.environment)]
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
