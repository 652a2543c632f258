package import NetworkLayer
package import TerminalUI

/// The attempts of an operation as a table, times in milliseconds.
///
///     #  kind      dns   tcp   tls  send   wait  recv  total ms  result   conn
///     1  initial     8    21    34  1.00  310.0     -     374.0  reset    c7 new
///     2  retry       -     -     -  0.02   88.0     2      90.1  200      c7 reused
package enum AttemptTable {
    package static let header = ["#", "kind", "dns", "tcp", "tls", "send", "wait", "recv", "total ms", "result", "conn"]
    private static let phases: [Phases.Name] = [.dns, .connect, .tls, .send, .wait, .receive]

    /// A row for each attempt, of one cell for each of `header`. In a column all times have as many decimals.
    package static func cells(_ attempts: [AttemptMetrics], now: MonotonicTime) -> [[StyledLine.Span]] {
        var rows = attempts.map { attempt in
            [
                StyledLine.Span("\(attempt.number)", .strong),
                StyledLine.Span(attempt.kind.rawValue, attempt.kind == .retry ? .stateWaitingToRetry : .text),
            ]
        }
        for phase in phases {
            let parts = attempts.map { PhaseText.part(phase, of: $0, now: now) }
            for (row, text) in Figures.milliseconds(parts.map { $0?.duration }).enumerated() {
                let role: ThemeRole = parts[row].map { $0.isOpen ? .stateRunning : PhaseText.role(phase) } ?? .dim
                rows[row].append(StyledLine.Span(parts[row] == nil && mayCome(phase, attempts[row], now: now) ? "." : text, role))
            }
        }
        for (row, text) in Figures.milliseconds(attempts.map { ($0.end ?? now) - $0.start }).enumerated() {
            rows[row].append(StyledLine.Span(text, attempts[row].end == nil ? .stateRunning : .text))
        }
        for (row, attempt) in attempts.enumerated() {
            rows[row].append(StatusText.result(attempt) ?? StyledLine.Span("…", .stateRunning))
            let connection = attempt.connection.map { "c\($0.id) \($0.isReused ? "reused" : "new")" }
            rows[row].append(StyledLine.Span(connection ?? "-", connection == nil ? .dim : .text))
        }
        return rows
    }

    /// Whether an attempt is before this phase, and not past it.
    private static func mayCome(_ phase: Phases.Name, _ attempt: AttemptMetrics, now: MonotonicTime) -> Bool {
        guard attempt.end == nil, let index = phases.firstIndex(of: phase) else { return false }
        return !phases[index...].contains { PhaseText.part($0, of: attempt, now: now) != nil }
    }
}
