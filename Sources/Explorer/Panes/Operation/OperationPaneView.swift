import NetworkLayer
import Presentation
import TerminalUI

/// Draws the operation pane inside of its border, and its title into it.
enum OperationPaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        let layout = state.layout
        guard let area = layout.content(of: .operation) else { return }
        guard let entry = state.shownOperation else {
            canvas.pane(.operation, of: state, in: rect)
            canvas.draw(in: area) { canvas in
                guard layout.shape == .rails else {
                    canvas.calm(["Nothing has been sent yet.", "s or F5 sends the request; its states appear here."])
                    return
                }
                VerdictLineView.draw(state, row: 0, on: &canvas)
            }
            return
        }
        canvas.pane(.operation, of: state, in: rect, details: title(entry))
        let rows = state.operationRows(entry, in: area.size)
        let isFocused = state.screen.focus == .operation
        // The newest run is shown anyway.
        if isFocused || state.panes.operation.isHistoric(entry), entry.metrics.attempts.count > 1,
            let selected = state.panes.operation.selectedIndex(of: entry), let row = rows.firstIndex(of: .attempt(selected))
        {
            canvas.selection(row, of: area, in: rect, isFocused: isFocused)
        }
        canvas.draw(in: area) { content(rows, of: entry, in: state, on: &$0) }
        // Like the verdict, it belongs to what was sent.
        if layout.moment == .editing, entry.state.isFinal { canvas.restyle(area, .stale) }
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

    /// What the lifeline ends in. For an end that isn't good, that says more than the state.
    private static func end(of entry: OperationEntry) -> StyledLine.Span? {
        guard let verdict = entry.verdict, !verdict.isGood else { return nil }
        return .init(entry.verdictWord ?? verdict.word, VerdictText.role(verdict))
    }

    /// All rows, over the whole canvas.
    private static func content(
        _ rows: [OperationPaneLayout.Row], of entry: OperationEntry, in state: ExplorerState, on canvas: inout Canvas
    ) {
        let now = state.now
        let size = canvas.bounds.size
        let metrics = entry.metrics
        let board = TimeoutBoard(metrics, now: now)
        let failure = rows.contains(.failure(0)) ? FailureText.lines(of: metrics, columns: size.columns) : []
        let lifeline = Lifeline.lines(
            metrics, now: now, width: size.columns, rows: rows.count(where: \.isLifeline), end: end(of: entry))
        let table = AttemptTableView(
            metrics, shown: rows.compactMap(\.attempt), now: now, width: size.columns, hasHeader: rows.contains(.attemptHeader),
            verdict: entry.verdict)

        for (index, row) in rows.enumerated() {
            switch row {
            case .verdict: VerdictLineView.draw(state, row: index, on: &canvas)
            case .summary: canvas.line(OperationSummary.line(entry, board, now: now), row: index, ellipsis: true)
            case .lifeline(let line):
                if lifeline.indices.contains(line) { canvas.line(lifeline[line], row: index, ellipsis: true) }
            case .attemptHeader: canvas.tableHeader(table.layout, row: index)
            case .attempt(let attempt): table.draw(attempt, row: index, on: &canvas)
            case .activity(let activity): ActivityView.draw(activity, of: entry, now: now, row: index, on: &canvas)
            case .failure(let line): canvas.line(failure[line], row: index, ellipsis: true)
            case .outcome: canvas.line(OperationSummary.outcome(entry), row: index, ellipsis: true)
            case .gauges: TimeoutGaugeView.draw(board, row: index, on: &canvas)
            case .gauge(let name):
                guard let gauge = board.gauges.first(where: { $0.name == name }) else { break }
                TimeoutGaugeView.draw(gauge, of: board, row: index, on: &canvas)
            case .blank: break
            }
        }
    }
}

extension OperationPaneLayout.Row {
    fileprivate var isLifeline: Bool {
        if case .lifeline = self { true } else { false }
    }

    fileprivate var attempt: Int? {
        if case .attempt(let index) = self { index } else { nil }
    }
}

extension Canvas {
    /// What an empty pane says: a dim paragraph near the top, in the middle.
    mutating func calm(_ lines: [String]) {
        let rows = bounds.rows
        let wrapped = lines.flatMap { StyledLine($0, .placeholder).wrapped(columns: bounds.columns - 2) }
        let top = max(0, (rows - wrapped.count) / 3)
        for (index, line) in wrapped.enumerated() where top + index < rows {
            self.line(line, column: max(0, (bounds.columns - DisplayWidth.of(line.text)) / 2), row: top + index)
        }
    }
}

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

/// What went wrong with an operation, in words.
enum FailureText {
    /// The sentence, where it happened, what was behind it; broken into rows. Nothing for what went well.
    static func lines(of metrics: OperationMetrics, columns: Int) -> [StyledLine] {
        guard let error = metrics.error else { return [] }
        // Where it stood says nothing about somebody's wish.
        if error.code == .cancelled || error.type == OperationEntry.needType {
            return sentence(error).wrapped(columns: columns, indent: 2)
        }
        return ErrorText.lines(error).enumerated().flatMap { index, line in
            var marked = index == 0 ? sign(error) : StyledLine("  ")
            marked.spans += line.spans
            return marked.wrapped(columns: columns, indent: 2)
        }
    }

    /// In one line, however long it becomes.
    static func sentence(_ error: NetworkError) -> StyledLine {
        var line = sign(error)
        if error.code == .cancelled, let source = error.cancelSource {
            line.append("cancelled by \(SafeText.line(source.localizedDescription ?? source.description))", .stateCancelled)
        } else {
            line.append(SafeText.line(error.message), error.code == .cancelled ? .stateCancelled : .error)
        }
        return line
    }

    private static func sign(_ error: NetworkError) -> StyledLine {
        error.code == .cancelled ? StyledLine("■ ", .stateCancelled) : StyledLine("✗ ", .error)
    }
}
