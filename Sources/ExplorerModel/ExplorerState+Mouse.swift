import TerminalUI

extension ExplorerState {
    mutating func handle(_ event: MouseEvent) -> [ExplorerEffect] {
        if typedLine(mouse: event) { return [] }
        if let content = overlay?.content { return overlay(content, mouse: event) }
        // What can't be taken over stays open, and nothing else is begun.
        if event.action == .press || event.action == .doubleClick, let fault = editingFault {
            notice = Notice(.error, fault)
            return []
        }
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
                if let pane = pane(titledAt: event.point) { return focus(pane, with: event) }
                return []
            }
        case .doubleClick, .wheelUp, .wheelDown: break
        }
        let isPress = event.action == .press || event.action == .doubleClick
        if let line = layout.requestLine, line.contains(event.point) {
            return (isPress ? endLines(besides: .request) : []) + requestLine(mouse: event)
        }
        guard let pane = pane(at: event.point) else { return [] }
        return isPress ? endLines(besides: pane) + focus(pane, with: event) : mouse(event, in: pane)
    }

    private mutating func focus(_ pane: Pane, with event: MouseEvent) -> [ExplorerEffect] {
        var effects: [ExplorerEffect] = []
        if pane != screen.focus {
            effects += commitEditing()
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

    /// On the request's line above the stage: it is the first row of the URL's tab.
    private mutating func requestLine(mouse event: MouseEvent) -> [ExplorerEffect] {
        guard event.action == .press || event.action == .doubleClick, selectedRequest != nil else { return [] }
        let isThere = screen.focus == .request && panes.request.tab == .url && panes.request.list.selected == 0
        if isThere, panes.request.editing != nil { return [] }
        let effects = commitEditing()
        go(toRequest: .url)
        return effects + settle() + (isThere || event.action == .doubleClick ? editSelectedRow() : [])
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
