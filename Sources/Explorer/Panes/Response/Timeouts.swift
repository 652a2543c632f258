import NetworkLayer
import Presentation
import TerminalUI

/// The timeouts of an operation as fuel gauges: how far each has run, which will fire next, and which did.
struct TimeoutBoard: Hashable, Sendable {
    var gauges: [TimeoutGauge]
    /// The first to fire when nothing happens until then; `nil` when none counts.
    var next: TimeoutGauge.Name?
    var fired: TimeoutGauge.Name?

    init(_ metrics: OperationMetrics, now: MonotonicTime) {
        gauges = TimeoutGauge.gauges(metrics, now: now)
        fired = metrics.error.flatMap { Self.name(firing: $0.code) }
        guard metrics.completed == nil else {
            // What ended it has run out; what did not doesn't matter any more.
            for index in gauges.indices { gauges[index].elapsed = gauges[index].name == fired ? gauges[index].limit : nil }
            return
        }
        next = gauges.filter { $0.elapsed != nil }.min { $0.remaining < $1.remaining }?.name
    }

    private static func name(firing code: NetworkError.Code) -> TimeoutGauge.Name? {
        switch code {
        case .idleTimedOut: .idle
        case .attemptTimedOut: .attempt
        case .operationTimedOut: .operation
        default: nil
        }
    }
}

extension TimeoutGauge {
    /// What is left of it.
    var remaining: Duration { max(.zero, limit - (elapsed ?? .zero)) }
}

/// The timeouts as fuel gauges: what is left, which fires next, which fired.
enum TimeoutGaugeView {
    private static let nameColumns = TimeoutGauge.Name.allCases.map(\.rawValue.count).max() ?? 0

    static func draw(_ gauge: TimeoutGauge, of board: TimeoutBoard, row: Int, on canvas: inout Canvas) {
        let text = text(gauge, of: board)
        canvas.text(gauge.name.rawValue, nameRole(gauge, board), column: 0, row: row)
        let start = nameColumns + 1
        // As long as those above and below.
        let longest = board.gauges.map { DisplayWidth.of(Self.text($0, of: board).text) }.max() ?? 0
        let bar = gauge.name == board.fired ? 0 : min(24, canvas.bounds.columns - start - 2 - longest)
        if bar >= 4 { draw(bar: gauge, column: start, columns: bar, row: row, on: &canvas) }
        canvas.line(text, column: start + (bar >= 4 ? bar + 1 : 0), row: row, ellipsis: true)
    }

    /// What is left; a gauge that doesn't count is full and grey.
    private static func draw(bar gauge: TimeoutGauge, column: Int, columns: Int, row: Int, on canvas: inout Canvas) {
        var bar = Gauge(remaining: 1 - gauge.fraction)
        if gauge.elapsed == nil { bar.role = .dim }
        bar.draw(on: &canvas, in: Rect(column: column, row: row, columns: columns, rows: 1))
    }

    private static func nameRole(_ gauge: TimeoutGauge, _ board: TimeoutBoard) -> ThemeRole {
        gauge.name == board.fired ? .error : gauge.name == board.next ? .strong : .dim
    }

    private static func text(_ gauge: TimeoutGauge, of board: TimeoutBoard) -> StyledLine {
        let limit = Figures.duration(gauge.limit)
        if gauge.name == board.fired { return StyledLine("fired after \(limit)", .error) }
        guard gauge.elapsed != nil else { return StyledLine("\(limit), not counting", .dim) }
        let left = Countdown.text(gauge.remaining)
        let isNext = gauge.name == board.next
        let role: ThemeRole = gauge.fraction > 0.8 ? .warning : isNext ? .text : .dim
        var line = StyledLine("\(left) of \(limit) left", role)
        if isNext { line.append("  fires next", .dim) }
        return line
    }
}

/// Time that is left, calm enough to be read while it runs: tenths below ten seconds, then seconds.
enum Countdown {
    static func text(_ duration: Duration) -> String {
        let step = duration < .seconds(10) ? 100_000_000 : 1_000_000_000 as Int64
        return Figures.duration(.nanoseconds((duration.wholeNanoseconds + step - 1) / step * step))
    }
}
