import Base
import HTTPTypes
package import NetworkLayer
package import TerminalUI

/// The way that redirects led: a row for each response on it, the last one included.
package enum RedirectChain {
    package struct Row: Sendable, Hashable {
        /// Counts from 1.
        package var number: Int
        package var method: StyledLine.Span
        package var url: StyledLine
        /// Its status, or why there is none; `nil` while it runs.
        package var result: StyledLine.Span?
        package var duration: Duration
        package var isRunning: Bool
        /// Where it led, what changed on the way, and warnings; empty for the last row.
        package var notes: [StyledLine]
    }

    package static func rows(_ metrics: OperationMetrics, now: MonotonicTime) -> [Row] {
        metrics.attempts.enumerated().map { index, attempt in
            Row(
                number: index + 1, method: MethodText.span(attempt.request.method.rawValue),
                url: URLText.line(attempt.request.url.absoluteString), result: StatusText.result(attempt),
                duration: max(.zero, (attempt.end ?? now) - attempt.start), isRunning: attempt.end == nil,
                notes: attempt.redirect.map { notes($0, attempt) } ?? [])
        }
    }

    private static func notes(_ hop: RedirectHop, _ attempt: AttemptMetrics) -> [StyledLine] {
        var notes: [StyledLine] = []
        var target = StyledLine("→ ", .dim)
        target.spans += URLText.line(hop.location).spans
        notes.append(target)
        if let method = hop.newMethod {
            var line = StyledLine("method ", .dim)
            line.spans.append(MethodText.span(attempt.request.method.rawValue))
            line.append(" → ", .dim)
            line.spans.append(MethodText.span(method))
            notes.append(line)
        }
        if !hop.otherDroppedHeaders.isEmpty {
            var line = StyledLine("dropped ", .warning)
            line.append(hop.otherDroppedHeaders.map { SafeText.line($0) }.joined(separator: ", "), .headerName)
            notes.append(line)
        }
        for withheld in hop.withheld {
            var line = StyledLine("withheld ", .warning)
            line.append(SafeText.line(withheld.part), .headerName)
            if !withheld.secrets.isEmpty {
                line.append(
                    SafeText.line(
                        ": \(withheld.secrets.joined(separator: ", ")) is for \(withheld.origins.joined(separator: ", "))"),
                    .warning)
            }
            notes.append(line)
        }
        if hop.decision == .followed, !hop.withheld.isEmpty {
            notes.append(StyledLine("redirects.keep-auth: always would send it along", .dim))
        }
        if hop.isDowngrade {
            notes.append(StyledLine("from https to http: what follows can be read by anyone on the way", .warning))
        }
        switch hop.decision {
        case .followed: break
        case .refusedByPolicy: notes.append(StyledLine("not followed: the redirect policy of this request says so", .info))
        case .refusedByDelegate: notes.append(StyledLine("not followed: the program decided so", .info))
        case .failed:
            notes.append(StyledLine("not followed: \(SafeText.line(attempt.error?.message ?? "it can't be"))", .error))
        }
        return notes
    }

    /// Each row as a line of `width` columns, its notes indented below it.
    package static func lines(_ metrics: OperationMetrics, now: MonotonicTime, width: Int) -> [StyledLine] {
        rows(metrics, now: now).flatMap { row -> [StyledLine] in
            var left = StyledLine("\(row.number) ", .strong)
            left.spans.append(row.method)
            left.append(" ")
            left.spans += row.url.spans
            var right = StyledLine([row.result ?? StyledLine.Span("…", .stateRunning)])
            right.append(Figures.right(Figures.duration(row.duration), 10), row.isRunning ? .stateRunning : .text)
            var line = left.fitted(to: max(0, width - right.text.count - 1))
            line.append(" ")
            line.spans += right.spans
            return [line] + row.notes.map { StyledLine([.init("    ", .text)] + $0.spans) }
        }
    }
}
