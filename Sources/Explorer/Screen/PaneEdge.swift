import NetworkLayer
import TerminalUI

/// The tabs in the upper edge of a pane: what of them fits, and where they are, for the one who draws and for the mouse. How much is in
/// a tab is said where there is room; the letter that leads to it is its first one.
///
///     ┌ 2 Request  params 2  headers 5 [body json] auth bearer ──────┐
///     ┌ 2  params 2  headers 5 [body json] auth bearer ─────┐
///     ┌ 2 params headers [body] auth ───┐
///     ┌ 2 [params] headers body … ───┐
///     ┌ 2 Request [body] 3/6 ──┐
struct PaneTabs: Hashable, Sendable {
    /// A tab's name, what is in it in a word, and whether nothing is.
    struct Tab: Hashable, Sendable {
        var name: String
        var detail = ""
        var isEmpty = false
    }

    private let tabs: [Tab]
    /// The names, with what is in them where there is room.
    let titles: [String]
    let selected: Int
    /// There is no room for the pane's name beside the tabs.
    let hidesName: Bool
    let showsAll: Bool
    /// One blank stands between the titles, not two: they wouldn't all fit otherwise.
    let isTight: Bool
    /// Those that are seen; with fewer than three of them, only the selected one, with its number.
    let shown: Range<Int>
    /// The column of the first tab in the pane's edge.
    let start: Int

    /// - Parameters:
    ///   - columns: of the pane, border included.
    ///   - reserve: columns at the right end of the edge for what else is said there; 0: nothing is.
    ///   - showsName: when there is room; what stands above may name the pane already.
    init(
        _ tabs: [Tab], selected: Int, of pane: Pane, columns: Int, reserve: Int = 0, showsName: Bool = true
    ) {
        self.tabs = tabs
        self.selected = selected
        // The corners and a piece of the edge behind the tabs.
        let room = columns - 4 - 3 - reserve
        // Where room is tight, the brackets take two more columns, and the border's corner may follow at once.
        let tightRoom = columns - (pane == .request && !showsName ? 3 : 5) - (reserve > 0 ? reserve + 3 : 0)
        func width(_ titles: [String]) -> Int { titles.reduce(0) { $0 + DisplayWidth.of($1) + 2 } }
        func tightWidth(_ titles: [String]) -> Int { width(titles) - titles.count + 2 }
        let long = tabs.map { $0.detail.isEmpty ? $0.name : "\($0.name) \($0.detail)" }
        titles = tightWidth(long) <= tightRoom ? long : tabs.map(\.name)
        let width = width(titles)
        let tightWidth = tightWidth(titles)
        isTight = width > room
        showsAll = !isTight || tightWidth <= tightRoom
        // The dots at either side of what is left out.
        let window = Self.window(titles, selected: selected, room: tightRoom - 2 - 2)
        shown = showsAll ? titles.indices : window.count < 3 ? selected..<min(selected + 1, titles.count) : window
        let name = pane.title.count + 1
        hidesName = (showsAll || shown.count > 1) && (isTight || !showsName || width + name > room)
        start =
            (pane == .request && !showsName ? 2 : 4) + (hidesName ? 0 : name) + (shown.lowerBound > 0 && shown.count > 1 ? 2 : 0)
    }

    /// As many as there is room for: from the first on, as long as the selected one is among them.
    private static func window(_ titles: [String], selected: Int, room: Int) -> Range<Int> {
        guard titles.indices.contains(selected) else { return 0..<0 }
        for first in 0...selected {
            var width = first > 0 ? 2 : 0
            let end = titles.indices[first...].first { index in
                width += DisplayWidth.of(titles[index]) + 1
                return width > room
            }
            if end ?? titles.count > selected { return first..<(end ?? titles.count) }
        }
        return selected..<selected + 1
    }

