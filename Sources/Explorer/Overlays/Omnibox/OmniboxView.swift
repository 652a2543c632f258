import Presentation
import TerminalUI

/// Draws the omnibox: what is typed, what that finds, and which key does the same.
extension Omnibox: DrawnOverlay {
    func draw(of state: ExplorerState, in layout: OverlayLayout, on canvas: inout Canvas) {
        canvas.draw(in: layout.area.inner.line(0).inset(columns: 1)) { canvas in
            canvas.line(prompt, row: 0)
            canvas.text(tally, .dim, endColumn: canvas.bounds.columns, row: 0)
        }
        if let field = layout.typedField {
            line.draw(on: &canvas, in: field, isFocused: true, placeholder: "a request, a command, a URL …")
        }
        drawRows(of: state, in: layout.list, on: &canvas)
        if let complaint { Self.draw(complaint, below: min(count, 2), in: layout.list, on: &canvas) }
    }

    /// In the last rows of the list, since the keys have the one below it. What is typed may be a request, which has the first ones.
    private static func draw(_ complaint: String, below rows: Int, in list: Rect, on canvas: inout Canvas) {
        let lines = LineWrapping.lines(of: complaint, columns: list.columns - 2)
        let area = list.splitBottom(min(lines.count, list.rows - rows)).bottom
        canvas.fill(area, .overlay)
        for (row, line) in lines.prefix(area.rows).enumerated() {
            canvas.text(line, .warning, column: area.column + 1, row: area.row + row)
        }
    }

    private func drawRows(of state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        let texts = list.window(height: rect.rows).compactMap { self.row($0).map { state.text(of: $0) } }
        let isWide = rect.columns >= 56
        let kinds = isWide ? (texts.map { $0.kind.count }.max() ?? 0) + 2 : 0
        let titles = min(texts.map { DisplayWidth.of($0.title) }.max() ?? 0, max(16, rect.columns * 2 / 5))
        if texts.isEmpty { canvas.text("nothing is called that", .dim, column: rect.column + 2, row: rect.row) }
        canvas.list(list, in: rect) { canvas, _, row in
            guard texts.indices.contains(row) else { return }
            let text = texts[row]
            if isWide { canvas.text(text.kind, .dim, column: 2, row: row) }
            let start = 2 + kinds
            let end = Self.drawEnd(text, of: state, row: row, isWide: isWide, on: &canvas)
            let limit = max(1, min(isWide ? titles : .max, end - start - 1))
            canvas.text(text.title, .strong, column: start, row: row, limit: limit, ellipsis: true)
            Self.mark(self.text, in: text.title, column: start, limit: limit, row: row, on: &canvas)
            let detail = start + titles + 2
            guard isWide, end - detail > 8 else { return }
            canvas.text(text.detail, .dim, column: detail, row: row, limit: end - detail - 1, ellipsis: true)
        }
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
        let title = Array(title)
        for position in match.positions {
            let start = DisplayWidth.of(String(title[..<position]))
            let end = min(limit, start + DisplayWidth.of(String(title[position])))
            canvas.restyle(Rect(column: column + start, row: row, columns: end - start, rows: 1), .searchMatch)
        }
    }
}
