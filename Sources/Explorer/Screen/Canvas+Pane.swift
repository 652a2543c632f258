import TerminalUI

extension Canvas {
    /// Writes a pane's number, its name and what else belongs there into the upper edge of its border, which is drawn.
    ///
    /// - Parameters:
    ///   - tabs: follow the name, or, when there is no room for both, take its place.
    ///   - details: a count, a state; follows the name and the tabs.
    ///   - trailing: for the right end of the edge: the first one that there is room for.
    /// - Returns: what is left inside.
    @discardableResult
    mutating func pane(
        _ pane: Pane, of state: ExplorerState, in rect: Rect, tabs: PaneTabs? = nil, details: StyledLine = StyledLine(),
        trailing: [StyledLine] = []
    ) -> Rect {
        let isFocused = state.screen.focus == pane
        let edge: ThemeRole = isFocused ? .borderFocused : .border
        var title = StyledLine(" \(pane.rawValue) ", isFocused ? .key : .dim)
        if tabs?.hidesName != true { title.append(pane.title + " ", isFocused ? .titleFocused : .title) }
        if let tabs { title.spans += tabs.line.spans }
        title.spans += details.spans
        if title.spans.last?.text.last != " " { title.append(" ", edge) }
        let end = line(title, column: rect.column + 1, row: rect.row, limit: rect.columns - 2, ellipsis: true)
        for choice in trailing {
            let width = DisplayWidth.of(choice.text) + 2
            guard width > 2, end + width < rect.endColumn else { continue }
            let column = rect.endColumn - 1 - width
            text(" ", edge, column: column, row: rect.row)
            line(choice, column: column + 1, row: rect.row)
            text(" ", edge, column: column + width - 1, row: rect.row)
            break
        }
        return rect.inner
    }

    /// The bar under a selected row, from border to border.
    ///
    /// - Parameters:
    ///   - row: counted from the top of `area`, what the pane's content is drawn in.
    ///   - rect: of the pane.
    mutating func selection(_ row: Int, of area: Rect, in rect: Rect, isFocused: Bool = true) {
        let bar = Rect(column: rect.inner.column, row: area.row + row, columns: rect.inner.columns, rows: 1)
        fill(bar, isFocused ? .selection : .selectionUnfocused)
    }
}
