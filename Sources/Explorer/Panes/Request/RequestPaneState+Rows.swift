import RequestCollections
import TerminalUI

extension RequestPaneState {
    /// Shows the tab so many to the right, coming round at the ends.
    mutating func showTab(by step: Int) {
        show(Tab.allCases[tab.rawValue.stepped(by: step, of: Tab.allCases.count)])
    }

    /// Moves over the rows that can be selected.
    ///
    /// - Parameter rows: `nil`: the text of the body scrolls.
    mutating func move(by distance: Int, over rows: [RequestPaneRow]?) {
        guard let rows else { return body.scroll(lines: distance) }
        let selectable = rows.indices.filter { rows[$0].isSelectable }
        guard let here = selectable.lastIndex(where: { $0 <= list.selected }) ?? selectable.indices.first else { return }
        list.select(selectable[min(max(0, here + distance), selectable.count - 1)])
    }

    mutating func select(_ row: RequestPaneRow, in rows: [RequestPaneRow]) {
        list.count = rows.count
        if let index = rows.firstIndex(of: row) { list.select(index) }
    }

    /// Keeps the cursor on a row that there is, and that can be selected.
    mutating func settle(_ rows: [RequestPaneRow]) {
        list.count = rows.count
        if rows.indices.contains(list.selected), !rows[list.selected].isSelectable {
            let row = list.selected
            let next =
                rows.indices.first { $0 > row && rows[$0].isSelectable } ?? rows.indices.last { $0 < row && rows[$0].isSelectable }
            list.select(next ?? 0)
        }
        // The heading above the selected row says what it is.
        if list.height > 1, list.top > 0, list.top == list.selected, rows.indices.contains(list.top),
            case .heading = rows[list.top - 1]
        {
            list.scroll(by: -1)
        }
    }

    /// To the next row with the text that is looked for, coming round at the ends.
    ///
    /// - Parameters:
    ///   - includesCursor: the row of the cursor comes first, not last.
    ///   - rows: `nil`: the text of the body is looked through.
    /// - Returns: whether there is one, or nothing is looked for.
    mutating func find(
        forward: Bool, includesCursor: Bool, in rows: [RequestPaneRow]?, of definition: RequestDefinition?
    ) -> Bool {
        let wanted = search.lowercased()
        guard !wanted.isEmpty else { return true }
        if let rows, let definition {
            let found = rows.indices.round(from: list.selected, forward: forward, includesStart: includesCursor).first {
                rows[$0].isSelectable && rows[$0].searchText(in: definition).lowercased().contains(wanted)
            }
            if let found { list.select(found) }
            return found != nil
        }
        guard rows == nil else { return false }
        let lines = body.buffer.lines
        for line in lines.indices.round(from: body.cursor.line, forward: forward, includesStart: includesCursor) {
            if let offset = lines[line].offset(ofLowercased: wanted) {
                body.move(.to(TextPosition(line: line, offset: offset)))
                return true
            }
        }
        return false
    }
}

extension RequestPaneRow {
    fileprivate func searchText(in definition: RequestDefinition) -> String {
        switch self {
        case .named(let rows, let index): "\(definition[rows][index].name) \(definition[rows][index].value)"
        case .inherited(_, let row): "\(row.name) \(row.value)"
        case .url: definition.url
        case .field(let field): definition.text(of: field) ?? ""
        case .explained(let row): "\(row.name) \(row.value)"
        case .want(_, let text, _): text
        case .heading, .problem, .preview, .empty, .inheritedAuth, .note, .origin, .overridden: ""
        }
    }
}

extension String {
    /// Where a text begins that is given in lower case, in UTF-8 bytes.
    fileprivate func offset(ofLowercased wanted: String) -> Int? {
        var index = startIndex
        while index < endIndex {
            if self[index...].prefix(wanted.count).lowercased() == wanted { return utf8.distance(from: startIndex, to: index) }
            index = self.index(after: index)
        }
        return nil
    }
}
