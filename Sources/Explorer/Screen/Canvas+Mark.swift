import TerminalUI

extension Canvas {
    /// Shows where a text stands in what is drawn in this window, in any case. Costs nothing while nothing is looked for.
    mutating func mark(_ text: String, _ role: ThemeRole = .searchMatch) {
        let wanted = Array(text.lowercased())
        guard !wanted.isEmpty else { return }
        for row in 0..<bounds.rows {
            // A double-width character is one of these, at its first column.
            let cells = (0..<bounds.columns).compactMap { column in
                cell(column: column, row: row).flatMap { $0.width > 0 ? (column: column, text: $0.character.lowercased()) : nil }
            }
            var index = 0
            while index + wanted.count <= cells.count {
                let found = cells[index..<index + wanted.count]
                guard zip(found, wanted).allSatisfy({ $0.text == String($1) }), let first = found.first, let last = found.last
                else {
                    index += 1
                    continue
                }
                let width = last.column - first.column + max(1, Int(cell(column: last.column, row: row)?.width ?? 1))
                restyle(Rect(column: first.column, row: row, columns: width, rows: 1), role)
                index += wanted.count
            }
        }
    }
}
