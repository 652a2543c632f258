import Base
import NetworkLayer
import Presentation
import TerminalUI

/// Draws the history pane inside of its border, and its title into it.
enum HistoryPaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        let ids = state.shownHistoryRows
        let all = state.historyRows.count
        let isNarrowed = !state.panes.history.searchText.isEmpty
        var details = StyledLine()
        if isNarrowed { details.append("\(Figures.count(ids.count)) of ", .accent) }
        if all > 0 { details.append(count(all, hasMore: state.pastRuns.hasMore), .dim) }
        canvas.pane(.history, of: state, in: rect, details: details)
        guard let area = state.layout.content(of: .history) else { return }
        guard !ids.isEmpty else {
            let words = isNarrowed ? "No run that is known here matches." : "What ends is kept here."
            canvas.draw(in: area) { $0.calm([words]) }
            return
        }
        let list = state.panes.history.selection.list(of: ids, rows: area.rows)
        // What is shown has a mark. The place where keys would act is marked only once the pane has the focus.
        if state.screen.focus == .history { canvas.selection(list.selected - list.top, of: area, in: rect) }
        canvas.draw(in: area) { canvas in
            let rows = list.visible.compactMap { row -> (id: OperationID, cells: [StyledLine])? in
                let id = ids[row]
                if let run = state.pastRuns[id] { return (id, cells(run, area.columns)) }
                return state.operations[id].map { (id, cells($0, area.columns)) }
            }
            OperationRows.draw(
                rows, columns: columns, shown: state.operations.selected, marked: state.panes.history.marked, on: &canvas)
        }
    }

    private static let columns: [OperationRows.Column] = [
        .init(title: "date", rank: 2), .init(title: "request", rank: 0, minimum: 8, grows: true),
        .init(title: "result", rank: 0, minimum: 6), .init(title: "took", rank: 1, isRight: true),
        .init(title: "attempts", rank: 3, isRight: true),
    ]

    /// More are read when somebody looks for them.
    private static func count(_ count: Int, hasMore: Bool) -> String {
        hasMore ? "\(Figures.count(count))+ runs" : Figures.count(count, "run")
    }

    private static func result(_ entry: OperationEntry) -> StyledLine {
        guard let verdict = entry.verdict else { return OperationRows.result(entry) }
        return StyledLine([VerdictText.short(verdict, status: entry.status)])
    }

    /// `11-29 09:21:44`; where there is little room, without seconds.
    private static func date(_ date: Date?, _ columns: Int) -> StyledLine {
        StyledLine(date.map { String(Figures.date($0).dropFirst(5).prefix(columns < 50 ? 11 : 14)) } ?? "", .dim)
    }

    private static func cells(_ run: PastRun, _ columns: Int) -> [StyledLine] {
        [
            date(run.date, columns), title(run),
            StyledLine([VerdictText.short(run.verdict, status: run.status)]),
            StyledLine(run.duration.map(Figures.duration) ?? "", .dim),
            StyledLine(run.attempts == 1 ? "" : "×\(run.attempts)", .dim),
        ]
    }

    private static func title(_ run: PastRun) -> StyledLine {
        var title = StyledLine(SafeText.line(run.title), .dim)
        if let note = run.note { title.append("  " + SafeText.line(note), .unsaved) }
        return title
    }

    private static func title(_ entry: OperationEntry) -> StyledLine {
        var title = StyledLine(entry.title)
        if let whatIf = entry.sent.whatIf { title.append("  what if: \(SafeText.line(whatIf.words))", .unsaved) }
        return title
    }

    private static func cells(_ entry: OperationEntry, _ columns: Int) -> [StyledLine] {
        let metrics = entry.metrics
        return [
            date(metrics.enqueuedDate, columns), title(entry), result(entry),
            StyledLine(metrics.total.map(Figures.duration) ?? "", .dim),
            StyledLine(metrics.attempts.count == 1 ? "" : "×\(metrics.attempts.count)", .dim),
        ]
    }
}

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
