import Base
import HTTPTypes
package import NetworkLayer
package import TerminalUI

/// The phases of all attempts and hops of an operation, one row each, on one axis of time.
///
///     1 GET http://localhost:8080/redirect/1          302   3.1 ms
///       tcp   █▌                                            0.4 ms
///       send   ▏                                           21 µs
///       wait   ▐████████▎                                   2.5 ms
///         db       ▐███                                     1 ms
///       retry                ▐██████▎                        1 ms
///     2 GET http://localhost:8080/                    200   …
///
/// A phase that isn't over ends at `now`, and its bar is open.
package struct Waterfall: Sendable, Hashable {
    package var rows: [Row]

    package struct Row: Sendable, Hashable {
        package var kind: Kind
        /// The number of its attempt.
        package var attempt: Int
        /// `wait`; for an attempt its method and URL.
        package var label: StyledLine
        /// In 1/1 of the axis; `nil` for rows without a bar.
        package var span: ClosedRange<Double>?
        package var role: ThemeRole
        package var duration: Duration?
        package var isOpen: Bool
        /// The result of an attempt.
        package var result: StyledLine.Span?

        package enum Kind: Sendable, Hashable {
            /// The axis: from 0 to the row's duration.
            case scale
            case attempt, phase(Phases.Name), serverTiming, note
            /// Between two attempts: what the operation waited in. Most of the time of one that is retried goes there.
            case wait(RequestOperation.State)
        }
    }

    /// - Parameter now: where what isn't over ends for the moment.
    package init(_ metrics: OperationMetrics, now: MonotonicTime) {
        rows = []
        guard let start = metrics.attempts.first?.start else { return }
        let waits = Self.waits(metrics, now: now)
        let last = metrics.attempts.reduce(max(start, waits.last?.end ?? start)) { latest, attempt in
            PhaseText.parts(attempt, now: now).reduce(max(latest, attempt.end ?? now)) { max($0, $1.end) }
        }
        let whole = max(1, Double((last - start).wholeNanoseconds))
        rows.append(
            Row(
                kind: .scale, attempt: 0, label: StyledLine(), span: 0...1, role: .dim, duration: last - start,
                isOpen: metrics.attempts.last?.end == nil, result: nil))
        func place(_ time: MonotonicTime) -> Double { min(1, max(0, Double((time - start).wholeNanoseconds) / whole)) }

        for (index, attempt) in metrics.attempts.enumerated() {
            rows.append(Self.attemptRow(attempt, now: now))
            if let connection = attempt.connection, connection.isReused {
                rows.append(Self.note("connection \(connection.id) reused", attempt))
            }
            for part in PhaseText.parts(attempt, now: now) {
                rows.append(
                    Row(
                        kind: .phase(part.name), attempt: attempt.number,
                        label: StyledLine(PhaseText.label(part.name, of: attempt), PhaseText.role(part.name)),
                        span: place(part.start)...max(place(part.start), place(part.end)), role: PhaseText.role(part.name),
                        duration: part.duration, isOpen: part.isOpen, result: nil))
                guard part.name == .wait else { continue }
                for metric in ServerTiming.metrics(attempt.head) {
                    let end = metric.duration.map { min(part.start + $0, max(part.end, part.start)) }
                    rows.append(
                        Row(
                            kind: .serverTiming, attempt: attempt.number, label: StyledLine(metric.label, .dim),
                            span: end.map { place(part.start)...max(place(part.start), place($0)) }, role: .dim,
                            duration: metric.duration, isOpen: false, result: nil))
                }
            }
            if let error = attempt.error { rows.append(Self.note(SafeText.line(error.message), attempt, .error)) }
            let next = index + 1 < metrics.attempts.count ? metrics.attempts[index + 1].start : nil
            for wait in waits where wait.start >= attempt.start && next.map({ wait.start < $0 }) ?? true {
                rows.append(
                    Row(
                        kind: .wait(wait.state), attempt: attempt.number,
                        label: StyledLine(StateText.short(wait.state), StateText.role(wait.state)),
                        span: place(wait.start)...max(place(wait.start), place(wait.end)), role: StateText.role(wait.state),
                        duration: wait.end - wait.start, isOpen: wait.isOpen, result: nil))
            }
        }
    }

    private struct Wait {
        var state: RequestOperation.State
        var start: MonotonicTime
        var end: MonotonicTime
        var isOpen: Bool
    }

    /// The states without an attempt that were entered after the first one began.
    private static func waits(_ metrics: OperationMetrics, now: MonotonicTime) -> [Wait] {
        guard let first = metrics.attempts.first?.start else { return [] }
        let ends = metrics.states.dropFirst().map { Optional($0.time) } + [metrics.completed]
        return zip(metrics.states, ends).compactMap { entry, end in
            switch entry.state {
            case .waiting, .waitingToRetry:
                guard entry.time >= first else { return nil }
                return Wait(state: entry.state, start: entry.time, end: max(entry.time, end ?? now), isOpen: end == nil)
            case .idle, .preparing, .starting, .running, .succeeded, .failed, .cancelled: return nil
            }
        }
    }

    private static func attemptRow(_ attempt: AttemptMetrics, now: MonotonicTime) -> Row {
        var label = StyledLine("\(attempt.number) ", .strong)
        label.spans.append(MethodText.span(attempt.request.method.rawValue))
        label.append(" ")
        label.spans += URLText.line(attempt.request.url.absoluteString).spans
        return Row(
            kind: .attempt, attempt: attempt.number, label: label, span: nil, role: .text,
            duration: (attempt.end ?? now) - attempt.start, isOpen: attempt.end == nil, result: StatusText.result(attempt))
    }

    private static func note(_ text: String, _ attempt: AttemptMetrics, _ role: ThemeRole = .dim) -> Row {
        Row(
            kind: .note, attempt: attempt.number, label: StyledLine(text, role), span: nil, role: role, duration: nil,
            isOpen: false,
            result: nil)
    }

    private static let labelWidth = 12
    private static let durationWidth = 10

    /// The rows as lines of exactly `width` columns, at least 32.
    package func lines(width: Int, ascii: Bool = false) -> [StyledLine] {
        let width = max(32, width)
        return rows.map { row in
            switch row.kind {
            case .scale: Self.scaleLine(row, width)
            case .attempt: Self.attemptLine(row, width)
            case .note: StyledLine([.init("  ", .text)] + row.label.spans).fitted(to: width)
            case .phase, .serverTiming, .wait: Self.phaseLine(row, width, ascii)
            }
        }
    }

    /// Where it begins, its middle when there is room, and where it ends, each above its place on the axis.
    private static func scaleLine(_ row: Row, _ width: Int) -> StyledLine {
        let axis = width - labelWidth - durationWidth
        let whole = max(.zero, row.duration ?? .zero)
        let end = Figures.duration(whole)
        let middle = axis >= 40 ? Figures.duration(whole / 2) : ""
        var text = "0"
        let column = (axis - middle.count) / 2
        if !middle.isEmpty { text = Figures.left(text, column) + middle }
        text += Figures.right(end, axis - text.count)
        return StyledLine(String(repeating: " ", count: labelWidth) + Figures.left(text, width - labelWidth), .dim)
    }

    private static func attemptLine(_ row: Row, _ width: Int) -> StyledLine {
        var right = StyledLine()
        if let result = row.result { right.spans.append(result) }
        right.append(Figures.right(duration(row), durationWidth), row.isOpen ? .stateRunning : .text)
        let room = width - right.text.count - 1
        var line = row.label.fitted(to: room)
        line.append(" ")
        line.spans += right.spans
        return line
    }

    private static func phaseLine(_ row: Row, _ width: Int, _ ascii: Bool) -> StyledLine {
        let indent = row.kind == .serverTiming ? "    " : "  "
        var line = StyledLine(indent, .text)
        let axis = width - labelWidth - durationWidth
        if let span = row.span {
            line.spans += row.label.fitted(to: labelWidth - indent.count - 1).spans
            line.append(" ")
            let bar = Bar.text(from: span.lowerBound, to: span.upperBound, width: axis, isOpen: row.isOpen, ascii: ascii)
            line.append(bar.before)
            line.append(bar.bar, row.role)
            line.append(bar.after)
        } else {
            line.spans += row.label.fitted(to: labelWidth - indent.count + axis).spans
        }
        line.append(Figures.right(duration(row), durationWidth), row.isOpen ? .stateRunning : .text)
        line.spans.removeAll { $0.text.isEmpty }
        return line
    }

    private static func duration(_ row: Row) -> String {
        guard let duration = row.duration else { return "" }
        return Figures.duration(max(.zero, duration))
    }
}

