import ExplorerModel
import FoundationEssentials
import HTTPTypes
import NetworkLayer
import Presentation
import TerminalUI

/// One row per attempt: its phases, what came of it, and over which connection; as many columns as there is room for.
struct AttemptTableView {
    let layout: TableLayout
    private let cells: [Int: [StyledLine]]

    /// - Parameter shown: the indices of the attempts that are drawn; only they are laid out.
    init(_ metrics: OperationMetrics, shown: [Int], now: MonotonicTime, width: Int) {
        var cells: [Int: [StyledLine]] = [:]
        for index in shown { cells[index] = Self.cells(metrics.attempts[index], now: now) }
        let columns = Column.all.enumerated().map { index, column in
            let natural = cells.values.reduce(DisplayWidth.of(column.title)) { max($0, DisplayWidth.of($1[index].text)) }
            return TableLayout.Column(
                column.title, natural: natural, minimum: min(natural, column.minimum ?? natural),
                alignment: column.isTime ? .right : .left, rank: column.rank, grows: column.grows)
        }
        layout = TableLayout(columns, width: width, spacing: 1)
        self.cells = cells
    }

    func draw(_ index: Int, row: Int, on canvas: inout Canvas) {
        guard let cells = cells[index] else { return }
        canvas.tableRow(cells, layout: layout, row: row)
    }

    private static func cells(_ attempt: AttemptMetrics, now: MonotonicTime) -> [StyledLine] {
        var cells = AttemptTable.cells(attempt, now: now).map { StyledLine([$0]) }
        var request = StyledLine([MethodText.span(attempt.request.method.rawValue)])
        request.append(" ")
        request.spans += URLText.line(attempt.request.url.absoluteString).spans
        cells.insert(request, at: Column.request)
        return cells + [notes(attempt)]
    }

    /// What the next hop left out, and what happened beside the plan.
    private static func notes(_ attempt: AttemptMetrics) -> StyledLine {
        var notes: [String] = []
        if let hop = attempt.redirect {
            if let method = hop.newMethod { notes.append("→ \(SafeText.line(method))") }
            if !hop.droppedHeaders.isEmpty {
                notes.append("dropped \(hop.droppedHeaders.map { SafeText.line($0) }.joined(separator: ", "))")
            }
            if hop.isDowngrade { notes.append("to http") }
        }
        if attempt.resends > 0 { notes.append("sent again") }
        return StyledLine(notes.joined(separator: ", "), .warning)
    }

    /// The columns of `AttemptTable`, the request between its kind and its times, and notes at the end.
    private struct Column {
        static let request = 2
        static let all: [Column] = {
            var columns = AttemptTable.header.map(Column.init)
            columns.insert(Column("request"), at: request)
            columns.append(Column(""))
            return columns
        }()

        let title: String

        init(_ title: String) {
            self.title = title
        }

        var isTime: Bool { ["dns", "tcp", "tls", "send", "wait", "recv", "total"].contains(title) }
        var grows: Bool { title == "request" }
        /// `nil`: all of it or nothing.
        var minimum: Int? { title == "request" ? 12 : title.isEmpty ? 10 : nil }

        /// What goes first when there is no room has the highest.
        var rank: Int {
            ["conn", "wait", "recv", "tls", "tcp", "kind", "", "dns", "send", "request"].firstIndex(of: title).map { $0 + 1 } ?? 0
        }
    }
}
