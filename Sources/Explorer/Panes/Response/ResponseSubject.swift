import NetworkLayer
import TerminalUI

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
        case .timing, .redirects, .tls, .sent, .events, .checks: return live
        case .headers, .info: if shown.state.isFinal || live.attempt?.head != nil { return live }
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
