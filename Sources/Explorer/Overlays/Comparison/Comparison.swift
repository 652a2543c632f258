import NetworkLayer
import OrderedCollections
import Presentation
import RequestCollections
import TerminalUI

/// Two runs held against each other, over the panes.
struct Comparison: Hashable, Sendable {
    var lines: [StyledLine]
    /// The first line seen.
    private(set) var top = 0
    /// The first column seen.
    private(set) var left = 0
    var height = 20
    /// The columns of text that there is room for.
    private var width = 80
    private let comparison: RunComparison
    /// Where the two waterfalls meet.
    private var alignment = 0

    init(_ comparison: RunComparison) {
        self.comparison = comparison
        lines = comparison.lines
    }

    /// To the next moment at which the two can meet, or the one before.
    mutating func align(by step: Int) {
        alignment = alignment.stepped(by: step, of: comparison.alignments.count)
        lines.replaceSubrange(comparison.waterfall, with: comparison.alignments[alignment])
    }

    var visible: Range<Int> { min(top, lines.count)..<min(lines.count, top + height) }
}

extension Comparison: OverlayContent {
    var overlay: Overlay { .comparison(self) }
    var title: String { "Two runs" }

    private var widest: Int { lines.map { DisplayWidth.of($0.text) }.max() ?? 0 }

    func area(in screen: Rect) -> Rect {
        screen.centered(Size(columns: min(screen.columns, max(60, widest + 4)), rows: lines.count + 2))
    }

    func hintRow(in inner: Rect) -> Rect? { nil }

    func hints(in state: ExplorerState) -> [ExplorerState.Hint] {
        let sideways: [ExplorerState.Hint] = widest > width ? [.init(key: "← →", word: "sideways")] : []
        return [.init(key: "↑ ↓", word: "scroll")] + sideways
            + [.init(key: "{ }", word: "align"), .init(key: "Esc", word: "back")]
    }

    mutating func handle(_ key: KeyPress, in state: ExplorerState, clipboard: inout String) -> OverlayStep {
        switch key.key {
        case .up, .character("k"): scroll(by: -1)
        case .down, .character("j"): scroll(by: 1)
        case .left, .character("h"): left -= 8
        case .right, .character("l"): left += 8
        case .pageUp: scroll(by: -height)
        case .pageDown, .character(" "): scroll(by: height)
        case .home, .character("g"): scroll(by: -lines.count)
        case .end, .character("G"): scroll(by: lines.count)
        case .character("{"): align(by: -1)
        case .character("}"): align(by: 1)
        default: break
        }
        return state.isClosing(key, .compare) ? .closes() : .stays()
    }

    mutating func fit(in state: ExplorerState) -> Bool {
        let list = OverlayLayout(of: self, in: state.screen.size).list
        (height, width) = (list.rows, list.inset(columns: 1).columns)
        scroll(by: 0)
        left = min(max(0, left), max(0, widest - width))
        return true
    }

    private mutating func scroll(by rows: Int) {
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
            return say("\(key) on another run compares the two; \(key) again: with the run before")
        }
        panes.history.marked = nil
        if marked != id { return [isNewer(marked, than: id) ? .compareRuns(id, marked) : .compareRuns(marked, id)] }
        return compareWithPrevious(id)
    }

    mutating func compareWithPrevious(_ id: OperationID?) -> [ExplorerEffect] {
        let rows = historyRows
        guard let id, let index = rows.firstIndex(of: id), let request = request(of: id),
            let previous = runBefore(id) ?? rows[(index + 1)...].first(where: { self.request(of: $0) == request })
        else {
            return say("there is no earlier run of this request to compare with")
        }
        return [.compareRuns(previous, id)]
    }

    private func isNewer(_ id: OperationID, than other: OperationID) -> Bool {
        let rows = historyRows
        return (rows.firstIndex(of: id) ?? 0) < (rows.firstIndex(of: other) ?? 0)
    }

    func request(of id: OperationID) -> RequestReference? { operations[id]?.request ?? pastRuns[id]?.request }
}

extension Comparison: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let (rect, rows) = (layout.list, visible)
        canvas.draw(in: rect.inset(columns: 1)) { canvas in
            for row in rows { canvas.line(lines[row], row: row - rows.lowerBound, offset: left, ellipsis: true) }
        }
        canvas.scrollbar(column: rect.endColumn, rows: rect.row..<rect.endRow, visible: rows, total: lines.count)
    }
}

/// How long something of a request usually takes, so that a difference that is none isn't shown as one.
struct UsualTime: Hashable, Sendable {
    let range: ClosedRange<Duration>
    let median: Duration
    let runs: Int

    /// Fewer runs say nothing.
    private static let least = 5
    private static let most = 12

    /// - Parameter times: of the request's runs, by their numbers; the last twelve count. `nil`: there are fewer than five.
    init?(_ times: [Int64: Duration]) {
        let last = times.sorted { $0.key > $1.key }.prefix(Self.most).map(\.value).sorted()
        guard last.count >= Self.least, let least = last.first, let most = last.last else { return nil }
        range = least...most
        median = last[last.count / 2]
        runs = last.count
    }

    /// `wait: nothing unusual, the last 12 runs took 61 to 74 ms`.
    func words(about name: String) -> String {
        let (least, most) = (Figures.duration(range.lowerBound), Figures.duration(range.upperBound))
        return "\(name): nothing unusual, the last \(runs) runs took \(least) to \(most)"
    }
}
