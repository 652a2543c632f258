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
                    canvas.fill(canvas.bounds.line(row), .selection)
                }
                if writer.explain(rows[index], of: state, row: row, on: &canvas) { continue }
                writer.draw(rows[index], row: row, on: &canvas)
            }
            if state.requestShowsBodyText {
                drawBody(state, definition, in: canvas.bounds.splitTop(rows.count).rest, on: &canvas)
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
        let isJSON = definition.body?.kind == .json
        canvas.draw(in: rect) { canvas in
            editor.draw(on: &canvas, isFocused: state.panes.request.editing == .body, lineNumbers: true) { line in
                isJSON ? BodySyntax.json(line) : BodySyntax.text(line)
            }
        }
        let lines = editor.buffer.lines.count
        let visible = editor.top..<min(lines, editor.top + rect.rows)
        canvas.scrollbar(column: rect.endColumn, rows: rect.row..<rect.endRow, visible: visible, total: lines)
    }
}
