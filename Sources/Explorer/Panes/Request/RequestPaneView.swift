import Presentation
import RequestCollections
import TerminalUI

/// Draws the request pane inside of its border, and its title into it.
enum RequestPaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        let inner = canvas.pane(
            .request, of: state, in: rect, tabs: state.requestTabs,
            trailing: state.layout.requestRail == nil ? name(state) : [])
        guard let definition = state.shownDefinition, let context = state.context else {
            canvas.draw(in: inner.inset(columns: 1)) {
                $0.text("Pick a request on the left.", .dim, column: 0, row: 0, ellipsis: true)
            }
            return
        }
        let rows = state.requestRows
        let window = state.requestWindow
        canvas.draw(in: inner) { canvas in
            let writer = RequestRowWriter(
                definition, context, state.panes.request, isFocused: state.screen.focus == .request, rows: rows)
            for index in window where rows.indices.contains(index) {
                let row = index - window.lowerBound
                if index == state.panes.request.list.selected, rows[index].isSelectable, state.panes.request.editing != .body,
                    state.screen.focus == .request
                {
                    canvas.select(row, sign: 0)
                }
                if writer.explain(rows[index], of: state, row: row, on: &canvas) { continue }
                writer.draw(rows[index], row: row, on: &canvas)
            }
            if state.requestShowsBodyText {
                drawBody(state, definition, in: canvas.bounds.splitTop(window.count).rest, on: &canvas)
            }
            canvas.mark(state.panes.request.search)
        }
        if !state.requestShowsBodyText {
            // The URL's own row stands in the rail.
            let above = state.urlHasLine ? 1 : 0
            canvas.scrollbar(
                column: rect.endColumn - 1, rows: inner.row..<inner.endRow,
                visible: max(0, window.lowerBound - above)..<max(0, window.upperBound - above), total: rows.count - above)
        }
    }

    /// Which request it is, and whether the file knows of its edits.
    private static func name(_ state: ExplorerState) -> [StyledLine] {
        guard let reference = state.selectedRequest else { return [] }
        let mark = state.drafts.isUnsaved(reference) ? StyledLine("●", .unsaved) : StyledLine()
        var full = mark
        full.append((mark.spans.isEmpty ? "" : " ") + reference.id.rawValue, .dim)
        return [full, mark]
    }

    private static func drawBody(_ state: ExplorerState, _ definition: RequestDefinition, in rect: Rect, on canvas: inout Canvas) {
        let editor = state.panes.request.body
        let isEdited = state.panes.request.editing == .body
        let kind = definition.body?.kind
        let rect = Rect(column: rect.column, row: rect.row, columns: rect.columns, rows: state.requestTextArea?.rows ?? rect.rows)
        canvas.draw(in: rect) { canvas in
            editor.draw(on: &canvas, isFocused: isEdited, lineNumbers: true) { line in
                switch kind {
                case .json: BodySyntax.json(line)
                case .graphql: BodySyntax.graphql(line)
                default: BodySyntax.text(line)
                }
            }
            if let query = state.context?.query { QueryView.mark(query.faults, in: editor, on: &canvas) }
        }
        if let query = state.context?.query {
            let line = QueryView.line(query, editor, row: state.selectedRequestRow, isEdited: isEdited)
            canvas.line(line, column: 1, row: rect.endRow, ellipsis: true)
        }
        let lines = editor.buffer.lines.count
        let visible = editor.top..<min(lines, editor.top + rect.rows)
        canvas.scrollbar(column: rect.endColumn, rows: rect.row..<rect.endRow, visible: visible, total: lines)
    }
}

/// Draws the request's line above the stage: its method and URL, and below them, where there is room, what they come to.
///
///     POST {{host}}/orders?notify=mail                                             ✎ edited
///     → https://api.example.org/orders?notify=mail   9 headers  json 42 B  bearer
enum RequestLineView {
    /// - Parameter rect: of the rail, its border included when it has one.
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        guard let lines = state.layout.requestLine, let urlRow = state.urlRow else { return }
        if lines != rect { drawEdge(state, in: rect, on: &canvas) }
        guard let definition = state.shownDefinition, let context = state.context else {
            canvas.text("Pick a request on the left.", .dim, column: lines.column + 1, row: lines.row, limit: lines.columns - 1)
            return
        }
        let isFocused = state.screen.focus == .request
        canvas.draw(in: lines) { canvas in
            if isFocused, state.urlHasLine, state.panes.request.list.selected == 0 {
                canvas.select(0, sign: 0)
            }
            canvas.text(state.requestMark, .unsaved, endColumn: canvas.bounds.columns, row: 0)
            let writer = RequestRowWriter(definition, context, state.panes.request, isFocused: isFocused, rows: [])
            canvas.draw(in: Rect(column: 0, row: 0, columns: urlRow.columns, rows: 1)) { writer.draw(.url, row: 0, on: &$0) }
            guard canvas.bounds.rows > 1 else { return }
            let facts = facts(definition, context)
            let width = canvas.bounds.columns >= 100 ? DisplayWidth.of(facts) : 0
            if width > 0 { canvas.text(facts, .dim, endColumn: canvas.bounds.columns - 1, row: 1) }
            let preview = Rect(column: 0, row: 1, columns: canvas.bounds.columns - width - (width > 0 ? 3 : 0), rows: 1)
            canvas.draw(in: preview) { writer.draw(.preview, row: 0, on: &$0) }
        }
    }

    /// `2 orders/create`, and the environment at the right.
    private static func drawEdge(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        let isFocused = state.screen.focus == .request
        var title = StyledLine(" \(Pane.request.rawValue) ", isFocused ? .key : .dim)
        title.append((state.selectedRequest?.id.rawValue ?? Pane.request.title) + " ", isFocused ? .titleFocused : .title)
        let end = canvas.line(title, column: rect.column + 1, row: rect.row, limit: rect.columns - 2, ellipsis: true)
        guard let environment = state.environment else { return }
        let text = " \(environment) "
        guard end + DisplayWidth.of(text) + 2 < rect.endColumn else { return }
        canvas.text(text, .accent, endColumn: rect.endColumn - 2, row: rect.row)
    }

    /// What goes along with the URL: `9 headers  json 42 B  bearer`.
    private static func facts(_ definition: RequestDefinition, _ context: RequestContext) -> String {
        var parts: [String] = []
        let own = definition.headers.filter(\.isEnabled)
        let inherited = context.inherited.headers.filter { row in
            row.isEnabled && !definition.headers.contains { $0.name.lowercased() == row.name.lowercased() }
        }
        let headers = own.count + inherited.count
        if headers > 0 { parts.append(Figures.count(headers, "header")) }
        if let body = definition.body, body.kind != .none {
            let size = body.kind == .file ? nil : body.text.map { " " + Figures.bytes(Int64($0.utf8.count)) }
            parts.append(body.kind.name + (size ?? ""))
        }
        let said = definition.auth ?? .inherit
        let auth = said == .inherit ? context.inherited.auth?.definition ?? AuthDefinition.none : said
        if auth != .none { parts.append(auth.kindName) }
        return parts.joined(separator: "  ")
    }
}
