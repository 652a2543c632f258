import Presentation
import RequestCollections
import TerminalUI

extension RequestRowWriter {
    /// Rows of the tab that says where everything comes from.
    ///
    /// - Returns: whether it was one.
    func explain(_ row: RequestPaneRow, of state: ExplorerState, row line: Int, on canvas: inout Canvas) -> Bool {
        let isWide = canvas.bounds.columns >= ExplainedRequest.wide
        let edge = canvas.bounds.columns - 1
        let valueColumn = min(valueColumn, canvas.bounds.columns / 2)
        switch row {
        case .explained(let row):
            var end = edge
            if isWide {
                let origin = text(of: row.origin, state)
                // Half of the row is the value's.
                let width = min(DisplayWidth.of(origin), edge / 2 - 2)
                canvas.text(origin, .dim, column: edge - width, row: line, limit: width, ellipsis: true)
                end -= width + 2
            }
            let mark = row.isRemoved ? "· " : ""
            canvas.text(
                mark + SafeText.line(row.name), row.isRemoved ? .dim : .headerName, column: 1, row: line, limit: end - 1,
                ellipsis: true)
            let column =
                row.name.isEmpty ? 1 : row.group == .url ? 2 + DisplayWidth.of(SafeText.line(row.name)) : valueColumn
            guard column < end else { return true }
            let role: ThemeRole = row.problem != nil ? .templateUnresolved : row.isRemoved ? .dim : .text
            let value = row.isRemoved && row.value.isEmpty ? "taken away" : row.value
            canvas.text(SafeText.line(value), role, column: column, row: line, limit: end - column, ellipsis: true)
        case .origin(let origin):
            canvas.text("  " + text(of: origin, state), .dim, column: 1, row: line, limit: edge - 1, ellipsis: true)
        case .overridden(let row):
            let column = isWide ? valueColumn : 3
            canvas.text(
                "over \(SafeText.line(row.value)), \(text(of: row.origin, state))", .stale, column: column, row: line,
                limit: edge - column, ellipsis: true)
        default: return false
        }
        return true
    }

    /// The place first: where there is no room, it says most.
    private func text(of origin: Explanation.Origin, _ state: ExplorerState) -> String {
        guard let location = origin.location, !location.path.isEmpty else { return "\(origin.source)" }
        return "\(state.shortPlace(location))  \(origin.source)"
    }
}
