import NetworkLayer
import Presentation
import TerminalUI

/// Draws what is to be said while an operation waits to retry, above the body that came.
///
///     ↻ 503 Service Unavailable  attempt 2 of 4        only where no verdict says it
///     tries again because of status 503  Retry-After 4 s
///     ▐█████░░░░░░░▌ in 2.6 s  + now  - gives up
enum RetryNoteView {
    static func draw(_ note: RetryNote, of state: ExplorerState, on canvas: inout Canvas) {
        var row = 0
        if note.saysAnswer {
            var first = StyledLine("↻ ", .stateWaitingToRetry)
            first.spans += note.result.spans
            if note.saysAttempt { first.append("  attempt \(note.attempt)", .stateWaitingToRetry) }
            canvas.line(first, row: 0, ellipsis: true)
            row = 1
        }
        var rule = StyledLine("tries again because of \(note.rule)")
        if let asked = note.retryAfter { rule.append("  \(asked)", .warning) }
        canvas.line(rule, row: row, ellipsis: true)
        let left = max(.zero, note.due - state.now)
        let text = StyledLine([
            .init("in \(Countdown.text(left)) ", .strong), .init("of \(Figures.duration(note.delay))", .dim),
        ])
        let bar = min(40, canvas.bounds.columns - DisplayWidth.of(text.text) - 1)
        var column = 0
        if bar >= 6 {
            Gauge(fraction: note.fraction(at: state.now), role: .progress)
                .draw(on: &canvas, in: Rect(column: 0, row: row + 1, columns: bar, rows: 1))
            column = bar + 1
        }
        canvas.line(text, column: column, row: row + 1, ellipsis: true)
    }
}
