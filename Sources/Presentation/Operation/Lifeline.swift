import Base
import HTTPTypes
package import NetworkLayer
package import TerminalUI

/// The states an operation went through, each with the time it took; the one it is in stands in brackets.
///
///     prep 2 ms › start 1 ms › run 374 ms › [retry 1.8 s]
package enum Lifeline {
    private static let separator = " › "

    /// On as many lines as it needs, with the states that lie ahead when all goes well. With fewer `rows` than it needs, those
    /// ahead go first, then the oldest, behind `…`.
    ///
    /// - Parameters:
    ///   - now: where the state it is in ends for the moment.
    ///   - end: stands in place of the final state, when more is known of how it ended.
    package static func lines(
        _ metrics: OperationMetrics, now: MonotonicTime, width: Int, rows: Int, end: StyledLine.Span? = nil
    ) -> [StyledLine] {
        var steps = steps(metrics, now: now, end: end)
        guard !steps.isEmpty else { return [StyledLine()] }
        var ahead = ahead(of: metrics.state)
        var lines = packed(steps + ahead, width)
        while lines.count > max(1, rows), !ahead.isEmpty {
            ahead.removeLast()
            lines = packed(steps + ahead, width)
        }
        while lines.count > max(1, rows), steps.count > 1 {
            steps.removeFirst()
            lines = packed([StyledLine.Span("…", .dim)] + steps, width)
        }
        return lines.count > max(1, rows) ? packed(steps, width) : lines
    }

    /// How many lines it needs, the same for as long as it stays in the state it is in.
    package static func rowCount(_ metrics: OperationMetrics, width: Int, end: StyledLine.Span? = nil) -> Int {
        var steps = steps(metrics, now: .zero, end: end)
        if !metrics.state.isFinal, let live = steps.last { steps[steps.count - 1].text = live.text + "        " }
        return packed(steps + ahead(of: metrics.state), width).count
    }

    /// What comes next when nothing goes wrong.
    private static func ahead(of state: RequestOperation.State) -> [StyledLine.Span] {
        let names =
            switch state {
            case .idle, .waiting, .waitingToRetry: ["prep", "start", "run", "done"]
            case .preparing: ["start", "run", "done"]
            case .starting: ["run", "done"]
            case .running: ["done"]
            case .cancelled, .failed, .succeeded: [] as [String]
            }
        return names.map { StyledLine.Span($0, .placeholder) }
    }

    /// Steps are never broken; a line that goes on begins with the sign that stands between two.
    private static func packed(_ steps: [StyledLine.Span], _ width: Int) -> [StyledLine] {
        var lines: [StyledLine] = []
        var line = StyledLine()
        var used = 0
        for step in steps {
            if used > 0, used + separator.count + step.text.count > width {
                lines.append(line)
                line = StyledLine("› ", .dim)
                used = 2
            } else if used > 0 {
                line.append(separator, .dim)
                used += separator.count
            }
            line.spans.append(step)
            used += step.text.count
        }
        return lines + [line]
    }

    /// The states in order, with one span for each.
    package static func steps(_ metrics: OperationMetrics, now: MonotonicTime, end: StyledLine.Span? = nil) -> [StyledLine.Span] {
        var steps: [StyledLine.Span] = []
        if let enqueued = metrics.enqueued {
            let end = metrics.states.first?.time
            let idle = (end ?? now) - enqueued
            if end == nil {
                steps.append(step(.idle, idle, isLive: true))
            } else if idle >= .milliseconds(1) {
                steps.append(step(.idle, idle, isLive: false))
            }
        }
        for (index, entry) in metrics.states.enumerated() {
            if entry.state.isFinal {
                steps.append(end ?? StyledLine.Span(StateText.short(entry.state), StateText.role(entry.state)))
                continue
            }
            let next = index + 1 < metrics.states.count ? metrics.states[index + 1].time : nil
            steps.append(step(entry.state, (next ?? now) - entry.time, isLive: next == nil))
        }
        return steps
    }

    private static func step(_ state: RequestOperation.State, _ duration: Duration, isLive: Bool) -> StyledLine.Span {
        let text = "\(StateText.short(state)) \(Figures.duration(max(.zero, duration)))"
        return StyledLine.Span(isLive ? "[\(text)]" : text, StateText.role(state))
    }
}

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
