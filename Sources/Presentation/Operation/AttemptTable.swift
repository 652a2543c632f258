package import NetworkLayer
package import TerminalUI

/// The attempts of an operation as a table, times in milliseconds.
///
///     #  kind      dns   tcp   tls  send  wait  recv  total  result   conn
///     1  initial     8    21    34     1   310     -    374  reset    c7 new
///     2  retry       -     -     -  0.02    88     2   90.1  200      c7 reused
package enum AttemptTable {
    package static let header = ["#", "kind", "dns", "tcp", "tls", "send", "wait", "recv", "total", "result", "conn"]
    private static let phases: [Phases.Name] = [.dns, .connect, .tls, .send, .wait, .receive]

    /// One cell for each of `header`.
    package static func cells(_ attempt: AttemptMetrics, now: MonotonicTime) -> [StyledLine.Span] {
        var cells = [
            StyledLine.Span("\(attempt.number)", .strong),
            StyledLine.Span(attempt.kind.rawValue, attempt.kind == .retry ? .stateWaitingToRetry : .text),
        ]
        for phase in phases {
            let part = PhaseText.part(phase, of: attempt, now: now)
            let role: ThemeRole = part == nil ? .dim : part!.isOpen ? .stateRunning : PhaseText.role(phase)
            cells.append(StyledLine.Span(Figures.milliseconds(part?.duration), role))
        }
        let total = (attempt.end ?? now) - attempt.start
        cells.append(StyledLine.Span(Figures.milliseconds(total), attempt.end == nil ? .stateRunning : .text))
        cells.append(StatusText.result(attempt) ?? StyledLine.Span("…", .stateRunning))
        let connection = attempt.connection.map { "c\($0.id) \($0.isReused ? "reused" : "new")" }
        cells.append(StyledLine.Span(connection ?? "-", connection == nil ? .dim : .text))
        return cells
    }

    /// The header and a line for each attempt, columns aligned.
    package static func lines(_ metrics: OperationMetrics, now: MonotonicTime) -> [StyledLine] {
        let rows = [header.map { StyledLine.Span($0, .dim) }] + metrics.attempts.map { cells($0, now: now) }
        let widths = header.indices.map { column in rows.map { $0[column].text.count }.max() ?? 0 }
        return rows.map { row in
            var line = StyledLine()
            for (column, cell) in row.enumerated() {
                if column > 0 { line.append("  ") }
                // Times stand at the right of their columns.
                let isTime = (2...8).contains(column)
                let isLast = column == row.count - 1
                let text =
                    isTime
                    ? Figures.right(cell.text, widths[column]) : isLast ? cell.text : Figures.left(cell.text, widths[column])
                line.append(text, cell.role)
            }
            return line
        }
    }
}
