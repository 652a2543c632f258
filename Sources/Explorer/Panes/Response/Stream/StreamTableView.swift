import Base
import NetworkLayer
import Presentation
import TerminalUI

/// Draws a stream: how fast it comes, and its records, one a row, with the members below those that are opened.
enum StreamTableView {
    static func draw(
        _ table: StreamTable, of state: ExplorerState, on canvas: inout Canvas
    ) -> (visible: Range<Int>, total: Int)? {
        let size = canvas.bounds.size
        let heads = ExplorerState.streamHeads(rows: size.rows)
        let columns = Columns(table, state.responseSubject(for: .body)?.entry.metrics, width: size.columns)
        if heads > 0 { canvas.line(summary(table, of: state, columns: size.columns), row: 0, ellipsis: true) }
        if heads > 1 { columns.drawHeads(row: 1, on: &canvas) }
        guard table.shownCount > 0 else {
            let area = Rect(column: 0, row: heads, columns: size.columns, rows: size.rows - heads)
            canvas.draw(in: area) { $0.calm(nothing(table, of: state)) }
            return nil
        }
        let view = state.panes.response.stream
        let rows = state.streamRows(table)
        let height = max(1, size.rows - heads)
        let top = view.topRow(rows, height: height)
        let cursor = state.screen.focus == .response ? view.cursorRow(rows) : nil
        let pattern = BodyPattern(state.panes.response.searchText)
        var details: (number: Int, document: BodyDocument)?
        for row in top..<min(rows.count, top + height) {
            guard let place = rows.place(ofRow: row), let record = table[place.number] else { continue }
            let line = heads + row - top
            if row == cursor { canvas.select(line) }
            if place.line == 0 {
                let isOpen = view.opened[record.number] != nil
                columns.draw(record, of: table, isOpen: isOpen, left: view.left, pattern, row: line, on: &canvas)
            } else {
                if details?.number != record.number { details = (record.number, record.document) }
                let from = columns.kind ?? columns.data
                let text = details?.document.lines(
                    place.line - 1..<place.line, columns: view.left..<view.left + max(1, size.columns - from),
                    highlighting: pattern)
                if let text = text?.first { canvas.line(text, column: from, row: line) }
            }
        }
        return (top..<min(rows.count, top + height), rows.count)
    }

    private static func nothing(_ table: StreamTable, of state: ExplorerState) -> [String] {
        guard let filter = table.filter else {
            if isLive(table, of: state) { return ["Nothing has come yet."] }
            return table.unended > 0 ? ["No event came.", "o shows what did."] : ["Nothing came."]
        }
        if let failure = filter.failure { return [SafeText.line(failure), "f changes the filter, Esc shows all."] }
        guard filter.isThrough(table.numbers) else { return ["Looking …"] }
        return ["Nothing passes “\(SafeText.line(filter.text))”.", "f changes the filter, Esc shows all."]
    }

    /// Whether more records may come. The table of an empty body never becomes complete, since nothing is read from it.
    private static func isLive(_ table: StreamTable, of state: ExplorerState) -> Bool {
        !table.isComplete && state.responseSubject(for: .body)?.entry.state.isFinal != true
    }

    // MARK: What it comes to

    private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// `▶ 212/s ▂▃▅▇▇▅▃  18,204 events  shown 31  .level == "error"`, or that it stands still while more comes.
    private static func summary(_ table: StreamTable, of state: ExplorerState, columns: Int) -> StyledLine {
        let noun = table.kind == .eventStream ? "event" : "line"
        let isLive = isLive(table, of: state)
        var line = StyledLine()
        if isLive {
            line.append(table.isSession ? "▶ open " : "▶ live ", .stateRunning)
            if let rate = table.meter.rate(at: state.now) { line.append("\(figure(rate))/s ", .strong) }
            let heights = table.meter.heights(columns >= 70 ? 16 : 8, at: state.now)
            if heights.contains(where: { $0 > 0 }) { line.append(String(heights.map { blocks[$0] }) + "  ", .progress) }
        } else {
            line.append(table.isSession ? "■ closed  " : "■ ended  ", .dim)
        }
        let view = state.panes.response.stream
        if isLive, !view.follows {
            let more = table.count - view.pausedAt
            line.append("paused: \(Figures.count(more)) came since, \(state.followKey) follows", .warning)
        } else if table.isSession, let session = state.responseSubject(for: .body)?.entry.session {
            line.append(SessionText.counts(session.counts), .text)
            if isLive, !state.panes.response.message.isOpen {
                let pane = state.screen.focus == .response ? "" : "\(state.keyName(.focusResponse)) "
                line.append("   \(pane)\(state.keyName(.edit)) types a message", .dim)
            }
        } else {
            line.append(Figures.count(table.count, noun), .text)
        }
        if !isLive, let average = table.meter.average, let duration = table.meter.duration {
            line.append(" in \(Figures.duration(duration)), \(figure(average))/s", .dim)
        }
        if table.unended > 0 {
            let bytes = Figures.bytes(Int64(table.unended))
            line.append("  and \(bytes) that no empty line ends, which are no event", .warning)
        }
        if let first = table.numbers.first, first > 1 { line.append("  from \(Figures.count(first)) on", .dim) }
        if let filter = table.filter {
            line.append("  shown \(Figures.count(filter.matches.count))", .text)
            if filter.failure != nil {
                line.append(" until the filter failed", .error)
            } else if !filter.isThrough(table.numbers) {
                line.append("…", .dim)
            }
            line.append("  " + SafeText.line(String(filter.text.prefix(40))), .accent)
        }
        return line
    }

