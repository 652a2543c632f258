import NetworkLayer
import OrderedCollections
import Presentation
import TerminalUI

extension ExplorerState {
    var jump: Jump {
        Jump(jumpPlaces, letters: keymap.jumpLetters)
    }

    mutating func go(to place: Jump.Place) -> [ExplorerEffect] {
        switch place {
        case .pane(let pane): screen.setFocus(pane)
        case .requestTab(let tab): go(toRequest: tab)
        case .responseTab(let tab): go(toResponse: tab)
        case .entry(let reference):
            screen.setFocus(.collection)
            if let row = panes.collection.visible.firstIndex(where: { tree.entries[$0].reference == reference }) {
                panes.collection.select(row: row)
            }
            requestUnderCursorChanged()
        case .requestRow(let row):
            if let index = requestRows.firstIndex(of: row) {
                screen.setFocus(.request)
                panes.request.list.select(index)
            }
        case .attempt(let id, let index):
            screen.setFocus(.operation)
            if let entry = operations[id] { panes.operation.select(index, of: entry) }
        case .bodyLine(_, let line):
            screen.setFocus(.response)
            panes.response.body.cursor = line
        case .operation(let id, let pane):
            screen.setFocus(pane)
            if pane == .queue { panes.queue.selection.select(id) } else { panes.history.selection.select(id) }
        }
        return []
    }

    // MARK: Places

    /// What is seen and can be gone to, with the point of its first cell: the focused pane's rows first, which get the single letters.
    var jumpPlaces: [(place: Jump.Place, point: Point)] {
        let panes = layout.panes
        let order = [screen.focus] + Pane.allCases.filter { $0 != screen.focus }
        var places = order.prefix(1).flatMap { rows(of: $0) }
        places += tabs(of: screen.focus)
        for pane in order {
            guard let rect = panes[pane] else { continue }
            places.append((.pane(pane), Point(column: rect.column + 1, row: rect.row)))
        }
        for pane in order.dropFirst() where panes[pane] != nil { places += tabs(of: pane) }
        for pane in order.dropFirst() where panes[pane] != nil { places += rows(of: pane) }
        return places.filter { $0.point.row >= 0 && $0.point.row < screen.size.rows && $0.point.column < screen.size.columns }
    }

    private func tabs(of pane: Pane) -> [PaneDescription.JumpPlace] {
        guard let rect = layout.panes[pane], let (tabs, places) = pane.description.tabs(self) else { return [] }
        return tabs.titles.indices.compactMap { index in
            tabs.column(of: index).map { (places[index], Point(column: rect.column + $0, row: rect.row)) }
        }
    }

    private func rows(of pane: Pane) -> [PaneDescription.JumpPlace] {
        layout.content(of: pane).map { pane.description.rows(self, $0) } ?? []
    }
}
