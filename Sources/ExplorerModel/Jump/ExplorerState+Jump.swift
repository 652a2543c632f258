import NetworkLayer
import OrderedCollections
import Presentation
import TerminalUI

extension ExplorerState {
    mutating func openJump() {
        overlay = .jump(Jump(jumpPlaces, letters: keymap.jumpLetters))
    }

    /// Another key than a letter that leads somewhere ends it.
    mutating func handle(_ jump: Jump, _ key: KeyPress) -> [ExplorerEffect] {
        overlay = nil
        guard case .character(let character) = key.key, key.modifiers.isEmpty else { return [] }
        var jump = jump
        jump.typed.append(character)
        if let target = jump.targets.first(where: { $0.label == jump.typed }) { return go(to: target.place) }
        guard jump.targets.contains(where: { $0.label.hasPrefix(jump.typed) }) else {
            notice = Notice(.info, "nothing here is labelled \(jump.typed)")
            return []
        }
        overlay = .jump(jump)
        return []
    }

    /// Rows may move by themselves: their letters go along, and those of what is gone go away.
    mutating func settle(_ jump: Jump) {
        let points = Dictionary(jumpPlaces.map { ($0.place, $0.point) }) { first, _ in first }
        var jump = jump
        jump.targets = jump.targets.compactMap { target in
            points[target.place].map { Jump.Target(label: target.label, point: $0, place: target.place) }
        }
        overlay = jump.targets.isEmpty ? nil : .jump(jump)
    }

    private mutating func go(to place: Jump.Place) -> [ExplorerEffect] {
        switch place {
        case .pane(let pane): setFocus(pane)
        case .requestTab(let tab):
            setFocus(.request)
            requestPane.show(tab)
        case .responseTab(let tab):
            setFocus(.response)
            responsePane.show(tab)
        case .entry(let reference):
            setFocus(.collection)
            if let row = collectionPane.visible.firstIndex(where: { tree.entries[$0].reference == reference }) {
                collectionPane.select(row: row)
            }
            return requestUnderCursorChanged()
        case .requestRow(let row):
            if let index = requestRows.firstIndex(of: row) {
                setFocus(.request)
                requestPane.list.select(index)
            }
        case .attempt(let id, let index):
            setFocus(.operation)
            if let entry = operations[id] { operationPane.select(index, of: entry) }
        case .bodyLine(_, let line):
            setFocus(.response)
            responsePane.body.cursor = line
        case .operation(let id, let pane):
            setFocus(pane)
            if pane == .queue { queuePane.selection.select(id) } else { historyPane.selection.select(id) }
        }
        return []
    }

    // MARK: Places

    /// What is seen and can be gone to, with the point of its first cell: the focused pane's rows first, which get the single letters.
    private var jumpPlaces: [(place: Jump.Place, point: Point)] {
        let panes = layout.panes
        let order = [focus] + Pane.allCases.filter { $0 != focus }
        var places = order.prefix(1).flatMap { rows(of: $0) }
        places += tabs(of: focus)
        for pane in order {
            guard let rect = panes[pane] else { continue }
            places.append((.pane(pane), Point(column: rect.column + 1, row: rect.row)))
        }
        for pane in order.dropFirst() where panes[pane] != nil { places += tabs(of: pane) }
        for pane in order.dropFirst() where panes[pane] != nil { places += rows(of: pane) }
        return places.filter { $0.point.row >= 0 && $0.point.row < size.rows && $0.point.column < size.columns }
    }

    private func tabs(of pane: Pane) -> [(place: Jump.Place, point: Point)] {
        guard let rect = layout.panes[pane] else { return [] }
        func places(_ tabs: PaneTabs, _ place: (Int) -> Jump.Place) -> [(place: Jump.Place, point: Point)] {
            tabs.titles.indices.compactMap { index in
                tabs.column(of: index).map { (place(index), Point(column: rect.column + $0, row: rect.row)) }
            }
        }
        switch pane {
        case .request: return places(requestTabs) { .requestTab(RequestPaneState.Tab.allCases[$0]) }
        case .response:
            let tabs = responsePaneTabs
            return places(responseTabs) { .responseTab(tabs[$0]) }
        case .collection, .operation, .queue, .history: return []
        }
    }

    private func rows(of pane: Pane) -> [(place: Jump.Place, point: Point)] {
        guard let area = layout.content(of: pane) else { return [] }
        func point(_ row: Int) -> Point { Point(column: area.column, row: area.row + row) }
        switch pane {
        case .collection:
            let list = collectionPane.list
            // The filter has the first row.
            let first = collectionPane.filter.isEmpty ? 0 : 1
            return list.visible.map { index in
                (.entry(tree.entries[collectionPane.visible[index]].reference), point(first + index - list.top))
            }
        case .request:
            let (rows, window) = (requestRows, requestWindow)
            return window.filter { rows.indices.contains($0) && rows[$0].isSelectable && $0 - window.lowerBound < area.rows }
                .map { (.requestRow(rows[$0]), point($0 - window.lowerBound)) }
        case .operation:
            guard let entry = shownOperation else { return [] }
            return operationRows(entry, in: area.size).enumerated().compactMap { row, what in
                if case .attempt(let index) = what { (.attempt(entry.id, index), point(row)) } else { nil }
            }
        case .response:
            guard let document = bodyWithCursor, let entry = shownResponse?.entry else { return [] }
            let body = responsePane.body
            let first = body.folds.row(ofLine: body.top.line)
            let count = min(responseArea.rows, body.folds.rowCount(document.lineCount).lines - first)
            let top = area.endRow - responseArea.rows
            return (0..<max(0, count)).map { row in
                (.bodyLine(entry.id, body.folds.line(ofRow: first + row)), Point(column: area.column, row: top + row))
            }
        case .queue: return operationRows(queuePane.selection, queuedOperations, .queue, area)
        case .history: return operationRows(historyPane.selection, filteredHistory, .history, area)
        }
    }

    private func operationRows(
        _ selection: OperationSelection, _ ids: [OperationID], _ pane: Pane, _ area: Rect
    ) -> [(place: Jump.Place, point: Point)] {
        let list = selection.list(of: ids, rows: area.rows)
        return list.visible.map { index in
            (.operation(ids[index], in: pane), Point(column: area.column, row: area.row + index - list.top))
        }
    }
}
