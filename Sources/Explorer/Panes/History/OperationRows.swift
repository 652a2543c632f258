import NetworkLayer
import Presentation
import TerminalUI

/// A list of operations, one a row, as many columns as there is room for.
enum OperationRows {
    struct Column {
        var title: String
        /// The part that is dropped first when there is no room has the highest number.
        var rank: Int
        /// `nil` when it is shown whole or not at all.
        var minimum: Int?
        var grows = false
        var isRight = false

        init(title: String, rank: Int, minimum: Int? = nil, grows: Bool = false, isRight: Bool = false) {
            self.title = title
            self.rank = rank
            self.minimum = minimum
            self.grows = grows
            self.isRight = isRight
        }
    }

    /// - Parameters:
    ///   - shown: the operation that the other panes show has a sign.
    ///   - marked: the one that is to be compared has another.
    static func draw(
        _ entries: [(id: OperationID, cells: [StyledLine])], columns: [Column], shown: OperationID?, marked: OperationID? = nil,
        on canvas: inout Canvas
    ) {
        let rows = entries.map(\.cells)
        let layout = TableLayout(
            columns.enumerated().map { index, column in
                let natural = rows.reduce(0) { max($0, DisplayWidth.of($1[index].text)) }
                return TableLayout.Column(
                    natural: natural, minimum: min(natural, column.minimum ?? natural), alignment: column.isRight ? .right : .left,
                    rank: column.rank, grows: column.grows)
            }, width: max(0, canvas.bounds.columns - 2), spacing: 1)
        for (row, (id, cells)) in entries.enumerated() {
            let line = canvas.bounds.line(row)
            if id == marked {
                canvas.text("c", .key, column: 0, row: row)
            } else if id == shown {
                canvas.text("▸", .accent, column: 0, row: row)
            }
            canvas.draw(in: Rect(column: 2, row: row, columns: line.columns - 2, rows: 1)) { canvas in
                canvas.tableRow(cells, layout: layout, row: 0)
            }
        }
    }

    /// What it came to: the status, or why there is none.
    static func result(_ entry: OperationEntry) -> StyledLine {
        if entry.state == .cancelled { return StyledLine([StateText.span(.cancelled)]) }
        if let attempt = entry.metrics.attempts.last, let result = StatusText.result(attempt) { return StyledLine([result]) }
        return StyledLine([StateText.span(entry.state)])
    }
}
