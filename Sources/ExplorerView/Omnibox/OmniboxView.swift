import ExplorerModel
import Presentation
import TerminalUI

/// Draws the omnibox: what is typed, what that finds, and which key does the same.
enum OmniboxView {
    static func draw(_ omnibox: Omnibox, of state: ExplorerState, in area: Rect, list: Rect, on canvas: inout Canvas) {
        drawField(omnibox, in: area.inner.line(0).inset(columns: 1), on: &canvas)
        drawRows(omnibox, of: state, in: list, on: &canvas)
        guard list.endRow < area.inner.endRow else { return }
        canvas.draw(in: area.inner.line(area.inner.rows - 1).inset(columns: 1)) { canvas in
            if let complaint = omnibox.complaint {
                canvas.text(complaint, .warning, column: 0, row: 0, ellipsis: true)
            } else {
                canvas.line(hints(omnibox, of: state), row: 0, ellipsis: true)
            }
        }
    }

    private static func drawField(_ omnibox: Omnibox, in field: Rect, on canvas: inout Canvas) {
        canvas.draw(in: field) { canvas in
            var column = 0
            if let kind = omnibox.kind {
                column = canvas.text("\(kind.rawValue) ", .accent, column: 0, row: 0)
            }
            column = canvas.text("› ", .key, column: column, row: 0)
            let count = Figures.count(omnibox.count)
            let text = omnibox.typed == nil ? "\(count) of \(Figures.count(omnibox.total))" : "a request"
            let width = DisplayWidth.of(text) + 2
            canvas.text(text, .dim, endColumn: canvas.bounds.columns, row: 0)
            omnibox.line.draw(
                on: &canvas, in: Rect(column: column, row: 0, columns: max(4, canvas.bounds.columns - column - width), rows: 1),
                isFocused: true, placeholder: "a request, a command, a URL …")
        }
    }

    private static func drawRows(_ omnibox: Omnibox, of state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        let rows = omnibox.list.window(height: rect.rows)
        let texts = rows.compactMap { row in omnibox.row(row).map { state.text(of: $0) } }
        let isWide = rect.columns >= 56
        let kinds = isWide ? (texts.map { $0.kind.count }.max() ?? 0) + 2 : 0
        let titles = min(texts.map { DisplayWidth.of($0.title) }.max() ?? 0, max(16, rect.columns * 2 / 5))
        canvas.draw(in: rect) { canvas in
            if texts.isEmpty { canvas.text("nothing is called that", .dim, column: 2, row: 0) }
            for (line, text) in texts.enumerated() {
                if line + rows.lowerBound == omnibox.list.selected { OverlayView.select(line, on: &canvas) }
                if isWide { canvas.text(text.kind, .dim, column: 2, row: line) }
                let start = 2 + kinds
                let end = drawEnd(text, of: state, row: line, isWide: isWide, on: &canvas)
                let limit = max(1, min(isWide ? titles : .max, end - start - 1))
                canvas.text(text.title, .strong, column: start, row: line, limit: limit, ellipsis: true)
                mark(omnibox.text, in: text.title, column: start, limit: limit, row: line, on: &canvas)
                let detail = start + titles + 2
                guard isWide, end - detail > 8 else { continue }
                canvas.text(text.detail, .dim, column: detail, row: line, limit: end - detail - 1, ellipsis: true)
            }
        }
        canvas.scrollbar(column: rect.endColumn, rows: rect.row..<rect.endRow, visible: rows, total: omnibox.count)
    }

    /// What became of the last run, and the keys that do the same.
    ///
    /// - Returns: the column that it begins in.
    private static func drawEnd(
        _ text: OmniboxText, of state: ExplorerState, row: Int, isWide: Bool, on canvas: inout Canvas
    ) -> Int {
        var end = canvas.bounds.columns - 1
        if !text.keys.isEmpty {
            let keys = isWide ? text.keys : text.keys.split(separator: " ").first.map(String.init) ?? ""
            canvas.text(keys, .key, endColumn: end, row: row)
            end -= DisplayWidth.of(keys) + 1
        }
        guard isWide, let entry = text.run.flatMap({ state.operations[$0] }), let verdict = entry.verdict else { return end }
        let span = VerdictText.short(verdict, status: entry.status)
        canvas.text(span.text, span.role, endColumn: end, row: row)
        return end - DisplayWidth.of(span.text) - 1
    }

    private static func mark(_ text: String, in title: String, column: Int, limit: Int, row: Int, on canvas: inout Canvas) {
        guard let match = FuzzyMatch(text, in: title) else { return }
        for position in match.positions where position < limit {
            canvas.restyle(Rect(column: column + position, row: row, columns: 1, rows: 1), .searchMatch)
        }
    }

    private static func hints(_ omnibox: Omnibox, of state: ExplorerState) -> StyledLine {
        var line = StyledLine()
        func add(_ key: String, _ word: String) {
            if !line.spans.isEmpty { line.append("   ", .keyHelp) }
            line.append(key, .key)
            line.append(" " + word, .keyHelp)
        }
        if omnibox.typed != nil {
            add("Enter", "send")
            add("Tab", "keep it in the collection")
        } else {
            var isRequest = false
            if case .target(.request)? = omnibox.selected { isRequest = true }
            add("Enter", "open")
            if isRequest, let key = state.keymap.keys(for: .send).first(where: { $0.name.count > 1 }) {
                add(key.name, "send")
                add("→", "in the tree")
            }
            add("Tab", omnibox.kind == nil ? "only this kind" : "everything")
        }
        add("Esc", "back")
        return line
    }
}
