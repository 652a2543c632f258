import ExplorerModel
import Presentation
import RequestCollections
import TerminalUI

/// Draws the method and the URL of the shown request in one row, where its pane has no place.
enum RequestLineView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        guard let definition = state.shownDefinition, let context = state.context else { return }
        var line = StyledLine([MethodText.span(definition.method)])
        line.append(" ")
        for part in context.templates.parts(of: definition.shownURL) {
            line.append(
                part.text, part.kind == .template ? .template : part.kind == .unresolved ? .templateUnresolved : .url)
        }
        let isUnsaved = state.selectedRequest.map(state.isUnsaved) ?? false
        if isUnsaved { canvas.text("✎", .unsaved, endColumn: rect.endColumn, row: rect.row) }
        canvas.line(line, column: rect.column, row: rect.row, limit: rect.columns - (isUnsaved ? 2 : 0), ellipsis: true)
    }
}
