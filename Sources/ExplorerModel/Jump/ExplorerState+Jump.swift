import NetworkLayer
import OrderedCollections
import Presentation
import TerminalUI

extension ExplorerState {
    var jump: Jump {
        Jump(jumpPlaces, letters: keymap.jumpLetters)
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
        case .pane(let pane): screen.setFocus(pane)
        case .requestTab(let tab): go(toRequest: tab)
        case .responseTab(let tab): go(toResponse: tab)
        case .entry(let reference):
            screen.setFocus(.collection)
            if let row = panes.collection.visible.firstIndex(where: { tree.entries[$0].reference == reference }) {
                panes.collection.select(row: row)
            }
            return requestUnderCursorChanged()
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
    private var jumpPlaces: [(place: Jump.Place, point: Point)] {
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
