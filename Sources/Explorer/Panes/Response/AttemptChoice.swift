import HTTPTypes
import NetworkLayer
import OrderedCollections
import TerminalUI

/// Which attempt of the shown operation the tabs of the response are about.
struct AttemptChoice: Hashable, Sendable {
    /// `nil`: the newest attempt, also when another begins.
    private var choice: Choice?

    private struct Choice: Hashable, Sendable {
        var operation: OperationID
        var attempt: Int
    }

    /// Those that aren't as they are at first: the only attempt is open, and of several none.
    private var toggled: Set<Choice> = []

    /// Whether the tab timing shows all of an attempt.
    func isOpen(_ index: Int, of entry: OperationEntry) -> Bool {
        toggled.contains(Choice(operation: entry.id, attempt: index)) != (entry.metrics.attempts.count == 1)
    }

    /// Opens or closes the selected attempt.
    mutating func toggle(of entry: OperationEntry) {
        guard let index = selectedIndex(of: entry) else { return }
        toggled.formSymmetricDifference([Choice(operation: entry.id, attempt: index)])
    }

    /// The index of the selected attempt: the one that was chosen, else the newest; `nil` before the first.
    func selectedIndex(of entry: OperationEntry) -> Int? {
        let attempts = entry.metrics.attempts
        guard !attempts.isEmpty else { return nil }
        if let choice, choice.operation == entry.id, attempts.indices.contains(choice.attempt) { return choice.attempt }
        return attempts.count - 1
    }

    /// Whether an attempt was chosen that isn't the newest.
    func isHistoric(_ entry: OperationEntry) -> Bool {
        selectedIndex(of: entry) != entry.metrics.attempts.indices.last
    }

    /// Chooses an attempt by its index; the last one means to follow.
    mutating func select(_ index: Int, of entry: OperationEntry) {
        let last = entry.metrics.attempts.count - 1
        let index = min(max(0, index), max(0, last))
        choice = index == last ? nil : Choice(operation: entry.id, attempt: index)
    }
}

extension ExplorerState {
    /// The attempt that the response pane's tabs are about.
    var shownAttempt: AttemptMetrics? {
        guard let entry = shownOperation, let index = panes.response.attempt.selectedIndex(of: entry) else { return nil }
        return entry.metrics.attempts[index]
    }

    /// The attempt before or after the shown one, from any pane.
    mutating func stepAttempt(by step: Int) {
        guard let entry = shownOperation, let index = panes.response.attempt.selectedIndex(of: entry) else {
            notice = Notice(.info, "there is no attempt to show")
            return
        }
        let attempts = entry.metrics.attempts
        let next = index + step
        guard attempts.indices.contains(next) else {
            let which = attempts.count == 1 ? "the only attempt" : step < 0 ? "the first attempt" : "the last attempt"
            notice = Notice(.info, "this is \(which)")
            return
        }
        panes.response.attempt.select(next, of: entry)
        revealAttempt()
        let result = attempts[next].head.map { "\($0.status.code)" } ?? attempts[next].disposition.map { "\($0)" } ?? ""
        notice = Notice(.info, "attempt \(next + 1) of \(attempts.count)" + (result.isEmpty ? "" : ": \(result)"))
    }
}
