import Base
import HTTPTypes
import NetworkLayer
import Presentation
import TerminalUI

/// Draws the response pane inside of its border, and its title into it.
enum ResponsePaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        let inner = canvas.pane(.response, of: state, in: rect, tabs: state.responseTabs, trailing: titles(state))
        guard let area = state.responsePlace else { return }
        let isFocused = state.screen.focus == .response
        let notes = state.responseNotes(columns: area.columns)
        let parts = area.splitTop(min(notes.rows, area.rows))
        canvas.draw(in: parts.top) { draw(notes, of: state, on: &$0) }
        let seen = canvas.draw(in: parts.rest) { content(of: state, on: &$0) }
        if let seen, parts.rest.rows > 0 {
            let rows = parts.rest.row..<parts.rest.endRow
            canvas.scrollbar(column: rect.endColumn - 1, rows: rows, visible: seen.visible, total: seen.total)
        }
        // What was there before the edit: it can be read, and isn't mistaken for what the edit brings.
        if state.layout.moment == .editing && !isFocused || state.showsOtherEnvironment { canvas.restyle(area, .stale) }
        if isFocused, state.shownStream == nil, let place = state.placeUnderCursor, place.path != "." {
            draw(place, in: rect, on: &canvas)
        }
        if let place = state.messagePlace {
            MessageLineView.draw(state.panes.response.message, isSent: state.openSession != nil, in: place, on: &canvas)
        }
        if let prompt = state.panes.response.savePrompt { draw(prompt, of: state, on: &canvas) }
        if let filter = state.panes.response.filterLine { FilterLineView.draw(filter, of: state, in: inner, on: &canvas) }
    }

    // MARK: The title

    /// For the right end of the edge, the longest first: what is looked for, and what the body is.
    private static func titles(_ state: ExplorerState) -> [StyledLine] {
        guard let subject = state.responseSubject(for: .body) else { return [] }
        let work = work(state, subject)
        // Where the rails aren't shown, nothing else says how the request ended.
        let begin = state.layout.requestRail == nil ? result(state, subject) + work : work
        if let (_, table) = state.shownStream {
            let count = StyledLine(Figures.count(table.count, table.kind == .eventStream ? "event" : "line"), .dim)
            return [joined(begin + [count]), joined(work + [count]), joined([count])]
        }
        guard let document = state.responseDocument else { return [joined(begin), joined(work)] }
        let mode = document.mode != .pretty ? ", \(document.mode.rawValue)" : ""
        let short = document.summary.components(separatedBy: ", ").prefix(2).joined(separator: " ")
        return [
            joined(begin + [StyledLine(document.summary + mode, .dim)]), joined(work + [StyledLine(document.summary + mode, .dim)]),
            joined(work + [StyledLine(short + mode, .dim)]), joined(work.isEmpty ? [StyledLine(short, .dim)] : work),
        ]
    }

    private static func joined(_ parts: [StyledLine]) -> StyledLine {
        var line = StyledLine()
        for part in parts where !part.spans.isEmpty {
            if !line.spans.isEmpty { line.append("  ") }
            line.spans += part.spans
        }
        return line
    }

    /// `200 OK`, `4/4 checks`, `374 ms`.
    private static func result(_ state: ExplorerState, _ subject: ResponseSubject) -> [StyledLine] {
        var line = StyledLine()
        if let head = subject.entry.metrics.attempts.last?.head {
            var status = StatusText.span(head.status)
            if let verdict = subject.entry.verdict, verdict == .checkFailed { status.role = VerdictText.role(verdict) }
            line.spans.append(status)
        } else if let verdict = subject.entry.verdict {
            line.append(verdict.word, VerdictText.role(verdict))
        } else if subject.entry.state.isFinal {
            line.spans.append(StateText.span(subject.entry.state))
        } else {
            line.append("none yet", .dim)
        }
        var parts = [line]
        if let report = subject.entry.report {
            let text = report.tallies.first ?? (report.isPassed ? "" : "capture failed")
            if !text.isEmpty {
                parts.append(StyledLine("\(report.isPassed ? "✓" : "✗") \(text)", report.isPassed ? .success : .error))
            }
        }
        if !subject.entry.isStopped, let total = subject.entry.metrics.total {
            parts.append(StyledLine(Figures.duration(total), .dim))
        }
        return parts
    }

    /// Which response it is when it isn't the last one, and what is done with it.
    private static func work(_ state: ExplorerState, _ subject: ResponseSubject) -> [StyledLine] {
        var parts: [StyledLine] = []
        if subject.isPrevious {
            parts.append(StyledLine("previous", .stale))
        } else if !subject.entry.state.isFinal {
            parts.append(StyledLine("live", .stateRunning))
        }
        if let matches = state.responseMatches {
            let ordinal = matches.ordinal.map { Figures.count($0) } ?? "-"
            let count = Figures.count(matches.count) + (matches.isCounting ? "+" : "")
            parts.append(
                StyledLine("\(ordinal)/\(count)", matches.count == 0 && !matches.isCounting ? .warning : .searchMatch))
        }
        if state.panes.response.tab == .body, !state.panes.response.filter.isEmpty {
            parts.append(StyledLine(SafeText.line(String(state.panes.response.filter.prefix(24))), .accent))
        }
        if state.panes.response.tab == .log, state.panes.response.eventFilter.isOn {
            parts.append(StyledLine(SafeText.line(String(state.panes.response.eventFilter.text.prefix(24))), .accent))
        }
        if let work = state.bodyWork { parts.append(StyledLine(work, .info)) }
        if let attempt = state.shownAttempt, let entry = state.shownOperation, state.panes.response.attempt.isHistoric(entry) {
            parts.append(StyledLine("attempt \(attempt.number)", .info))
        }
        return parts
    }

    /// Draws into the lower edge what `y` copies as the path. The end of a long path is kept, since it says more than the start.
    private static func draw(_ place: JSONPlace, in rect: Rect, on canvas: inout Canvas) {
        let room = rect.columns - 8
        guard room > 12 else { return }
        var path = SafeText.line(place.path)
        if DisplayWidth.of(path) > room {
            var tail: [Character] = []
            var width = 1
            for character in path.reversed() {
                width += DisplayWidth.of(character)
                if width > room { break }
                tail.append(character)
            }
            path = "…" + String(tail.reversed())
        }
        canvas.text(" \(path) ", .dim, column: rect.column + 2, row: rect.endRow - 1)
    }

    // MARK: The content

    private struct Seen {
        var visible: Range<Int>
        var total: Int
    }

    private static func draw(_ notes: ExplorerState.ResponseNotes, of state: ExplorerState, on canvas: inout Canvas) {
        switch notes {
        case .none: break
        case .retry(let note): RetryNoteView.draw(note, of: state, on: &canvas)
        case .change(let line): canvas.line(line, row: 0, ellipsis: true)
        case .failure(let lines):
            for (row, line) in lines.prefix(canvas.bounds.rows).enumerated() { canvas.line(line, row: row, ellipsis: true) }
        }
    }

    private static func content(of state: ExplorerState, on canvas: inout Canvas) -> Seen? {
        let size = canvas.bounds.size
        guard size.rows > 0, size.columns > 0 else { return nil }
        let content = state.responseContent(columns: size.columns)
        let seen: Seen?
        switch content {
        case .nothing(let lines):
            canvas.calm(lines)
            seen = nil
        case .progress(let entry):
            let showsTiming = state.layout.side?.what != .timing
            ProgressView.draw(entry, now: state.now, showsTiming: showsTiming, on: &canvas)
            seen = nil
        case .body(let document):
            let view = state.panes.response.body
            BodyView.draw(document, view, of: state, on: &canvas)
            let top = view.folds.row(ofLine: view.top.line)
            let count = view.folds.rowCount(document.lineCount).lines
            seen = Seen(visible: top..<min(count, top + size.rows), total: count)
        case .picture(let picture):
            // It would cover what lies over the panes.
            if state.overlay == nil {
                canvas.image(picture.file, in: picture.fitting(columns: canvas.bounds.columns, rows: canvas.bounds.rows))
            }
            seen = nil
        case .stream(let table):
            seen = StreamTableView.draw(table, of: state, on: &canvas).map { Seen(visible: $0.visible, total: $0.total) }
        case .lines, .log:
            let first = state.panes.response.scroll(of: state.panes.response.tab).firstLine(of: content.lineCount, rows: size.rows)
            let visible = first..<min(content.lineCount, first + size.rows)
            draw(content, visible, of: state, on: &canvas)
            seen = Seen(visible: visible, total: content.lineCount)
        }
        if state.responseSubject(for: state.panes.response.tab)?.isPrevious == true { canvas.restyle(canvas.bounds, .stale) }
        return seen
    }

    private static func draw(_ content: ResponseContent, _ visible: Range<Int>, of state: ExplorerState, on canvas: inout Canvas) {
        let pane = state.panes.response
        let offset = pane.tab == .log ? pane.logColumn : 0
        for (row, line) in content.lines(visible).enumerated() {
            let index = visible.lowerBound + row
            if index == state.selectedResponseLine { canvas.select(row, .selectionUnfocused) }
            canvas.line(line, row: row, offset: offset, ellipsis: true)
            let role: ThemeRole = index == pane.found.currentLine ? .searchMatchCurrent : .searchMatch
            canvas.draw(in: canvas.bounds.line(row)) { $0.mark(pane.searchText, role) }
        }
    }

    // MARK: What is typed

    /// Over the last row, behind its label.
    static func draw(_ line: LineEditor, of state: ExplorerState, placeholder: String = "", on canvas: inout Canvas) {
        guard let typed = state.typedResponseRow else { return }
        canvas.fill(typed.row, .input)
        canvas.text(typed.label, .input, column: typed.row.column, row: typed.row.row)
        line.draw(on: &canvas, in: typed.field, isFocused: true, placeholder: placeholder)
    }
}