extension StyledLine {
    /// Cut off behind `…`, or filled with spaces, to a width of exactly `width` columns.
    func fitted(to width: Int) -> StyledLine {
        let total = spans.reduce(0) { $0 + DisplayWidth.of($1.text) }
        var line = StyledLine()
        if total <= width {
            line.spans = spans
            line.join(String(repeating: " ", count: width - total), .text)
            return line
        }
        guard width > 0 else { return line }
        var column = 0
        for span in spans {
            for character in span.text {
                let next = column + DisplayWidth.of(character)
                if next > width - 1 {
                    line.join("…", .dim)
                    line.join(String(repeating: " ", count: width - 1 - column), .text)
                    return line
                }
                line.join(String(character), span.role)
                column = next
            }
        }
        return line
    }
}

/// A bar on an axis, as text exactly as wide as the axis.
enum Bar {
    private static let blocks = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

    struct Text: Hashable {
        var before: String
        var bar: String
        var after: String
    }

    /// - Parameters:
    ///   - start: 0 … 1 of the axis.
    ///   - end: not before `start`. However short, an eighth of a column shows.
    ///   - isOpen: ends in `╌` (`-`), because it goes on.
    static func text(from start: Double, to end: Double, width: Int, isOpen: Bool = false, ascii: Bool = false) -> Text {
        guard width > 0 else { return Text(before: "", bar: "", after: "") }
        let eighths = width * 8
        let first = min(eighths - 1, max(0, Int((start * Double(eighths)).rounded())))
        let last = min(eighths, max(first + 1, Int((end * Double(eighths)).rounded())))
        let column = first / 8
        var bar = ""
        if ascii {
            bar = String(repeating: "#", count: max(1, (last + 3) / 8 - column))
        } else if last <= (column + 1) * 8 {
            bar = blocks[last - first - 1]
        } else {
            // Only the half of a column can be left empty at the left of a bar.
            bar = first % 8 >= 4 ? "▐" : "█"
            bar += String(repeating: "█", count: last / 8 - column - 1)
            if last % 8 > 0 { bar += blocks[last % 8 - 1] }
        }
        let used = column + bar.count
        let isContinued = isOpen && used < width
        if isContinued { bar += ascii ? "-" : "╌" }
        return Text(
            before: String(repeating: " ", count: column), bar: bar,
            after: String(repeating: " ", count: max(0, width - used - (isContinued ? 1 : 0))))
    }
}