    private static func figure(_ rate: Double) -> String {
        guard rate < 9.95, rate > 0 else { return Figures.count(Int(rate.rounded())) }
        let tenths = Int((rate * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// Where the columns are: by the width, and by whether the times of records are known, so that nothing that comes moves them.
private struct Columns {
    private let metrics: OperationMetrics?
    private let width: Int
    private let isSession: Bool
    /// The first column behind the number.
    let numberEnd: Int
    let arrived: Int?
    let gapEnd: Int?
    let kind: Int?
    let kindWidth: Int
    let data: Int

    init(_ table: StreamTable, _ metrics: OperationMetrics?, width: Int) {
        self.metrics = metrics
        self.width = width
        isSession = table.isSession
        numberEnd = 8
        var next = numberEnd + 1
        let hasTimes = table[table.numbers.lowerBound].map { $0.arrived != nil } ?? true
        arrived = hasTimes && width >= 64 ? next : nil
        if arrived != nil { next += 13 }
        gapEnd = hasTimes && width >= 44 ? next + 8 : nil
        if let gapEnd { next = gapEnd + 2 }
        // Of a narrow session, only the arrow.
        kindWidth = table.isSession ? width >= 56 ? 8 : 1 : width >= 100 ? 14 : 8
        kind = table.isSession || table.kind == .eventStream && width >= 56 ? next : nil
        if kind != nil { next += kindWidth + 1 }
        data = next
    }

    func drawHeads(row: Int, on canvas: inout Canvas) {
        canvas.text("#", .dim, endColumn: numberEnd, row: row)
        if let arrived { canvas.text("arrived", .dim, column: arrived, row: row) }
        if let gapEnd { canvas.text(isSession ? "size" : "gap", .dim, endColumn: gapEnd, row: row) }
        if let kind { canvas.text("kind", .dim, column: kind, row: row) }
        canvas.text("data", .dim, column: data, row: row)
    }

    func draw(
        _ record: StreamRecord, of table: StreamTable, isOpen: Bool, left: Int, _ pattern: BodyPattern?, row: Int,
        on canvas: inout Canvas
    ) {
        canvas.text(isOpen ? "▾" : " ", .accent, column: 0, row: row)
        canvas.text(Figures.count(record.number), .lineNumber, endColumn: numberEnd, row: row)
        if let arrived { canvas.text(time(of: record), .dim, column: arrived, row: row) }
        if let gapEnd, isSession {
            if let passage = record.passage { canvas.text(Figures.bytes(Int64(passage.size)), .dim, endColumn: gapEnd, row: row) }
        } else if let gapEnd {
            // What came in one piece isn't what one looks for.
            let gap = table.gap(before: record)
            canvas.text(
                gap.map(Figures.duration) ?? "-", gap.map { $0 > .zero } == true ? .text : .dim, endColumn: gapEnd, row: row)
        }
        if let kind {
            let arrow = record.passage.map { $0.isSent ? "↑ " : "↓ " } ?? ""
            let role: ThemeRole = !isSession ? .accent : record.passage?.isSent == true ? .phaseSend : .phaseReceive
            let text = kindWidth == 1 ? String(arrow.prefix(1)) : arrow + SafeText.line(record.kind ?? "")
            canvas.text(text, role, column: kind, row: row, limit: kindWidth, ellipsis: true)
        }
        let room = max(0, width - data)
        let line = JSONGlance.line(record.data, columns: left + room + 1)
        canvas.line(line, column: data, row: row, offset: left, limit: room, ellipsis: true)
        if let pattern { canvas.draw(in: Rect(column: data, row: row, columns: room, rows: 1)) { $0.mark(pattern.text) } }
    }

    /// `12:04:31.402`, in UTC as everywhere here.
    private func time(of record: StreamRecord) -> String {
        guard let arrived = record.arrived, let metrics, metrics.enqueuedDate != nil else { return "-" }
        let milliseconds = (metrics.date(of: arrived).timeIntervalSince1970 * 1000).rounded(.down)
        let day = Int(milliseconds) % 86_400_000
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let fraction = day % 1000
        let digits = fraction < 10 ? "00\(fraction)" : fraction < 100 ? "0\(fraction)" : "\(fraction)"
        return "\(two(day / 3_600_000)):\(two(day / 60_000 % 60)):\(two(day / 1000 % 60)).\(digits)"
    }
}
