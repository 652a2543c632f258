import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// The operation in the rail above the stage: which one it is in the edge, what it came to or does, and its phases to scale.
///
///     ├ 3 Operation #218 orders/create ─────────────────────────────────┤
///     │ ✓ 201 Created                 4.46 s     371 B 4/4 checks   2 attempts
///     │ ┃dns┃tcp━━┃wait 310 ms ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┃recv━━
enum OperationLineView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        guard let lines = state.layout.operationLine else { return }
        if lines != rect {
            var title = StyledLine(" 3 ", .dim)
            title.append("Operation ", .title)
            if let entry = state.shownOperation { title.spans += self.title(entry).spans + [.init(" ", .border)] }
            canvas.line(title, column: rect.column + 1, row: rect.row, limit: rect.columns - 2, ellipsis: true)
        }
        canvas.draw(in: lines) { canvas in
            VerdictLine.draw(state, on: &canvas)
            if canvas.bounds.rows > 1 { canvas.line(phases(of: state, columns: canvas.bounds.columns), row: 1, ellipsis: true) }
            // What was sent isn't what is being edited.
            if state.layout.moment == .editing && state.shownOperation?.state.isFinal == true || state.showsOtherEnvironment {
                canvas.restyle(canvas.bounds, .stale)
            }
        }
    }

    /// `#218 create an order`, where it ran when that is said.
    private static func title(_ entry: OperationEntry) -> StyledLine {
        var line = StyledLine("#\(entry.id.rawValue) ", .dim)
        if let number = entry.id.pastRun {
            line = StyledLine("run \(number)\(entry.pastDate.map { " of " + Figures.day($0) } ?? "") ", .stale)
        }
        if entry.isStopped { line = StyledLine("not sent ", .warning) }
        line.append(entry.title, .text)
        if let environment = entry.environment { line.append(" in \(environment)", .dim) }
        if let whatIf = entry.sent.whatIf { line.append("  what if: \(SafeText.line(whatIf.words))", .unsaved) }
        return line
    }

    /// The phases to scale; in their place what it waits for, and what went wrong unless the response says that.
    private static func phases(of state: ExplorerState, columns: Int) -> StyledLine {
        guard let entry = state.shownOperation, state.shownWaitingSend == nil else { return StyledLine() }
        if let reason = ActivityView.waits(entry, now: state.now) { return StyledLine(reason, .stateWaiting) }
        if entry.report?.missing != nil, let word = entry.verdictWord { return StyledLine("✗ \(word)", .stateFailed) }
        if let error = entry.metrics.error, !state.isFailureTold { return FailureText.sentence(error) }
        return PhaseStrip.line(entry.metrics, now: state.now, width: columns)
    }
}

/// What an operation came to, or does, in one row: its columns stay where they are, whatever happens.
///
///     ✓ 201 Created                 4.46 s     371 B 4/4 checks   2 attempts
///     ↻ 503 Service Unavailable     1.78 s      31 B              2 of 4         + retry now  - give up
///     ▶ wait                        1.24 s       0 B
private enum VerdictLine {
    /// - Parameter state: `entry` is its shown operation; with none, it says how to send.
    static func draw(_ state: ExplorerState, on canvas: inout Canvas) {
        let row = 0
        if let send = state.shownWaitingSend {
            let columns = Columns(isWide: canvas.bounds.columns >= Columns.wide)
            let time = Figures.duration(max(.zero, state.now - send.since))
            let room = columns.timeEnd - DisplayWidth.of(time) - 1
            let words = "◦ \(SafeText.line(state.words(for: send.wait)))"
            let isWhole = DisplayWidth.of(words) <= room
            canvas.text(
                isWhole ? words : "◦ \(SafeText.line(state.words(for: send.wait, isShort: true)))", .stateWaiting, column: 0,
                row: row,
                limit: room, ellipsis: true)
            canvas.text(time, .text, endColumn: columns.timeEnd, row: row)
            draw(state.verdictHints, from: columns.timeEnd + 2, row: row, on: &canvas)
            return
        }
        guard let entry = state.shownOperation else {
            guard state.shownDefinition != nil else { return }
            if state.refusal != nil {
                canvas.text("✗ not sent", .stateFailed, column: 0, row: row)
            } else {
                canvas.text("· not sent yet", .dim, column: 0, row: row)
            }
            draw(state.verdictHints, from: 16, row: row, on: &canvas)
            return
        }
        let isWide = canvas.bounds.columns >= Columns.wide
        let columns = Columns(isWide: isWide)
        let attempt = entry.metrics.attempts.last
        var time = ""
        if let enqueued = entry.isOpenSession ? entry.session?.opened : entry.metrics.enqueued, !entry.isStopped {
            time = Figures.duration(max(.zero, (entry.metrics.completed ?? state.now) - enqueued))
        }
        let room = min(isWide ? 28 : 20, columns.timeEnd - DisplayWidth.of(time) - 1)
        var end = canvas.line(result(of: entry), column: 0, row: row, limit: room, ellipsis: true)
        if !time.isEmpty {
            canvas.text(time, .text, endColumn: columns.timeEnd, row: row)
            end = columns.timeEnd
        }
        if let attempt, attempt.end == nil, attempt.download.fraction != nil {
            let rate = TransferRate(.download, in: entry.events, at: state.now)
            let room = canvas.bounds.columns - columns.timeEnd - 2
            end = canvas.line(ActivityView.figures(attempt.download, rate, columns: room), column: columns.timeEnd + 2, row: row)
            if let throughput = Throughput(.download, in: entry.events, at: state.now, count: 10),
                end + 12 <= canvas.bounds.columns
            {
                end = canvas.line(ThroughputView.line(throughput), column: end + 2, row: row)
            }
        } else if let session = entry.session {
            end = canvas.text(SessionText.messages(session.counts), .text, column: columns.timeEnd + 2, row: row)
            end = tallies(of: entry, column: end + 2, end: canvas.bounds.columns, row: row, on: &canvas) ?? end
        } else if attempt != nil {
            canvas.text(Figures.bytes(entry.bodySize), .text, endColumn: columns.sizeEnd, row: row)
            end = columns.sizeEnd
            end =
                tallies(
                    of: entry, column: columns.sizeEnd + 1, end: min(columns.attempts - 1, canvas.bounds.columns), row: row,
                    on: &canvas) ?? end
            end = whole(
                attempts(of: entry), .dim, column: columns.attempts, end: canvas.bounds.columns, row: row, after: end, on: &canvas)
        }
        draw(state.verdictHints, from: end + 2, row: row, on: &canvas)
    }

