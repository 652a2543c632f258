import TerminalUI

extension ExplorerState {
    mutating func handle(_ event: MouseEvent) -> [ExplorerEffect] {
        // The second half of a double click is for nothing that the first one has opened or laid bare.
        if event.action == .doubleClick, screen.pressed != screen.openings { return [] }
        if event.action == .press { screen.pressed = screen.openings }
        if typedLine(mouse: event) { return [] }
        if let content = overlay?.content { return overlay(content, mouse: event) }
        switch event.action {
        case .drag:
            if let divider = screen.dragged {
                screen.adjustments = layout.dragging(divider, to: event.point)
                return []
            }
        case .release:
            screen.dragged = nil
        case .press:
            if let divider = layout.divider(at: event.point) {
                screen.dragged = divider
                // Its row may also be a pane's title: that is the pane that is meant.
                guard let pane = pane(titledAt: event.point), let effects = leaveRow() else { return [] }
                return effects + focus(pane, with: event)
            }
        case .doubleClick, .wheelUp, .wheelDown: break
        }
        let isOnLine = layout.requestLine?.contains(event.point) ?? false
        guard let pane = isOnLine ? .request : pane(at: event.point) else { return [] }
        guard event.action == .press || event.action == .doubleClick else { return isOnLine ? [] : mouse(event, in: pane) }
        // What can't be taken over stays open, and nothing else is begun.
        guard var effects = isInOpenRow(event.point) ? [] : leaveRow() else { return [] }
        effects += endLines(besides: pane)
        return effects + (isOnLine ? requestLine(mouse: event) : focus(pane, with: event))
    }

    /// A click there is one in the text that is open, and leaves nothing.
    private func isInOpenRow(_ point: Point) -> Bool {
        switch panes.request.editing {
        case .body: layout.content(of: .request)?.contains(point) ?? false
        case .line(.url, _): layout.requestLine?.contains(point) ?? false
        case .line, nil: false
        }
    }

    private mutating func focus(_ pane: Pane, with event: MouseEvent) -> [ExplorerEffect] {
        var effects: [ExplorerEffect] = []
        if pane != screen.focus {
            // What the pane shows must not move under the pointer.
            let moment = screen.moment
            if pane == .operation {
                // The pane grows with the focus: the click is meant for the row that stood there before.
                effects += mouse(event, in: pane)
                if event.action == .press { screen.setFocus(pane) }
                screen.moment = moment
                return effects + settle()
            }
            screen.setFocus(pane)
            screen.moment = moment
            effects += settle()
        }
        return effects + mouse(event, in: pane)
    }

    /// A click on the request's line above the stage: it is the first row of the URL's tab.
    private mutating func requestLine(mouse event: MouseEvent) -> [ExplorerEffect] {
        guard selectedRequest != nil else { return [] }
        let isThere = screen.focus == .request && panes.request.tab == .url && panes.request.list.selected == 0
        if isThere, panes.request.editing != nil { return [] }
        go(toRequest: .url)
        return settle() + (isThere || event.action == .doubleClick ? editSelectedRow() : [])
    }

    private mutating func mouse(_ event: MouseEvent, in pane: Pane) -> [ExplorerEffect] {
        layout.content(of: pane).map { pane.description.mouse(&self, event, $0) } ?? []
    }

    private func pane(at point: Point) -> Pane? {
        let panes = layout.panes
        return Pane.allCases.first { panes[$0]?.inner.contains(point) ?? false } ?? pane(titledAt: point)
    }

    private func pane(titledAt point: Point) -> Pane? {
        let panes = layout.panes
        return Pane.allCases.first { pane in
            guard let rect = panes[pane] else { return false }
            return rect.row == point.row && point.column > rect.column && point.column < rect.endColumn - 1
        }
    }
}
