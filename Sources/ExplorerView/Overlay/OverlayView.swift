import ExplorerModel
import Presentation
import TerminalUI

/// Draws what lies over the panes.
enum OverlayView {
    static func draw(_ overlay: Overlay, of state: ExplorerState, on canvas: inout Canvas) {
        if case .jump(let jump) = overlay { return JumpView.draw(jump, on: &canvas) }
        let area = OverlayLayout.area(of: overlay, in: state.screen.size)
        canvas.fill(area, .overlay)
        canvas.box(area, title: title(overlay), isFocused: true, border: .overlayBorder)
        let list = OverlayLayout.list(of: overlay, in: state.screen.size)
        switch overlay {
        case .help(let help): draw(help, of: state, in: list, on: &canvas)
        case .omnibox(let omnibox): OmniboxView.draw(omnibox, of: state, in: area, list: list, on: &canvas)
        case .jump: break
        case .chooser(let chooser): draw(chooser, in: list, on: &canvas)
        case .dialog(let dialog): draw(dialog, in: area, on: &canvas)
        case .why(let card): WhyCardView.draw(card, in: area, on: &canvas)
        case .comparison(let comparison): draw(comparison, in: list, on: &canvas)
        case .variables(let board): VariableBoardView.draw(board, of: state, in: list, inner: area.inner, on: &canvas)
        case .lab(let board): LabView.draw(board, in: area, hasQuestion: !state.arrivals.isEmpty, on: &canvas)
        case .whatIf(let board): WhatIfView.draw(board, in: area, on: &canvas)
        case .trend(let trend): TrendView.draw(trend, in: area, on: &canvas)
        case .hosts(let board): HostBoardView.draw(board, of: state, in: area, on: &canvas)
        case .entry(let form): EntryFormView.draw(form, in: area, on: &canvas)
        case .question(let form): QuestionView.draw(form, in: area, list: list, on: &canvas)
        }
    }

    private static func title(_ overlay: Overlay) -> String {
        switch overlay {
        case .help(let help): "Keys: \(help.pane.title)"
        case .omnibox(let omnibox): omnibox.narrowed?.plural ?? "Everything"
        case .jump: ""
        case .chooser(let chooser): chooser.title
        case .dialog(let dialog): dialog.title
        case .why(let card): card.title
        case .question: "Before it is sent"
        case .entry(let form): form.title
        case .comparison: "Two runs"
        case .variables: "Environments and variables"
        case .lab(let board): "Lab: \(board.request.id)"
        case .whatIf: "Again, but"
        case .hosts: "Hosts of this session"
        case .trend(let trend): "Trend: \(trend.title), \(Figures.count(trend.runs.count, "run"))"
        }
    }

    /// It has a sign, too, because not every terminal has colours.
    static func select(_ line: Int, on canvas: inout Canvas) {
        canvas.fill(canvas.bounds.line(line), .selection)
        canvas.text("›", .accent, column: 0, row: line)
    }

    private static func draw(_ help: Help, of state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        let commands = help.commands
        let keys = commands.map { state.keymap.keys(for: $0.id).map(\.name).joined(separator: " ") }
        let keyColumns = min(12, keys.map(\.count).max() ?? 0)
        let isWide = rect.columns >= 60
        let titleColumns = isWide ? (commands.map { $0.title.count }.max() ?? 0) + 2 : 0
        let rows = help.list.window(height: rect.rows)
        canvas.draw(in: rect) { canvas in
            for row in rows {
                let line = row - rows.lowerBound
                if row == help.list.selected { select(line, on: &canvas) }
                canvas.text(keys[row], .key, column: 1, row: line, limit: keyColumns, ellipsis: true)
                var column = keyColumns + 3
                if isWide {
                    canvas.text(commands[row].title, .strong, column: column, row: line)
                    column += titleColumns
                }
                canvas.text(commands[row].help, .text, column: column, row: line, limit: rect.columns - column - 1, ellipsis: true)
            }
        }
        canvas.scrollbar(column: rect.endColumn, rows: rect.row..<rect.endRow, visible: rows, total: commands.count)
        guard let selected = help.list.selection else { return }
        let sentence = LineWrapping.lines(of: commands[selected].help, columns: rect.columns - 2)
        for (row, text) in sentence.prefix(OverlayLayout.helpSentenceRows - 1).enumerated() {
            canvas.text(text, .info, column: rect.column + 1, row: rect.endRow + 1 + row)
        }
    }

    private static func draw(_ chooser: Chooser, in rect: Rect, on canvas: inout Canvas) {
        let rows = chooser.list.window(height: rect.rows)
        let detailColumn = (chooser.items.map { DisplayWidth.of($0.title) }.max() ?? 0) + 4
        canvas.draw(in: rect) { canvas in
            for row in rows {
                let line = row - rows.lowerBound
                let item = chooser.items[row]
                if row == chooser.list.selected { select(line, on: &canvas) }
                canvas.text(item.title, .text, column: 2, row: line, ellipsis: true)
                canvas.text(
                    item.detail, .dim, column: detailColumn, row: line, limit: rect.columns - detailColumn - 1, ellipsis: true)
            }
        }
        canvas.scrollbar(column: rect.endColumn, rows: rect.row..<rect.endRow, visible: rows, total: chooser.items.count)
    }

    private static func draw(_ comparison: Comparison, in rect: Rect, on canvas: inout Canvas) {
        let rows = comparison.visible
        canvas.draw(in: rect.inset(columns: 1)) { canvas in
            for row in rows { canvas.line(comparison.lines[row], row: row - rows.lowerBound, ellipsis: true) }
        }
        canvas.scrollbar(column: rect.endColumn, rows: rect.row..<rect.endRow, visible: rows, total: comparison.lines.count)
    }

    private static func draw(_ dialog: Dialog, in area: Rect, on canvas: inout Canvas) {
        canvas.draw(in: area.inner.inset(columns: 1)) { canvas in
            let lines = OverlayLayout.wrapped(dialog, columns: canvas.bounds.columns)
            let room = canvas.bounds.rows - 2
            for (row, line) in lines.prefix(room).enumerated() { canvas.text(line, .text, column: 0, row: row) }
            var column = 0
            for (index, button) in dialog.buttons.enumerated() {
                let isSelected = index == dialog.selected
                let row = canvas.bounds.rows - 1
                let rect = Rect(column: column, row: row, columns: button.title.count + 4, rows: 1)
                if isSelected { canvas.fill(rect, .selection) }
                canvas.text("\(button.key)", .key, column: column + 1, row: row)
                canvas.text(button.title, isSelected ? .strong : .text, column: column + 3, row: row)
                column = rect.endColumn + 2
            }
        }
    }
}
