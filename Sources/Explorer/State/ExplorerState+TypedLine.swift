import TerminalUI

extension ExplorerState {
    /// The line that is being typed, unless it stands there as dots.
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
                keep(content)
            case .search: searchLine?.line = newValue
            case .savePath: panes.response.savePrompt = newValue
            case .filter: panes.response.filterLine?.line = newValue
            case .row(.line(let field, _)): panes.request.editing = .line(field, newValue)
            case .row(.body), .panes: break
            }
        }
    }

    /// Where that line is drawn, and the row around it, in which a click is meant for it.
    private var typedRow: (field: Rect, row: Rect)? {
        let (field, area): (Rect?, Rect?)
        switch front {
        case .overlay(let content):
            let layout = OverlayLayout(of: content, in: screen.size)
            (field, area) = (layout.typedField, layout.area)
        case .search(let search):
            (field, area) = (place(of: search), search.pane == .collection ? treeFilterRow : layout.statusLine)
        case .savePath, .filter: (field, area) = (typedResponseRow?.field, typedResponseRow?.row)
        case .row(.line(.url, _)): (field, area) = (place(of: .url), layout.requestLine ?? layout.content(of: .request))
        case .row(.line(let edited, _)): (field, area) = (place(of: edited), layout.content(of: .request))
        case .row(.body), .panes: return nil
        }
        guard let field, let area, !field.isEmpty else { return nil }
        return (field, area.line(field.row - area.row))
    }

    /// The line scrolls as its field is wide. Called after each event.
    mutating func settleTypedLine() {
        guard let columns = typedRow?.field.columns, var line = typedLine, line.columns != columns else { return }
        line.columns = columns
        typedLine = line
    }

    /// A click in the row of that line puts its cursor there, and a drag from there on selects.
    ///
    /// - Returns: whether the event was meant for the line.
    mutating func typedLine(mouse event: MouseEvent) -> Bool {
        let place = typedRow
        switch event.action {
        case .press, .doubleClick: screen.isSelecting = typedLine != nil && place?.row.contains(event.point) == true
        case .drag: break
        case .release:
            defer { screen.isSelecting = false }
            return screen.isSelecting
        case .wheelUp, .wheelDown: return false
        }
        guard screen.isSelecting, let place else { return false }
        // An event that changes no line may have changed the field since.
        settleTypedLine()
        guard var line = typedLine else { return false }
        line.moveToCell(column: event.point.column - place.field.column, extending: event.action == .drag)
        typedLine = line
        return true
    }

    // MARK: Where lines are drawn

    /// The row of the tree's filter, while there is one.
    var treeFilterRow: Rect? {
        panes.collection.filter.isEmpty && searchLine?.pane != .collection ? nil : layout.content(of: .collection)?.line(0)
    }

    /// Behind its sign; in the status line before the hints.
    func place(of search: SearchLine) -> Rect {
        if search.pane == .collection { return treeFilterRow?.splitLeft(1).rest ?? Rect(Size(columns: 0, rows: 0)) }
        let line = layout.statusLine
        let hints = hints.reduce(1) { $0 + $1.key.count + $1.word.count + 3 }
        return line.splitLeft(2).rest.splitLeft(max(8, line.columns - 3 - hints)).left
    }

    /// What is typed over the last row of the response pane, behind its label.
    var typedResponseRow: (row: Rect, label: String, field: Rect)? {
        guard let inner = layout.panes[.response]?.inner, inner.rows > 0 else { return nil }
        let label =
            panes.response.savePrompt == nil
            ? " filter: " : panes.response.filter.isEmpty ? " save the body to: " : " save the whole body to: "
        let row = inner.line(inner.rows - 1)
        return (row, label, row.splitLeft(DisplayWidth.of(label)).rest)
    }
}
