package import NetworkLayer
package import TerminalUI

/// The states an operation went through, each with the time it took; the one it is in stands in brackets.
///
///     prep 2 ms › start 1 ms › run 374 ms › [retry 1.8 s]
package enum Lifeline {
    private static let separator = " › "

    /// - Parameters:
    ///   - now: where the state it is in ends for the moment.
    ///   - width: what doesn't fit is left out at the beginning, behind `…`. `nil`: all of it.
    package static func line(_ metrics: OperationMetrics, now: MonotonicTime, width: Int? = nil) -> StyledLine {
        var steps = steps(metrics, now: now)
        guard let width else { return joined(steps) }
        var isCut = false
        while steps.count > 1, length(steps) + (isCut ? separator.count + 1 : 0) > width {
            steps.removeFirst()
            isCut = true
        }
        return joined(isCut ? [StyledLine.Span("…", .dim)] + steps : steps)
    }

    /// One span a state, in order.
    package static func steps(_ metrics: OperationMetrics, now: MonotonicTime) -> [StyledLine.Span] {
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
                steps.append(StyledLine.Span(StateText.short(entry.state), StateText.role(entry.state)))
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

    private static func joined(_ steps: [StyledLine.Span]) -> StyledLine {
        var line = StyledLine()
        for step in steps {
            if !line.spans.isEmpty { line.append(separator, .dim) }
            line.spans.append(step)
        }
        return line
    }

    private static func length(_ steps: [StyledLine.Span]) -> Int {
        steps.reduce(0) { $0 + $1.text.count } + max(0, steps.count - 1) * separator.count
    }
}
