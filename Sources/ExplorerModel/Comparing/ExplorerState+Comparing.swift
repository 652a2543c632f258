import NetworkLayer
import OrderedCollections
import RequestCollections
package import TerminalUI

/// Two runs held against each other, over the panes.
package struct Comparison: Hashable, Sendable {
    package var lines: [StyledLine]
    /// The first line seen.
    package private(set) var top = 0
    package var height = 20
    private let comparison: RunComparison
    /// Where the two waterfalls meet.
    private var alignment = 0

    package init(_ comparison: RunComparison) {
        self.comparison = comparison
        lines = comparison.lines
    }

    /// To the next moment at which the two can meet, or the one before.
    mutating func align(by step: Int) {
        alignment = alignment.stepped(by: step, of: comparison.alignments.count)
        lines.replaceSubrange(comparison.waterfall, with: comparison.alignments[alignment])
    }

    package var visible: Range<Int> { min(top, lines.count)..<min(lines.count, top + height) }

    mutating func move(_ key: KeyPress) {
        switch key.key {
        case .up, .character("k"): scroll(by: -1)
        case .down, .character("j"): scroll(by: 1)
        case .pageUp: scroll(by: -height)
        case .pageDown, .character(" "): scroll(by: height)
        case .home, .character("g"): scroll(by: -lines.count)
        case .end, .character("G"): scroll(by: lines.count)
        case .character("{"): align(by: -1)
        case .character("}"): align(by: 1)
        default: break
        }
    }

    mutating func scroll(by rows: Int) {
        top = min(max(0, top + rows), max(0, lines.count - height))
    }
}

extension ExplorerState {
    /// `c` marks a run, and on another one compares the two; on the marked one it takes the run before it of the same request.
    mutating func compare(_ id: OperationID?) -> [ExplorerEffect] {
        guard let id else { return [] }
        let key = keyName(.compare)
        guard let marked = panes.history.marked, historyRows.contains(marked) else {
            panes.history.marked = id
            notice = Notice(.info, "\(key) on another run compares the two; \(key) again: with the run before")
            return []
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
            notice = Notice(.info, "there is no earlier run of this request to compare with")
            return []
        }
        return [.compareRuns(previous, id)]
    }

    private func isNewer(_ id: OperationID, than other: OperationID) -> Bool {
        let rows = historyRows
        return (rows.firstIndex(of: id) ?? 0) < (rows.firstIndex(of: other) ?? 0)
    }

    private func request(of id: OperationID) -> RequestReference? { operations[id]?.request ?? pastRuns[id]?.request }
}