    /// The tab at a column of the edge, counted from the pane's left border.
    func index(atColumn column: Int) -> Int? {
        guard showsAll || shown.count > 1 else { return nil }
        var next = start
        for index in shown {
            let end = next + columns(of: index)
            if (next..<end).contains(column) { return index }
            next = end
        }
        return nil
    }

    /// The selected one in brackets, which a terminal without colours shows too.
    var line: StyledLine {
        var line = StyledLine()
        guard titles.indices.contains(selected) else { return line }
        guard showsAll || shown.count > 1 else {
            line.append("[\(titles[selected])]", .tabSelected)
            line.append(" \(selected + 1)/\(titles.count) ", .dim)
            return line
        }
        if shown.lowerBound > 0 { line.append("… ", .dim) }
        for (index, title) in zip(shown, titles[shown]) {
            if index == selected {
                line.append("[\(title)]", .tabSelected)
            } else {
                if !isTight { line.append(" ", .tab) }
                line.append(String(title.prefix(1)), .key)
                line.append(String(title.dropFirst()) + (isTight ? "" : " "), tabs[index].isEmpty ? .dim : .tab)
            }
            if isTight { line.append(" ", .tab) }
        }
        if shown.upperBound < titles.count { line.append(isTight ? "…" : " …", .dim) }
        return line
    }

    /// With a blank or a bracket at either side; where it is tight, with the blank behind it.
    private func columns(of index: Int) -> Int {
        DisplayWidth.of(titles[index]) + (isTight ? index == selected ? 3 : 1 : 2)
    }
}

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
        // The request's number stands in the rail, where there is one.
        let hasNumber = pane != .request || state.layout.requestRail == nil
        var title = StyledLine(hasNumber ? " \(pane.rawValue) " : " ", isFocused ? .key : .dim)
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
        let role: ThemeRole = isFocused ? .selection : .selectionUnfocused
        fill(Rect(column: rect.inner.column, row: area.row + row, columns: rect.inner.columns, rows: 1), role)
        draw(in: area) { $0.select(row, role) }
    }

    /// What an empty pane says: a dim paragraph near the top, in the middle.
    mutating func calm(_ lines: [String]) {
        let rows = bounds.rows
        let wrapped = lines.flatMap { StyledLine($0, .placeholder).wrapped(columns: bounds.columns - 2) }
        let top = max(0, (rows - wrapped.count) / 3)
        for (index, line) in wrapped.enumerated() where top + index < rows {
            self.line(line, column: max(0, (bounds.columns - DisplayWidth.of(line.text)) / 2), row: top + index)
        }
    }

    /// Shows where a text stands in what is drawn in this window, in any case. Costs nothing while nothing is looked for.
    mutating func mark(_ text: String, _ role: ThemeRole = .searchMatch) {
        let wanted = Array(text.lowercased())
        guard !wanted.isEmpty else { return }
        for row in 0..<bounds.rows {
            // A double-width character is one of these, at its first column.
            let cells = (0..<bounds.columns).compactMap { column in
                cell(column: column, row: row).flatMap { $0.width > 0 ? (column: column, text: $0.character.lowercased()) : nil }
            }
            var index = 0
            while index + wanted.count <= cells.count {
                let found = cells[index..<index + wanted.count]
                guard zip(found, wanted).allSatisfy({ $0.text == String($1) }), let first = found.first, let last = found.last
                else {
                    index += 1
                    continue
                }
                let width = last.column - first.column + max(1, Int(cell(column: last.column, row: row)?.width ?? 1))
                restyle(Rect(column: first.column, row: row, columns: width, rows: 1), role)
                index += wanted.count
            }
        }
    }
}

/// Text for people in a narrow place.
enum LineWrapping {
    /// The lines of a text, broken at blanks, and inside of a word that is longer than a line.
    static func lines(of text: String, columns: Int) -> [String] {
        text.lines.flatMap { line in
            StyledLine(String(line)).wrapped(columns: max(8, columns)).map(\.text)
        }
    }
}