/// What a server says of its own time (W3C Server Timing, section 3): `db;dur=53.2;desc="two queries", cache;desc=hit`.
package struct ServerTiming: Sendable, Hashable {
    package var name: String
    package var duration: Duration?
    package var details: String?

    /// `db`, or `cache hit`.
    package var label: String { details.map { "\(name) \($0)" } ?? name }

    package static func metrics(_ head: ResponseHead?) -> [ServerTiming] {
        guard let head, let name = HTTPField.Name("Server-Timing") else { return [] }
        return head.headers[values: name].flatMap(parse)
    }

    package static func parse(_ value: String) -> [ServerTiming] {
        FieldSyntax.pieces(of: value, separatedBy: ",").compactMap { item in
            let parts = FieldSyntax.pieces(of: item, separatedBy: ";").map(FieldSyntax.trimmed)
            guard let name = parts.first, !name.isEmpty else { return nil }
            var metric = ServerTiming(name: SafeText.line(String(name)))
            for part in parts.dropFirst() {
                guard let halves = part.halves(at: "=") else { continue }
                let value = FieldSyntax.unquoted(FieldSyntax.trimmed(halves.behind))
                switch FieldSyntax.trimmed(halves.before).lowercased() {
                case "dur":
                    // Nobody serves for a year; what isn't a sensible number is no duration.
                    if let milliseconds = Double(value), milliseconds >= 0, milliseconds < 3e10 {
                        metric.duration = .nanoseconds(Int64(milliseconds * 1e6))
                    }
                case "desc": metric.details = SafeText.line(value)
                default: break
                }
            }
            return metric
        }
    }
}

/// The phases of an attempt as text.
package enum PhaseText {
    /// A label of at most five letters.
    package static func label(_ phase: Phases.Name) -> String {
        switch phase {
        case .connect: "tcp"
        case .receive: "recv"
        default: phase.rawValue
        }
    }

    /// The same; a session is open where an answer would be received.
    static func label(_ phase: Phases.Name, of attempt: AttemptMetrics) -> String {
        phase == .receive && attempt.session != nil ? "open" : label(phase)
    }

    package static func role(_ phase: Phases.Name) -> ThemeRole {
        switch phase {
        case .queue: .phaseQueue
        case .dns: .phaseDns
        case .connect: .phaseConnect
        case .tls, .quic: .phaseTls
        case .send: .phaseSend
        case .wait: .phaseWait
        case .receive: .phaseReceive
        }
    }

    /// A phase with its time, as far as it has come.
    struct Part {
        var name: Phases.Name
        var start: MonotonicTime
        var end: MonotonicTime
        var isOpen: Bool
        var duration: Duration { end - start }
    }

    static func parts(_ attempt: AttemptMetrics, now: MonotonicTime) -> [Part] {
        Phases.Name.allCases.compactMap { part($0, of: attempt, now: now) }
    }

    static func part(_ name: Phases.Name, of attempt: AttemptMetrics, now: MonotonicTime) -> Part? {
        if let phase = attempt.phases[name] { return Part(name: name, start: phase.start, end: phase.end, isOpen: false) }
        guard let open = attempt.openPhase, open.name == name, attempt.end == nil else { return nil }
        return Part(name: name, start: open.start, end: max(now, open.start), isOpen: true)
    }
}
