import TerminalUI

extension Canvas {
    /// The keys of what lies over the panes, in the first row: as many as fit, whole, the first ones first, and the way out in any case.
    mutating func keys(_ hints: [ExplorerState.Hint]) {
        let gap = 3
        func columns(_ hint: ExplorerState.Hint) -> Int { DisplayWidth.of(hint.key) + 1 + DisplayWidth.of(hint.word) + gap }
        func leads(_ hint: ExplorerState.Hint) -> Bool { hint.key == "Esc" || hint.key == "any other key" }
        var room = bounds.columns + gap
        room -= hints.filter(leads).reduce(0) { $0 + columns($1) }
        let shown = hints.filter { hint in
            if leads(hint) { return true }
            guard columns(hint) <= room else { return false }
            room -= columns(hint)
            return true
        }
        var line = StyledLine()
        for hint in shown {
            if !line.spans.isEmpty { line.append(String(repeating: " ", count: gap)) }
            line.append(hint.key, .key)
            line.append(" " + hint.word, .keyHelp)
        }
        self.line(line, row: 0, ellipsis: true)
    }
}
