import ExplorerModel
import TerminalUI

extension Canvas {
    /// Writes a pane's number, its name and what else belongs there into the upper edge of its border, which is drawn.
    ///
    /// - Parameter details: tabs, a count, a state; follows the name.
    /// - Returns: what is left inside.
    @discardableResult
    mutating func pane(_ pane: Pane, of state: ExplorerState, in rect: Rect, details: StyledLine = StyledLine()) -> Rect {
        let isFocused = state.focus == pane
        var title = StyledLine("\(pane.rawValue) ", isFocused ? .key : .dim)
        title.append(pane.title, isFocused ? .titleFocused : .title)
        if !details.spans.isEmpty {
            title.append(" ", .border)
            title.spans += details.spans
        }
        title.spans.insert(StyledLine.Span(" ", .border), at: 0)
        title.append(" ", .border)
        line(title, column: rect.column + 1, row: rect.row, limit: rect.columns - 2, ellipsis: true)
        return rect.inner
    }

    /// The names of tabs for ``pane(_:of:in:details:)``; only the selected one when there is no room for all.
    static func tabs(_ names: [String], selected: Int, columns: Int, isFocused: Bool) -> StyledLine {
        var line = StyledLine()
        let fits = names.reduce(0) { $0 + $1.count + 1 } <= columns
        for (index, name) in names.enumerated() where fits || index == selected {
            if !line.spans.isEmpty { line.append(" ", .border) }
            line.append(name, index == selected ? .tabSelected : .tab)
        }
        if !fits { line.append(" \(selected + 1)/\(names.count)", .dim) }
        return line
    }
}
