import NetworkLayer
import Presentation
import TerminalUI

/// An operation in one line.
enum OperationSummary {
    /// While it runs: what it does and which timeout fires next. Then: how it ended.
    static func line(_ entry: OperationEntry, _ board: TimeoutBoard, now: MonotonicTime) -> StyledLine {
        guard !entry.state.isFinal else { return outcome(entry) }
        var line: StyledLine
        if entry.state == .waitingToRetry {
            line = ActivityView.phase(of: entry, now: now)
        } else if let attempt = entry.metrics.attempts.last, attempt.head != nil {
            line = StyledLine("↓ ", .progress)
            line.spans += ActivityView.figures(attempt.download, TransferRate(.download, in: entry.events, at: now)).spans
        } else if let attempt = entry.metrics.attempts.last, attempt.upload.bytes > 0 {
            line = StyledLine("↑ ", .progress)
            line.spans += ActivityView.figures(attempt.upload, TransferRate(.upload, in: entry.events, at: now)).spans
        } else {
            line = ActivityView.phase(of: entry, now: now)
        }
        if let next = board.gauges.first(where: { $0.name == board.next }) {
            line.append("  \(next.name.rawValue) \(Countdown.text(next.remaining))", next.fraction > 0.8 ? .warning : .dim)
        }
        return line
    }

    /// `✓ 200 OK  1.3 kB in 374 ms, 4 attempts`
    static func outcome(_ entry: OperationEntry) -> StyledLine {
        var line = StyledLine()
        let last = entry.metrics.attempts.last
        let verdict = entry.verdict
        if let verdict, entry.metrics.error == nil {
            line.append(verdict.sign + " ", VerdictText.role(verdict))
            if verdict == .checkFailed { line.append((entry.verdictWord ?? verdict.word) + "  ", VerdictText.role(verdict)) }
        }
        if let head = last?.head {
            var status = StatusText.span(head.status)
            if let verdict, verdict == .checkFailed { status.role = VerdictText.role(verdict) }
            line.spans.append(status)
        }
        if let error = entry.metrics.error {
            if !line.spans.isEmpty { line.append("  ") }
            line.spans += FailureText.sentence(error).spans
            return line
        }
        if last != nil { line.append("  \(Figures.bytes(entry.bodySize))", .text) }
        if let total = entry.metrics.total { line.append(" in \(Figures.duration(total))", .text) }
        if let report = entry.report, let tally = report.tallies.first {
            line.append("  " + tally, report.isPassed ? .success : .error)
        }
        if entry.metrics.attempts.count > 1 { line.append("  \(entry.metrics.attempts.count) attempts", .dim) }
        return line
    }
}
