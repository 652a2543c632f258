import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation

/// A body that is read line by line shows before it is complete: events of a stream, lines of a log, text. JSON and markup do
/// when they are long.
///
/// With every tick, as long as it is on the screen and in memory: ten times a second at most, and never two looks at once.
extension ExplorerState {
    mutating func peekAtBody() -> [ExplorerEffect] {
        guard panes.response.tab == .body, layout.panes[.response] != nil, let entry = shownOperation else { return [] }
        if entry.state == .waitingToRetry { return operations.showBody(beforeRetryOf: entry) }
        guard entry.state == .running,
            let attempt = entry.metrics.attempts.last, attempt.end == nil, let head = attempt.head, !entry.peek.isPending
        else { return [] }
        let contentType = head.headers[.contentType]
        if let kind = BodyKind.stream(contentType: contentType), showsStreams {
            return operations.readStream(of: entry.id, kind, attempt: attempt.number, isWhole: false)
        }
        guard isWorthALook(entry, attempt.download.bytes, contentType) else { return [] }
        operations[entry.id]?.peek.isPending = true
        operations[entry.id]?.peek.received = attempt.download.bytes
        return [.peekBody(entry.id, contentType: contentType, beyond: entry.peek.bytes, isWhole: false)]
    }

    /// Less is there soon anyway.
    static let long: Int64 = 1 << 20

    /// Each look makes all lines anew: the longer it is, the more must have come since.
    private func isWorthALook(_ entry: OperationEntry, _ received: Int64, _ contentType: String?) -> Bool {
        if BodyKind.isReadAsItArrives(contentType: contentType) {
            return entry.peek.received < Self.long * 4 || received >= entry.peek.received / 4 * 5
        }
        return BodyKind.isReadFromItsBeginning(contentType: contentType) && received > Self.long
            && received >= entry.peek.received / 2 * 3
    }

    /// The lines of so much of the body. The end stays in sight if it was, where the end is what one wants to see.
    mutating func arrived(_ document: BodyDocument?, bytes: Int, of id: OperationID) {
        operations[id]?.peek.bytes = bytes
        operations[id]?.peek.isPending = false
        guard let document, let entry = operations[id], !entry.state.isFinal else { return }
        let wasShown = entry.isArriving ? responseDocument : nil
        operations[id]?.body = .arriving(document)
        guard responseSubject(for: .body)?.entry.id == id else { return }
        // The view may have been on the response before.
        _ = panes.response.show(id)
        let size = responseArea
        let follows = wasShown.map { panes.response.body.lastTop(of: $0, size: size) <= panes.response.body.top } ?? true
        panes.response.body.extended(in: document, size: size, follows: follows && document.kind.isFollowed)
    }
}

extension OperationBook {
    /// While it waits to retry, the body that came is whole, and stays until the next attempt begins. Asked for once.
    mutating func showBody(beforeRetryOf entry: OperationEntry) -> [ExplorerEffect] {
        guard let attempt = entry.metrics.attempts.last, let head = attempt.head, entry.peekedAttempt != attempt.number else {
            return []
        }
        self[entry.id]?.peekedAttempt = attempt.number
        return [.peekBody(entry.id, contentType: head.headers[.contentType], beyond: 0, isWhole: true)]
    }
}

extension OperationEntry {
    /// Whether its body is shown and isn't complete yet.
    var isArriving: Bool {
        if case .arriving = body { true } else { false }
    }
}
