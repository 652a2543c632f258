package import NetworkLayer
package import TerminalUI

/// What an operation went through, on one axis of time in one row: its phases attempt by attempt, and between them the queue, its
/// preparation, and the waits for a retry. What isn't over grows.
///
///     ┃dns┃tcp━━┃wait 310 ms ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┃recv━━
package enum PhaseStrip {
    private struct Part {
        var label: String
        var role: ThemeRole
        var start: MonotonicTime
        var end: MonotonicTime
        var isOpen: Bool
    }

    /// Exactly `width` columns; empty before anything has happened. Each part has a column at least, unless the next one begins there.
    package static func line(_ metrics: OperationMetrics, now: MonotonicTime, width: Int) -> StyledLine {
        let parts = parts(metrics, now: now)
        guard let first = parts.first, width > 0 else { return StyledLine() }
        let end = parts.reduce(first.end) { max($0, $1.end) }
        let whole = max(1, Double((end - first.start).wholeNanoseconds))
        func column(_ time: MonotonicTime) -> Int {
            Int((Double((time - first.start).wholeNanoseconds) / whole * Double(width)).rounded())
        }
        var cells = [(character: Character, role: ThemeRole)](repeating: (" ", .text), count: width)
        for part in parts {
            let start = min(width - 1, max(0, column(part.start)))
            let columns = max(1, column(part.end) - start)
            let duration = Figures.duration(max(.zero, part.end - part.start))
            let words = ["┃\(part.label) \(duration) ", "┃\(part.label)", "┃"].first { $0.count <= columns } ?? "┃"
            let fill = String(repeating: part.isOpen ? "╌" : "━", count: columns - words.count)
            for (offset, character) in (words + fill).enumerated() where start + offset < width {
                cells[start + offset] = (character, part.role)
            }
        }
        var line = StyledLine()
        for cell in cells { line.join(String(cell.character), cell.role) }
        return line
    }

    private static func parts(_ metrics: OperationMetrics, now: MonotonicTime) -> [Part] {
        var parts: [Part] = []
        let entries: [(state: RequestOperation.State, time: MonotonicTime)] =
            (metrics.enqueued.map { [(.idle, $0)] } ?? []) + metrics.states.map { ($0.state, $0.time) }
        for (index, entry) in entries.enumerated() {
            guard let label = label(entry.state) else { continue }
            let next = index + 1 < entries.count ? entries[index + 1].time : nil
            let end = max(entry.time, next ?? now)
            guard next == nil || end > entry.time else { continue }
            parts.append(Part(label: label, role: StateText.role(entry.state), start: entry.time, end: end, isOpen: next == nil))
        }
        for attempt in metrics.attempts {
            parts += PhaseText.parts(attempt, now: now).map {
                Part(
                    label: PhaseText.label($0.name, of: attempt), role: PhaseText.role($0.name), start: $0.start, end: $0.end,
                    isOpen: $0.isOpen)
            }
        }
        return parts.sorted { $0.start < $1.start }
    }

    /// `nil`: the attempts tell of it.
    private static func label(_ state: RequestOperation.State) -> String? {
        switch state {
        case .idle, .waiting: "queue"
        case .preparing: "prepare"
        case .waitingToRetry: "retry"
        case .starting, .running, .succeeded, .failed, .cancelled: nil
        }
    }

    /// What it does now, in the words of the strip, and since when.
    package static func current(_ metrics: OperationMetrics) -> (word: String, since: MonotonicTime?) {
        if metrics.state == .starting || metrics.state == .running, let attempt = metrics.attempts.last, attempt.end == nil,
            let phase = attempt.openPhase
        {
            return (PhaseText.label(phase.name, of: attempt), phase.start)
        }
        // A transfer that has told nothing yet waits for a connection.
        let word = metrics.state.isFinal ? StateText.short(metrics.state) : label(metrics.state) ?? PhaseText.label(.queue)
        return (word, metrics.states.last?.time ?? metrics.enqueued)
    }
}
