import HTTPTypes
import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

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
        if attempt.session != nil {
            // What a step may capture is known as a secret only afterwards.
            guard showsStreams, !entry.sent.definition.allCaptures.contains(where: \.hidesBody) else { return [] }
            return operations.readStream(of: entry.id, .jsonLines, attempt: attempt.number, isWhole: false)
        }
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

/// The operation and attempt that the response pane is about.
struct ResponseSubject: Sendable {
    var entry: OperationEntry
    /// The selected attempt of the shown operation; the last one of an earlier operation. `nil` before the first.
    var attempt: AttemptMetrics?
    /// From an earlier run, while the shown one has nothing yet.
    var isPrevious: Bool
}

extension ExplorerState {
    /// What the tabs of the response pane are about. Body and headers show the run before as long as the one that is under way
    /// has none, the body not for long: then how far that one is says more. Everything else is live from its first event.
    func responseSubject(for tab: ResponsePaneState.Tab) -> ResponseSubject? {
        guard let shown = shownOperation else { return nil }
        let live = ResponseSubject(entry: shown, attempt: shownAttempt, isPrevious: false)
        switch tab {
        case .timing, .checks, .log: return live
        case .headers: if shown.state.isFinal || live.attempt?.head != nil { return live }
        case .body: if shown.state.isFinal || shown.isArriving || shown.stream?.count ?? 0 > 0 || isSlow(shown) { return live }
        }
        guard let (entry, isStale) = shownResponse, isStale else { return live }
        return ResponseSubject(entry: entry, attempt: entry.metrics.attempts.last, isPrevious: true)
    }

    /// An answer that comes quickly replaces the previous one with no other frame in between.
    private func isSlow(_ entry: OperationEntry) -> Bool {
        guard let enqueued = entry.metrics.enqueued else { return false }
        return now - enqueued >= .milliseconds(400)
    }

    /// Rows of a pane inside of its border; a screenful when it isn't shown.
    func rows(of pane: Pane) -> Int {
        max(1, layout.panes[pane]?.inner.rows ?? 20)
    }
}
