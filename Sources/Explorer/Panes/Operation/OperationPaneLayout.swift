import NetworkLayer
import Presentation
import TerminalUI

/// What is on which row of the operation pane. A function of what there is to show and of the room, so that a click finds the
/// same row that was drawn.
///
/// From the top: the lifeline, the attempts, what happens now or how it ended, the timeouts. When there is no room the
/// attempts are cut first (the selected one stays), then the timeouts go; a single row has the essence of all.
struct OperationPaneLayout: Hashable, Sendable {
    enum Row: Hashable, Sendable {
        /// What it came to, or does, in columns that stay where they are.
        case verdict
        /// Everything in one line.
        case summary
        /// A line of it.
        case lifeline(Int)
        case attemptHeader
        /// By its index.
        case attempt(Int)
        /// What happens now: the phase, or how far a body has come.
        case activity(Activity)
        /// A line of the sentence about what went wrong.
        case failure(Int)
        /// How it ended when it ended well.
        case outcome
        /// All timeouts in one row.
        case gauges
        case gauge(TimeoutGauge.Name)
        case blank
    }

    enum Activity: Hashable, Sendable {
        case phase, upload, download
    }

    private(set) var rows: [Row] = []

    /// In the rail above the stage: the verdict first, wherever the operation stands.
    ///
    /// - Parameters:
    ///   - size: with five rows, two of them for attempts; with more, all that there is.
    ///   - isFailureTold: what went wrong stands elsewhere on the screen.
    init(rail entry: OperationEntry, in size: Size, selected: OperationPaneState, isFailureTold: Bool = false) {
        if size.rows > 5 {
            let below = Size(columns: size.columns, rows: size.rows - 1)
            let all = Self(entry, in: below, selected: selected, isFailureTold: isFailureTold).rows
            rows = [.verdict] + all.filter { $0 != .outcome }
            return
        }
        // What was never sent has no states to tell of.
        rows = [.verdict] + (entry.isStopped ? [] : [.lifeline(0)])
        let attempts = entry.metrics.attempts.count
        if attempts > 0 {
            let window = Self.window(of: attempts, rows: 2, around: selected.selectedIndex(of: entry) ?? 0)
            rows += [.attemptHeader] + window.map(Row.attempt)
        }
        if entry.metrics.error != nil, !isFailureTold {
            let lines = FailureText.lines(of: entry.metrics, columns: size.columns).count
            rows += (0..<max(0, min(lines, size.rows - rows.count))).map(Row.failure)
        }
        rows = Array(rows.prefix(max(0, size.rows)))
    }

    init(_ entry: OperationEntry, in size: Size, selected: OperationPaneState, isFailureTold: Bool = false) {
        let room = size.rows
        guard room > 1 else {
            rows = room == 1 ? [.summary] : []
            return
        }
        let isFinal = entry.state.isFinal
        let attempts = entry.metrics.attempts.count

        var middle: [Row]
        if !isFinal {
            middle = Self.activities(of: entry).map(Row.activity)
            if room < 4, middle.count > 1 { middle.removeFirst(middle.count - 1) }
        } else if entry.metrics.error != nil, isFailureTold {
            middle = []
        } else if entry.metrics.error != nil {
            let most = room < 6 ? 1 : room < 10 ? 3 : 6
            let lines = FailureText.lines(of: entry.metrics, columns: size.columns).count
            middle = (0..<min(lines, most)).map(Row.failure)
        } else {
            middle = [.outcome]
        }

        // Rows for more than one line of it are taken from air alone.
        var states = min(Lifeline.rowCount(entry.metrics, width: size.columns), max(1, room / 4))
        let kinds = Self.timeouts(of: entry)
        var timeouts: [Row] = kinds.isEmpty ? [] : [.gauges]
        var header: [Row] = attempts > 0 ? [.attemptHeader] : []
        var listed = attempts

        func total() -> Int { states + header.count + listed + middle.count + timeouts.count }
        while states > 1, total() > room { states -= 1 }
        if total() > room { header = [] }
        // The response's title says it too.
        if total() > room, middle == [.outcome] { middle = [] }
        if total() > room { listed = max(min(1, attempts), room - 1 - middle.count - timeouts.count) }
        if total() > room { timeouts = [] }
        if total() > room { listed = 0 }

        let window = Self.window(of: attempts, rows: listed, around: selected.selectedIndex(of: entry) ?? 0)
        let spare = room - total()
        // The timeouts get a row each when that leaves some air.
        if timeouts.count == 1, spare >= kinds.count { timeouts = kinds.map(Row.gauge) }
        let air = room - total()

        rows = (0..<states).map(Row.lifeline)
        if air > 0, !window.isEmpty { rows.append(.blank) }
        rows += header + window.map(Row.attempt)
        if air > 1, !middle.isEmpty { rows.append(.blank) }
        rows += middle
        if air > 2, !timeouts.isEmpty { rows.append(.blank) }
        rows += timeouts
    }

    /// A running operation has a row for what it does, also before bytes move, so that nothing jumps when they do.
    private static func activities(of entry: OperationEntry) -> [Activity] {
        guard entry.state == .running || entry.state == .starting, let attempt = entry.metrics.attempts.last else {
            return [.phase]
        }
        var activities: [Activity] = []
        if attempt.head == nil, attempt.upload.bytes > 0 || (attempt.upload.expected ?? 0) > 0 { activities.append(.upload) }
        if attempt.head != nil { activities.append(.download) }
        return activities.isEmpty ? [.phase] : activities
    }

    /// All while it runs; then the one that fired.
    private static func timeouts(of entry: OperationEntry) -> [TimeoutGauge.Name] {
        let board = TimeoutBoard(entry.metrics, now: .zero)
        return entry.state.isFinal ? board.fired.map { [$0] } ?? [] : board.gauges.map(\.name)
    }

    /// The attempts in sight: the last ones, moved up as far as the selected one needs it.
    private static func window(of count: Int, rows: Int, around selected: Int) -> Range<Int> {
        let first = min(max(0, count - rows), max(0, selected - rows / 2))
        return first..<min(count, first + max(0, rows))
    }
}
