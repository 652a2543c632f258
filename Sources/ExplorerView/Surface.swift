package import ExplorerModel
package import TerminalUI

/// A frame that is being drawn, in a theme. Everything is cut off at the edges it is given.
package struct Surface {
    package var frame: Frame
    package let theme: Theme

    package init(size: Size, theme: Theme) {
        self.frame = Frame(size: size, fill: theme[.text])
        self.theme = theme
    }

    /// Writes one line from `column` on, in at most `columns` cells.
    ///
    /// - Returns: the columns it took.
    @discardableResult
    package mutating func text(_ text: String, _ role: ThemeRole, column: Int, row: Int, columns: Int, over base: Style = .plain)
        -> Int
    {
        guard row >= 0, row < frame.size.rows else { return 0 }
        let style = base.merging(theme[role])
        let end = min(column + columns, frame.size.columns)
        var next = column
        for character in text {
            let width = 1
            guard next + width <= end else { break }
            if next >= 0 { frame[next, row] = Cell(character, style: style) }
            next += width
        }
        return next - column
    }

    /// Writes a line of several roles.
    @discardableResult
    package mutating func line(_ line: StyledLine, column: Int, row: Int, columns: Int, over base: Style = .plain) -> Int {
        var used = 0
        for span in line.spans where used < columns {
            used += text(span.text, span.role, column: column + used, row: row, columns: columns - used, over: base)
        }
        return used
    }

    /// Gives the cells of a rectangle a style and makes them blank.
    package mutating func fill(_ rect: Rect, _ role: ThemeRole) {
        let cell = Cell(" ", style: theme[role])
        for row in max(0, rect.row)..<max(0, min(rect.endRow, frame.size.rows)) {
            for column in max(0, rect.column)..<max(0, min(rect.endColumn, frame.size.columns)) {
                frame[column, row] = cell
            }
        }
    }

    /// Draws a pane's border with its number and title (and what else belongs in the upper edge).
    ///
    /// - Returns: what is left inside.
    @discardableResult
    package mutating func box(_ pane: Rect, title: StyledLine, isFocused: Bool) -> Rect {
        guard pane.columns >= 2, pane.rows >= 2 else { return pane.inner }
        let role: ThemeRole = isFocused ? .borderFocused : .border
        let horizontal = String(repeating: "─", count: pane.columns - 2)
        text("╭" + horizontal + "╮", role, column: pane.column, row: pane.row, columns: pane.columns)
        for row in pane.row + 1..<pane.endRow - 1 {
            text("│", role, column: pane.column, row: row, columns: 1)
            text("│", role, column: pane.endColumn - 1, row: row, columns: 1)
        }
        text("╰" + horizontal + "╯", role, column: pane.column, row: pane.endRow - 1, columns: pane.columns)
        line(title, column: pane.column + 2, row: pane.row, columns: pane.columns - 4)
        return pane.inner
    }

    /// The title of a pane: its number and its name.
    package static func title(_ pane: Pane, isFocused: Bool) -> StyledLine {
        var line = StyledLine("\(pane.rawValue) ", isFocused ? .key : .dim)
        line.append(pane.title + " ", isFocused ? .titleFocused : .title)
        return line
    }
}
