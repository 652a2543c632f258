import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// Draws the variables of a collection, environment by environment; secrets masked.
extension VariableBoard: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        let (rows, rect) = (state.rows(of: self), layout.list)
        let window = list.window(height: rect.rows)
        let names = rows.map { row in if case .variable(let variable, _) = row { DisplayWidth.of(variable.name) } else { 0 } }
        let column = min(24, names.max() ?? 0) + 6
        canvas.draw(in: rect) { canvas in
            for index in window where rows.indices.contains(index) {
                let line = index - window.lowerBound
                if index == list.selected { OverlayView.select(line, on: &canvas) }
                switch rows[index] {
                case .scope(let environment): draw(environment, of: state, row: line, on: &canvas)
                case .variable(let variable, _):
                    canvas.text(SafeText.line(variable.name), .headerName, column: 4, row: line, limit: column - 5, ellipsis: true)
                    let value = Self.value(of: variable)
                    canvas.line(value, column: column, row: line, limit: rect.columns - column - 1, ellipsis: true)
                }
            }
        }
        canvas.scrollbar(column: rect.endColumn, rows: rect.row..<rect.endRow, visible: window, total: rows.count)
    }

    private func draw(_ environment: EnvironmentDefinition?, of state: ExplorerState, row: Int, on canvas: inout Canvas) {
        guard let environment else {
            canvas.text("in every environment", .title, column: 2, row: row)
            return
        }
        var end = canvas.text(SafeText.line(environment.name), .title, column: 2, row: row, ellipsis: true) + 1
        if let extends = environment.extends {
            end = canvas.text("extends \(SafeText.line(extends))", .dim, column: end, row: row, ellipsis: true) + 1
        }
        if state.workspace.environments[collection] == environment.name {
            canvas.text("in use", .accent, column: end, row: row)
        }
    }

    private static func value(of variable: VariableDefinition) -> StyledLine {
        guard case .secret(let reference) = variable.value else {
            let text = variable.isMasked ? Redactor.mask : SafeText.line(variable.value.typed ?? "")
            return StyledLine(text, variable.isMasked ? .secret : .headerValue)
        }
        var line = StyledLine(Redactor.mask, .secret)
        line.append(" from \(SafeText.line(reference.typed))", .dim)
        return line
    }
}
