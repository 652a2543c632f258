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

    mutating func settle(in state: ExplorerState) -> Bool {
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