/// Draws how far an operation is, while there is nothing of its answer to be read: what it does, its bars, how fast it goes, what
/// its timeouts leave it, and where the time went.
enum ProgressView {
    /// - Parameter showsTiming: the waterfall isn't on the screen already.
    static func draw(_ entry: OperationEntry, now: MonotonicTime, showsTiming: Bool, on canvas: inout Canvas) {
        let size = canvas.bounds.size
        var row = 0
        if entry.state != .waitingToRetry {
            canvas.line(ActivityView.phase(of: entry, now: now), row: row, ellipsis: true)
            row += 1
        }
        if let attempt = entry.metrics.attempts.last, attempt.end == nil {
            row = draw(attempt, of: entry, now: now, row: row, on: &canvas)
        }
        let board = TimeoutBoard(entry.metrics, now: now)
        if !board.gauges.isEmpty { row += 1 }
        for gauge in board.gauges where row < size.rows {
            TimeoutGaugeView.draw(gauge, of: board, row: row, on: &canvas)
            row += 1
        }
        guard showsTiming, !entry.metrics.attempts.isEmpty else { return }
        row += 1
        for line in Waterfall(entry.metrics, now: now).lines(width: size.columns).prefix(max(0, size.rows - row)) {
            canvas.line(line, row: row, ellipsis: true)
            row += 1
        }
    }

