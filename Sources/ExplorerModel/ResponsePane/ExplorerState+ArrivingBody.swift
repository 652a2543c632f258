import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation

/// A body that is read line by line shows before it is complete: events of a stream, lines of a log, text.
///
/// With every tick, as long as it is on the screen and in memory: ten times a second at most, and never two looks at once.
extension ExplorerState {
    mutating func peekAtBody() -> [ExplorerEffect] {
        guard responsePane.tab == .body, layout.panes[.response] != nil, let entry = shownOperation else { return [] }
        if entry.state == .waitingToRetry { return showBody(beforeRetryOf: entry) }
        guard entry.state == .running,
            let attempt = entry.metrics.attempts.last, attempt.end == nil, let head = attempt.head, !entry.peek.isPending
        else { return [] }
        let contentType = head.headers[.contentType]
        guard BodyKind.isReadAsItArrives(contentType: contentType) else { return [] }
        operations[entry.id]?.peek.isPending = true
        return [.peekBody(entry.id, contentType: contentType, beyond: entry.peek.bytes, isWhole: false)]
    }

    /// While it waits to retry, the body that came is whole, and stays until the next attempt begins. Asked for once.
    private mutating func showBody(beforeRetryOf entry: OperationEntry) -> [ExplorerEffect] {
        guard let attempt = entry.metrics.attempts.last, let head = attempt.head, entry.peekedAttempt != attempt.number else {
            return []
        }
        operations[entry.id]?.peekedAttempt = attempt.number
        return [.peekBody(entry.id, contentType: head.headers[.contentType], beyond: 0, isWhole: true)]
    }

    /// The lines of so much of the body. The end stays in sight if it was, where the end is what one wants to see.
    mutating func arrived(_ document: BodyDocument?, bytes: Int, of id: OperationID) {
        operations[id]?.peek = (bytes, false)
        guard let document, let entry = operations[id], !entry.state.isFinal else { return }
        let wasShown = entry.isArriving ? responseDocument : nil
        operations[id]?.body = .arriving(document)
        guard responseSubject(for: .body)?.entry.id == id else { return }
        // The view may have been on the response before.
        _ = responsePane.show(id)
        let size = responseArea
        let follows = wasShown.map { responsePane.body.lastTop(of: $0, size: size) <= responsePane.body.top } ?? true
        responsePane.body.extended(in: document, size: size, follows: follows && document.kind.isFollowed)
    }
}

extension OperationEntry {
    /// Its body shows, and is not complete.
    var isArriving: Bool {
        if case .arriving = body { true } else { false }
    }
}
