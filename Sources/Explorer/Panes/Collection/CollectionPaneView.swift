import HTTPTypes
import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// Draws the collection pane inside of its border, and its title into it.
enum CollectionPaneView {
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        let pane = state.panes.collection
        canvas.pane(.collection, of: state, in: rect, details: details(state))
        guard var area = state.layout.content(of: .collection) else { return }
        if let row = state.treeFilterRow {
            drawFilter(state, in: row, on: &canvas)
            area = area.splitTop(1).rest
        }
        guard !pane.visible.isEmpty else {
            drawNothing(state, in: area, on: &canvas)
            return
        }
        let rows = pane.list.top..<max(pane.list.top, min(pane.list.count, pane.list.top + area.rows))
        let words = pane.filter.lowercased().split(separator: " ")
        if let selected = pane.list.selection, rows.contains(selected) {
            canvas.selection(selected - rows.lowerBound, of: area, in: rect, isFocused: state.screen.focus == .collection)
        }
        canvas.draw(in: area) { canvas in
            for row in rows {
                let entry = pane.tree.entries[pane.visible[row]]
                draw(entry, of: state, words: words, row: row - rows.lowerBound, on: &canvas)
            }
        }
        canvas.scrollbar(
            column: rect.endColumn - 1, rows: area.row..<area.endRow, visible: rows, total: pane.visible.count)
    }

    private static func details(_ state: ExplorerState) -> StyledLine {
        var line = StyledLine()
        let problems = state.problemCount
        if problems > 0 { line.append("✗\(problems) ", .error) }
        return line
    }

    private static func drawFilter(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        canvas.text("/", .key, column: rect.column, row: rect.row)
        let field = rect.splitLeft(1).rest
        if let search = state.searchLine, search.pane == .collection {
            search.line.draw(on: &canvas, in: field, isFocused: true, placeholder: "name, path or method")
        } else {
            canvas.text(
                state.panes.collection.filter, .accent, column: field.column, row: field.row, limit: field.columns, ellipsis: true)
        }
    }

    private static func drawNothing(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) {
        let key = state.keymap.keys(for: .newRequest).first?.name ?? ""
        let lines =
            state.panes.collection.filter.isEmpty
            ? ["No requests.", "\(key) adds one. Or open", "a collection:", "turnstone FOLDER"]
            : ["Nothing matches.", "Esc shows all."]
        canvas.draw(in: rect) { canvas in
            for (row, line) in lines.enumerated() { canvas.text(line, .dim, column: 0, row: row, ellipsis: true) }
        }
    }

    // MARK: Rows

    private static func draw(
        _ entry: RequestTree.Entry, of state: ExplorerState, words: [Substring], row: Int, on canvas: inout Canvas
    ) {
        let isWide = canvas.bounds.columns >= 26
        var column = entry.depth * (isWide ? 2 : 1)
        var end = canvas.bounds.columns
        switch entry.kind {
        case .collection, .folder:
            let isClosed = state.panes.collection.isClosed(entry)
            canvas.text(isClosed ? "▸" : "▾", .dim, column: column, row: row)
            column += 2
            draw(entry.name, isCollection(entry) ? .strong : .title, words, column: column, row: row, end: end, on: &canvas)
        case .request:
            let method = entry.method.map { state.definition(of: entry.reference)?.method ?? $0 } ?? ""
            canvas.text(badge(method), MethodText.role(method), column: column, row: row)
            column += 5
            if state.hasOpenWants(entry.reference) { column = canvas.text("!", .warning, column: column, row: row) }
            if let status = state.waitingSend(of: entry.reference) != nil
                ? .init("◦", .stateWaiting)
                : StatusWord.span(
                    of: state.latestOperation(of: entry.reference), now: state.now, separator: isWide ? " " : "")
            {
                canvas.text(status.text, status.role, endColumn: end, row: row)
                end -= status.text.count + 1
            }
            if entry.definition?.problems.isEmpty == false {
                canvas.text("✗", .error, endColumn: end, row: row)
                end -= 2
            }
            if state.drafts.isUnsaved(entry.reference) {
                let isConflict = state.isConflict(entry.reference)
                let isMissing = state.isMissing(entry.reference) && state.drafts[entry.reference]?.isNew != true
                canvas.text(
                    isConflict ? "≠" : isMissing ? "?" : "●", isConflict || isMissing ? .warning : .unsaved, endColumn: end,
                    row: row)
                end -= 2
            }
            // `POST /orders`, as a pasted command is called: the method stands before it already.
            let name = entry.name.hasPrefix("\(method) /") ? String(entry.name.dropFirst(method.count + 1)) : entry.name
            draw(name, .text, words, column: column, row: row, end: end, on: &canvas)
        case .problem(let problem):
            column = canvas.text("✗ ", .error, column: column, row: row)
            column = canvas.text(entry.name, .error, column: column, row: row, limit: end - column, ellipsis: true)
            canvas.text(" \(problem.message)", .dim, column: column, row: row, limit: end - column, ellipsis: true)
        case .warning(let problem):
            column = canvas.text("! ", .warning, column: column, row: row)
            column = canvas.text(entry.name, .dim, column: column, row: row, limit: end - column, ellipsis: true)
            canvas.text(" \(problem.message)", .dim, column: column, row: row, limit: end - column, ellipsis: true)
        }
    }

    private static func isCollection(_ entry: RequestTree.Entry) -> Bool {
        if case .collection = entry.kind { true } else { false }
    }

    /// A name with the words that the filter found in it.
    private static func draw(
        _ name: String, _ role: ThemeRole, _ words: [Substring], column: Int, row: Int, end: Int, on canvas: inout Canvas
    ) {
        canvas.text(name, role, column: column, row: row, limit: end - column, ellipsis: true)
        for word in words {
            guard let match = name.lowercased().firstRange(of: word) else { continue }
            let lower = name.lowercased()
            let start = column + DisplayWidth.of(lower[..<match.lowerBound])
            let width = min(DisplayWidth.of(lower[match]), end - start)
            canvas.restyle(Rect(column: start, row: row, columns: width, rows: 1), .searchMatch)
        }
    }

    /// At most four letters.
    private static func badge(_ method: String) -> String {
        badges[method] ?? String(method.prefix(4))
    }

    private static let badges = [
        "PATCH": "PTCH", "DELETE": "DEL", "OPTIONS": "OPTS", "TRACE": "TRCE", "QUERY": "QURY",
        RequestDefinition.webSocketMethod: "WS",
    ]
}

/// What the last operation of a request came to, or does: a sign, and at most four letters.
enum StatusWord {
    static func span(of entry: OperationEntry?, now: MonotonicTime, separator: String) -> StyledLine.Span? {
        guard let entry else { return nil }
        if let verdict = entry.verdict { return VerdictText.short(verdict, status: entry.status, separator: separator) }
        switch entry.state {
        case .idle, .waiting: return .init("◦", .stateWaiting)
        case .waitingToRetry:
            let left = entry.metrics.retryDue.map { seconds(max(.zero, $0 - now)) } ?? ""
            return .init("↻\(separator)\(left)", .stateWaitingToRetry)
        case .preparing, .starting, .running:
            let time = entry.metrics.enqueued.map { seconds(max(.zero, now - $0)) } ?? ""
            return .init("▶\(separator)\(time)", .stateRunning)
        case .cancelled, .failed, .succeeded: return .init("▶\(separator)✓?", .stateRunning)
        }
    }

    /// `0.3`, `12`, `340`, in three places.
    private static func seconds(_ duration: Duration) -> String {
        let tenths = duration.wholeNanoseconds / 100_000_000
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(min(999, tenths / 10))"
    }
}