    /// What goes out and what comes in, each with a bar; the last of them with a chart.
    private static func draw(
        _ attempt: AttemptMetrics, of entry: OperationEntry, now: MonotonicTime, row: Int, on canvas: inout Canvas
    ) -> Int {
        var row = row
        var chart: TransferRate.Direction?
        if attempt.upload.bytes > 0 || (attempt.upload.expected ?? 0) > 0 {
            ActivityView.transfer(.upload, of: entry, now: now, row: row, on: &canvas)
            chart = .upload
            row += 1
        }
        if attempt.head != nil {
            ActivityView.transfer(.download, of: entry, now: now, row: row, on: &canvas)
            chart = .download
            row += 1
        }
        guard let chart, canvas.bounds.rows - row >= 6,
            let throughput = Throughput(chart, in: entry.events, at: now, count: canvas.bounds.columns), throughput.peak > 0
        else { return row }
        let rows = canvas.bounds.rows - row >= 14 ? 4 : 2
        canvas.draw(in: Rect(column: 0, row: row + 1, columns: canvas.bounds.columns, rows: rows)) {
            ThroughputView.draw(throughput, on: &$0)
        }
        canvas.text(
            "at most \(Figures.bytes(Int64(throughput.peak)))/s", .dim, column: 0, row: row + 1 + rows, ellipsis: true)
        return row + 2 + rows
    }
}

/// Draws the part of a body that is in sight, over the whole canvas.
enum BodyView {
    static func draw(_ document: BodyDocument, _ view: BodyViewState, of state: ExplorerState, on canvas: inout Canvas) {
        let gutter = view.gutter(of: document)
        let cursor = state.screen.focus == .response && view.hasCursor(document) ? view.cursor : nil
        let rows = view.rows(of: document, in: canvas.bounds.size)
        let lines = view.hasMargin && view.hasCursor(document) ? rows.map(\.position.line) : []
        let marks = state.checkMarks(ofLines: lines, in: document)
        for (index, row) in rows.enumerated() {
            if row.position.line == cursor { canvas.select(index) }
            if marks.indices.contains(index), let mark = marks[index] { canvas.text(mark.text, mark.role, column: 0, row: index) }
            if view.showsNumbers, gutter > 2, row.position.column == 0 {
                canvas.text("\(row.position.line + 1)", .lineNumber, endColumn: gutter - 1, row: index)
            }
            canvas.line(row.text, column: gutter, row: index)
        }
    }
}