    /// The longest text that there is room for: a figure that is cut is a wrong one.
    ///
    /// - Parameter after: where the line ends without it.
    /// - Returns: where the line ends.
    @discardableResult
    private static func whole(
        _ texts: [String], _ role: ThemeRole, column: Int, end: Int, row: Int, after: Int? = nil, on canvas: inout Canvas
    ) -> Int {
        guard let text = texts.first(where: { column + DisplayWidth.of($0) <= end }) else { return after ?? column }
        return canvas.text(text, role, column: column, row: row)
    }

    /// - Returns: where the line ends; `nil`: nothing was expected.
    private static func tallies(
        of entry: OperationEntry, column: Int, end: Int, row: Int, on canvas: inout Canvas
    ) -> Int? {
        guard let report = entry.report, !report.tallies.isEmpty else { return nil }
        let role: ThemeRole = report.unseen > 0 ? .dim : report.isPassed ? .success : .error
        return whole(report.tallies, role, column: column, end: end, row: row, on: &canvas)
    }

    private struct Columns {
        var timeEnd: Int
        var sizeEnd: Int
        var attempts: Int

        /// From this width on, everything in the wide columns fits.
        static let wide = 72

        init(isWide: Bool) {
            timeEnd = isWide ? 36 : 27
            sizeEnd = isWide ? 46 : 35
            attempts = isWide ? 60 : 47
        }
    }

    /// The sign, and the answer or what is done now.
    private static func result(of entry: OperationEntry) -> StyledLine {
        let head = entry.metrics.attempts.last?.head
        if let verdict = entry.verdict {
            let role = VerdictText.role(verdict)
            var line = StyledLine(verdict.sign + " ", role)
            if verdict != .cancelled, let closed = entry.session?.close.flatMap({ SessionText.closed($0) }) {
                line.append(closed, role)
                return line
            }
            switch verdict {
            case .passed, .completed, .checkFailed:
                line.append(head.map { StatusText.span($0.status).text } ?? verdict.word, role)
            case .failed(let kind): line.append("\(verdict.word): \(kind.rawValue)", role)
            case .stopped, .cancelled: line.append(verdict.word, role)
            }
            return line
        }
        if entry.state == .waitingToRetry {
            var line = StyledLine("↻ ", .stateWaitingToRetry)
            let answer = head.map { StatusText.span($0.status).text } ?? "no answer"
            line.append(answer, .stateWaitingToRetry)
            return line
        }
        let sign = entry.state.isUnderWay ? "▶ " : "◦ "
        return StyledLine([
            .init(sign, entry.state.isUnderWay ? .stateRunning : .stateWaiting), .init(PhaseStrip.current(entry.metrics).word),
        ])
    }

    /// `2 attempts`, `×2`; while it waits to retry, which comes next: `2 of 4`. The longest first.
    private static func attempts(of entry: OperationEntry) -> [String] {
        if entry.state == .waitingToRetry, let note = RetryNote(entry) { return [note.attempt] }
        let count = entry.metrics.attempts.count
        return [Figures.count(count, "attempt"), "×\(Figures.count(count))"]
    }

    /// At the right end, as many as there is room for without cutting one.
    private static func draw(_ hints: [ExplorerState.Hint], from start: Int, row: Int, on canvas: inout Canvas) {
        var line = StyledLine()
        for hint in hints {
            var next = line
            if !next.spans.isEmpty { next.append("  ") }
            next.append(hint.key, .key)
            next.append(" " + hint.word, .keyHelp)
            guard start + DisplayWidth.of(next.text) <= canvas.bounds.columns else { break }
            line = next
        }
        canvas.line(line, column: canvas.bounds.columns - DisplayWidth.of(line.text), row: row)
    }
}
