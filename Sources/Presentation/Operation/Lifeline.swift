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
