package import TerminalUI

/// The tabs in the upper edge of a pane: what of them fits, and where they are, for the one who draws and for the mouse.
///
///     ┌ 2 Request  URL  headers [body] auth  policy ──────┐
///     ┌ 2  URL  headers [body] auth  policy ─────┐
///     ┌ 2 Request [body] 3/5 ──┐
package struct PaneTabs: Hashable, Sendable {
    package let titles: [String]
    package let selected: Int
    /// There is no room for the pane's name beside the tabs.
    package let hidesName: Bool
    package let showsAll: Bool
    /// Of the first tab, in the pane's edge.
    package let start: Int

    /// - Parameter columns: of the pane, border included.
    package init(_ titles: [String], selected: Int, of pane: Pane, columns: Int) {
        self.titles = titles
        self.selected = selected
        let width = titles.reduce(0) { $0 + Self.columns($1) }
        // The corners and a piece of the edge behind the tabs.
        let room = columns - 4 - 3
        let name = pane.title.count + 1
        showsAll = width <= room
        hidesName = showsAll && width + name > room
        start = 4 + (hidesName ? 0 : name)
    }

    /// The tab at a column of the edge, counted from the pane's left border.
    package func index(atColumn column: Int) -> Int? {
        guard showsAll else { return nil }
        var next = start
        for (index, title) in titles.enumerated() {
            let end = next + Self.columns(title)
            if (next..<end).contains(column) { return index }
            next = end
        }
        return nil
    }

    /// The selected one in brackets, which a terminal without colours shows too.
    package var line: StyledLine {
        var line = StyledLine()
        guard titles.indices.contains(selected) else { return line }
        guard showsAll else {
            line.append("[\(titles[selected])]", .tabSelected)
            line.append(" \(selected + 1)/\(titles.count) ", .dim)
            return line
        }
        for (index, title) in titles.enumerated() {
            line.append(index == selected ? "[\(title)]" : " \(title) ", index == selected ? .tabSelected : .tab)
        }
        return line
    }

    /// With a blank or a bracket at either side.
    private static func columns(_ title: String) -> Int { DisplayWidth.of(title) + 2 }
}
