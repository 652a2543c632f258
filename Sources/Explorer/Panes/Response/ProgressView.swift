import NetworkLayer
import Presentation
import TerminalUI

/// Draws how far an operation is, while there is nothing of its answer to be read: what it does, its bars, how fast it goes, what
/// its timeouts leave it, and where the time went.
enum ProgressView {
    /// - Parameter showsTiming: the waterfall isn't on the screen already.
    static func draw(_ entry: OperationEntry, now: MonotonicTime, showsTiming: Bool, on canvas: inout Canvas) {
        let size = canvas.bounds.size
        var row = 0
        if entry.state != .waitingToRetry {
            ActivityView.draw(.phase, of: entry, now: now, row: row, on: &canvas)
            row += 1
        }
        if let attempt = entry.metrics.attempts.last, attempt.end == nil {
            row = draw(attempt, of: entry, now: now, row: row, on: &canvas)
        }
        let board = TimeoutBoard(entry.metrics, now: now)
        if !board.gauges.isEmpty { row += 1 }
        for gauge in board.gauges where row < size.rows {
            TimeoutGaugeView.draw(gauge, of: board, row: row, on: &canvas)
            row += 1
        }
        guard showsTiming, !entry.metrics.attempts.isEmpty else { return }
        row += 1
        for line in Waterfall(entry.metrics, now: now).lines(width: size.columns).prefix(max(0, size.rows - row)) {
            canvas.line(line, row: row, ellipsis: true)
            row += 1
        }
    }

    /// What goes out and what comes in, each with a bar; the last of them with a chart.
    private static func draw(
        _ attempt: AttemptMetrics, of entry: OperationEntry, now: MonotonicTime, row: Int, on canvas: inout Canvas
    ) -> Int {
        var row = row
        var chart: TransferRate.Direction?
        if attempt.upload.bytes > 0 || (attempt.upload.expected ?? 0) > 0 {
            ActivityView.draw(.upload, of: entry, now: now, row: row, on: &canvas)
            chart = .upload
            row += 1
        }
        if attempt.head != nil {
            ActivityView.draw(.download, of: entry, now: now, row: row, on: &canvas)
            chart = .download
            row += 1
        }
        guard let chart, canvas.bounds.rows - row >= 6,
            let throughput = Throughput(chart, in: entry.events, at: now, count: canvas.bounds.columns), throughput.peak > 0
        else { return row }
        let rows = canvas.bounds.rows - row >= 14 ? 4 : 2
        canvas.draw(in: Rect(column: 0, row: row + 1, columns: canvas.bounds.columns, rows: rows)) {
            ThroughputView.draw(throughput, on: &$0)
        }
        canvas.text(
            "at most \(Figures.bytes(Int64(throughput.peak)))/s", .dim, column: 0, row: row + 1 + rows, ellipsis: true)
        return row + 2 + rows
    }
}
