import NetworkLayer
import Presentation
import TerminalUI

/// Draws the queue pane inside of its border, and its title into it.
enum QueuePaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        canvas.pane(.queue, of: state, in: rect, details: title(state))
        guard let area = state.layout.content(of: .queue) else { return }
        let all = state.queueRows
        let ids = all.map(\.id)
        guard !ids.isEmpty else {
            canvas.draw(in: area) { $0.calm(["Nothing runs or waits."]) }
            return
        }
        let list = state.panes.queue.selection.list(of: ids, rows: area.rows)
        // What is shown has a mark. The place where keys would act is marked only once the pane has the focus.
        if state.screen.focus == .queue { canvas.selection(list.selected - list.top, of: area, in: rect) }
        canvas.draw(in: area) { canvas in
            let rows = list.visible.map { index in
                let row = all[index]
                guard let entry = state.operations[row.id] else { return (id: row.id, cells: cells(row, of: state)) }
                return (id: row.id, cells: cells(entry, now: state.now))
            }
            OperationRows.draw(rows, columns: columns, shown: state.operations.selected, on: &canvas)
        }
    }

    /// `2 run, 1 waits`, or that it is paused.
    private static func title(_ state: ExplorerState) -> StyledLine {
        let counts = state.operations.counts
        var line = StyledLine()
        if state.operations.isSuspended { line.append("paused ", .warning) }
        if counts.running > 0 { line.append("\(counts.running) running ", .stateRunning) }
        if counts.retrying > 0 { line.append("\(counts.retrying) to retry ", .stateWaitingToRetry) }
        if counts.waiting > 0 { line.append("\(counts.waiting) waiting", .stateWaiting) }
        return line
    }

    private static let columns: [OperationRows.Column] = [
        .init(title: "#", rank: 3, isRight: true), .init(title: "request", rank: 0, minimum: 10, grows: true),
        .init(title: "priority", rank: 4), .init(title: "state", rank: 0, minimum: 8), .init(title: "for", rank: 1, isRight: true),
    ]

    private static func cells(_ entry: OperationEntry, now: MonotonicTime) -> [StyledLine] {
        let elapsed = entry.metrics.enqueued.map { now - $0 }
        return [
            StyledLine("\(entry.id.rawValue)", .dim),
            StyledLine(SafeText.line(entry.title)), priority(entry.priority), progress(entry, now: now),
            StyledLine(elapsed.map { steady(Figures.duration(max(.zero, $0))) } ?? ""),
        ]
    }

    /// What isn't in the queue yet, below what it waits for.
    private static func cells(_ row: QueueRow, of state: ExplorerState) -> [StyledLine] {
        let send = state.waitingSend(of: row)
        var name = StyledLine()
        let indent = min(row.depth - 1, 6)
        if row.depth > 0 { name.append(String(repeating: " ", count: 2 * indent) + "└ ", .dim) }
        name.append(SafeText.line(state.title(of: row)))
        guard case .send = row.content, let send else {
            return [StyledLine(), name, StyledLine(), StyledLine("not yet", .dim), StyledLine()]
        }
        let time = Figures.duration(max(.zero, state.now - send.since))
        return [
            StyledLine(), name, StyledLine(), StyledLine(SafeText.line(state.words(for: send.wait)), .stateWaiting),
            StyledLine(steady(time)),
        ]
    }

    /// Padded to the usual width, so that a figure that grows doesn't move the columns.
    private static func steady(_ figure: String) -> String { String(repeating: " ", count: max(0, 7 - figure.count)) + figure }

    /// The state, and how far a body has come.
    private static func progress(_ entry: OperationEntry, now: MonotonicTime) -> StyledLine {
        var word = StateText.word(entry.state)
        if case .waiting = entry.state, let detail = entry.metrics.waitsFor {
            word = "waits for \(WaitText.sentence(detail, at: now))"
        }
        var line = StyledLine(word, StateText.role(entry.state))
        if entry.state == .running, let attempt = entry.metrics.attempts.last {
            let progress = attempt.head == nil ? attempt.upload : attempt.download
            if progress.bytes > 0, let fraction = progress.fraction { line.append(" " + Figures.percent(fraction), .progress) }
        }
        return line
    }

    private static func priority(_ priority: Priority) -> StyledLine {
        switch priority {
        case .normal: StyledLine("normal", .dim)
        case .veryLow: StyledLine("very low", .dim)
        case .low: StyledLine("low", .dim)
        case .high: StyledLine("high", .accent)
        case .veryHigh: StyledLine("very high", .accent)
        // One that was moved stands between those with names.
        default: StyledLine("\(priority.rawValue > 0 ? "+" : "")\(priority.rawValue)", .accent)
        }
    }
}
