import TerminalUI

extension ExplorerState {
    /// The line that is being typed where the cursor was drawn last.
    private var typedLine: LineEditor? {
        get {
            switch front {
            case .overlay(let content): content.typedLine
            case .search(let search): search.line
            case .savePath: panes.response.savePrompt
            case .filter(let filter): filter.line
            case .row(.line(_, let line)): line
            case .row(.body), .panes: nil
            }
        }
        set {
            guard let newValue else { return }
            switch front {
            case .overlay(var content):
                content.typedLine = newValue
                overlay = content.overlay
            case .search: searchLine?.line = newValue
            case .savePath: panes.response.savePrompt = newValue
            case .filter: panes.response.filterLine?.line = newValue
            case .row(.line(let field, _)): panes.request.editing = .line(field, newValue)
            case .row(.body), .panes: break
            }
        }
    }

    /// Where that line stands, with what stands beside it in its row.
    private var typedArea: Rect? {
        switch front {
        case .overlay(let content): OverlayLayout(of: content, in: screen.size).area
        case .search: layout.statusLine
        case .savePath, .filter: layout.content(of: .response)
        case .row:
            if let line = layout.requestLine, line.row == screen.cursor?.row { line } else { layout.content(of: .request) }
        case .panes: nil
        }
    }

    /// A click in the row of that line puts its cursor there, and a drag from there on selects.
    ///
    /// - Returns: whether the event was meant for the line.
    mutating func typedLine(mouse event: MouseEvent) -> Bool {
        switch event.action {
        case .press, .doubleClick:
            let isMeant = typedArea?.contains(event.point) == true && event.point.row == screen.cursor?.row
            screen.selecting = isMeant ? screen.cursor : nil
        case .drag: break
        case .release:
            defer { screen.selecting = nil }
            return screen.selecting != nil
        case .wheelUp, .wheelDown: return false
        }
        guard let cursor = screen.selecting, var line = typedLine else { return false }
        let columns = line.moveCursor(columns: event.point.column - cursor.column, extending: event.action == .drag)
        screen.selecting?.column += columns
        typedLine = line
        return true
    }
}
