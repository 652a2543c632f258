import Base
import HTTPTypes
import NetworkLayer

/// What the operation pane shows of the selected operation: which attempt is picked out.
struct OperationPaneState: Hashable, Sendable {
    /// `nil`: the newest attempt, also when another begins.
    private var choice: Choice?

    private struct Choice: Hashable, Sendable {
        var operation: OperationID
        var attempt: Int
    }

    /// What `n` and `N` look for among the attempts.
    var searchText = ""

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

    /// To the next attempt with the text that is looked for, coming round at the ends.
    mutating func find(in entry: OperationEntry, from index: Int, step: Int) {
        let attempts = entry.metrics.attempts
        let text = searchText.lowercased()
        guard !text.isEmpty else { return }
        let found = attempts.indices.round(from: index, forward: step > 0).first { candidate in
            let attempt = attempts[candidate]
            let words = [
                attempt.request.url.absoluteString, attempt.request.method.rawValue, attempt.head.map { "\($0.status.code)" } ?? "",
                attempt.kind.rawValue,
            ]
            return words.contains { $0.lowercased().contains(text) }
        }
        if let found { select(found, of: entry) }
    }
}
