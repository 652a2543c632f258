import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

extension ExplorerState {
    /// A key and a word, for the status line.
    struct Hint: Hashable, Sendable {
        var key: String
        var word: String
    }

    /// The ways to everything else: they are always shown, unless a text is being typed or something lies over the panes.
    var fixedHints: [Hint] { isTyping || overlay != nil ? [] : [.palette, .help, .quit].compactMap { hint($0) } }

    /// What can be done with the shown operation now.
    var verdictHints: [Hint] {
        if shownWaitingSend != nil { return [hint(.cancel)].compactMap(\.self) }
        if asksWhy { return [hint(.why)].compactMap(\.self) }
        guard let entry = shownOperation else { return [hint(.send)].compactMap(\.self) }
        if entry.state == .waitingToRetry { return [.retryNow, .stopRetrying].compactMap { hint($0) } }
        return entry.state.isFinal ? [] : [hint(.cancel)].compactMap(\.self)
    }

    /// What is most useful now, the most useful first. As many as fit are shown.
    var hints: [Hint] {
        switch front {
        case .overlay(let content):
            OverlayLayout(of: content, in: screen.size).hints == nil ? content.hints(in: self) : []
        case .savePath: [Hint(key: "Enter", word: "save"), Hint(key: "Esc", word: "don't")]
        case .search(let line):
            [Hint(key: "Enter", word: line.pane == .collection ? "keep" : "done"), Hint(key: "Esc", word: "clear")]
        case .filter: [Hint(key: "Enter", word: "done"), Hint(key: "Esc", word: "as it was")]
        case .message: [Hint(key: "Enter", word: "send"), Hint(key: "Esc", word: "leave"), Hint(key: "C-d", word: "close")]
        case .row(.line(.name, _)): [Hint(key: "Tab", word: "value")] + Self.lineHints
        case .row(.line(.value, _)): [Hint(key: "Tab", word: "next row"), Hint(key: "S-Tab", word: "name")] + Self.lineHints
        case .row(.line): Self.lineHints
        case .row(.body) where panes.request.completion != nil:
            [.init(key: "Tab", word: "take it"), .init(key: "↑ ↓", word: "choose"), .init(key: "Esc", word: "close")]
        case .row(.body): [Hint(key: "Esc", word: "done"), hint(.send, preferring: { $0.hasPrefix("F") })].compactMap(\.self)
        case .panes:
            awaitsTab
                ? tabLetters.map { Hint(key: "\($0.letter)", word: $0.tab.title) } + [Hint(key: keyName(.goToTab), word: "top")]
                : paneHints
        }
    }

    private var paneHints: [Hint] {
        var hints = hintedCommands.compactMap { hint($0) }
        if screen.focus == .collection, !panes.collection.filter.isEmpty, let key = keymap.keys(for: .back).first {
            hints.insert(Hint(key: key.name, word: "show all"), at: 0)
        }
        if screen.focus == .response, shownStream != nil {
            hints.insert(contentsOf: streamHints, at: min(1, hints.count))
        } else if screen.focus == .response, bodyWithCursor != nil, let key = keymap.keys(for: .activate).first {
            hints.insert(Hint(key: key.name, word: "fold"), at: min(2, hints.count))
        }
        if screen.focus == .response, !panes.response.filter.isEmpty, let key = keymap.keys(for: .back).first {
            // One thing at a time, as Escape takes it back.
            hints.insert(
                Hint(
                    key: key.name,
                    word: searchText(in: .response).isEmpty ? (shownStream == nil ? "whole body" : "show all") : "end search"),
                at: 0)
        }
        return hints
    }

    private static let lineHints = [Hint(key: "Enter", word: "done"), Hint(key: "Esc", word: "leave as it was")]

    /// The commands that help most, the most useful first.
    var hintedCommands: [Command.ID] {
        let isRunning = shownWaitingSend != nil || shownOperation.map { !$0.state.isFinal } ?? false
        let saves: [Command.ID] = selectedRequest.map(drafts.isUnsaved) ?? false ? [.save] : []
        let retries: [Command.ID] = shownOperation?.state == .waitingToRetry ? [.retryNow, .stopRetrying] : []
        let first: [Command.ID] = (asksWhy ? [.why] : []) + retries + (isRunning ? [.cancel] : [])
        return first + [.send] + saves + screen.focus.description.hints(self) + [.chooseEnvironment, .zoom]
    }

    private func hint(_ id: Command.ID, preferring isPreferred: (String) -> Bool = { _ in false }) -> Hint? {
        let names = keymap.keys(for: id).map(\.name)
        guard let name = names.first(where: isPreferred) ?? names.first, let command = Command[id] else { return nil }
        return Hint(key: name, word: command.hint)
    }
}

extension Command {
    static subscript(id: ID) -> Command? { all.first { $0.id == id } }
}

/// The last row: where one is, what runs, and either what has just been said or the keys that help now.
enum StatusLineView {
    /// - Returns: the notice, if the line has no room for it.
    static func draw(_ state: ExplorerState, in rect: Rect, on canvas: inout Canvas) -> Notice? {
        canvas.fill(rect, .statusLine)
        var cut: Notice?
        canvas.draw(in: rect) { canvas in
            if let search = state.searchLine, search.pane != .collection {
                canvas.text("/", .key, column: 1, row: 0)
                var field = state.place(of: search)
                field.row = 0
                search.line.draw(on: &canvas, in: field, isFocused: true, placeholder: "look for")
                drawHints(state.hints, [], from: field.endColumn + 1, on: &canvas)
                return
            }
            let columns = canvas.bounds.columns
            let notice = state.notice
            // The keys that lead out are always shown: the notice and the place take the room before them.
            let fixed = columns < 60 && notice != nil ? state.fixedHints.map { .init(key: $0.key, word: "") } : state.fixedHints
            let room = columns - 1 - fixed.reduce(0) { $0 + Self.columns($1) + 2 }
            let words = notice.map { min(DisplayWidth.of($0.text), 40) + 2 } ?? 0
            let left = canvas.line(
                place(state, columns: columns), column: 1, row: 0, limit: max(columns / 8, room - words - 1), ellipsis: true)
            let limit = max(12, room - left - 2)
            guard let notice, DisplayWidth.fits(notice.text, in: limit) else {
                cut = notice
                drawHints(state.hints, fixed, from: left + 2, on: &canvas)
                return
            }
            canvas.text(notice.text, role(notice.level), column: left + 2, row: 0, limit: limit)
            drawHints([], fixed, from: min(room, left + 14), on: &canvas)
        }
        return cut
    }

    /// What is too long for the line has rows of its own over the panes, until the next key: a reason is worth nothing by half.
    static func draw(_ notice: Notice, above line: Rect, on canvas: inout Canvas) {
        let columns = line.columns - 2
        let rows = StyledLine(notice.text, role(notice.level)).wrapped(columns: columns)
        let count = min(rows.count, line.row / 2)
        var area = Rect(column: 0, row: line.row - count, columns: line.columns, rows: count)
        // What is being typed stays in sight: the notice may be about it.
        if let cursor = canvas.frame.cursor, area.contains(cursor) { area.row = 0 }
        canvas.fill(area, .statusLine)
        canvas.draw(in: area) { canvas in
            for (row, text) in rows.prefix(count).enumerated() {
                canvas.line(text, column: 1, row: row)
            }
            if rows.count > count { canvas.text("…", role(notice.level), column: columns, row: count - 1) }
        }
    }

    private static func place(_ state: ExplorerState, columns: Int) -> StyledLine {
        var line = StyledLine()
        if let collection = state.shownCollection, columns >= 60 { line.append(collection.name, .strong) }
        if let environment = state.environment { line.append((line.spans.isEmpty ? "" : " ") + environment, .accent) }
        let counts = state.operations.counts
        if counts.running + counts.retrying + counts.waiting > 0 { line.append("  5", .key) }
        if counts.running > 0 { line.append(" \(counts.running) running", .stateRunning) }
        if counts.retrying > 0 { line.append(" \(counts.retrying) to retry", .stateWaitingToRetry) }
        if counts.waiting > 0 { line.append(" \(counts.waiting) waiting", .stateWaiting) }
        if state.operations.isSuspended { line.append("  paused", .warning) }
        if state.transport.usesMocks { line.append("  mocks", .warning) }
        if let warning = state.trustWarning { line.append("  \(warning)", .warning) }
        let unsaved = state.drafts.unsaved.count
        if unsaved > 0 { line.append("  ●\(unsaved) unsaved", .unsaved) }
        let arrivals = state.arrivals.count
        if arrivals > 0 { line.append("  \(Figures.count(arrivals, "message")) for you", .warning) }
        let conflicts = state.conflicts.count
        if conflicts > 0 { line.append("  ≠\(conflicts) changed on disk", .warning) }
        if let definition = state.shownDefinition, state.context?.trustsAnyone(definition) == true {
            line.append("  TLS not verified", .warning)
        }
        let runs = state.historyRows.count
        if runs > 0, columns >= 80 {
            line.append("  6", .key)
            line.append(" history \(Figures.count(runs))\(state.pastRuns.hasMore ? "+" : "")", .dim)
        }
        return line
    }

    /// To the right edge: first those that are never dropped, then as many of the others as fit, whole, the first ones first.
    private static func drawHints(
        _ hints: [ExplorerState.Hint], _ fixed: [ExplorerState.Hint], from start: Int, on canvas: inout Canvas
    ) {
        var shown: [ExplorerState.Hint] = []
        var width = 0
        func reserve(_ hint: ExplorerState.Hint) -> Bool {
            let next = columns(hint) + (width > 0 ? 2 : 0)
            guard start + width + next < canvas.bounds.columns else { return false }
            width += next
            return true
        }
        let kept = fixed.filter(reserve)
        let out = hints.filter { $0.key == "Esc" && reserve($0) }
        shown = hints.filter { out.contains($0) || reserve($0) } + kept
        var line = StyledLine()
        for hint in shown {
            if !line.spans.isEmpty { line.append("  ", .statusLine) }
            line.append(hint.key, .key)
            if !hint.word.isEmpty { line.append(" " + hint.word, .keyHelp) }
        }
        canvas.line(line, column: canvas.bounds.columns - 1 - width, row: 0)
    }

    private static func columns(_ hint: ExplorerState.Hint) -> Int {
        hint.key.count + (hint.word.isEmpty ? 0 : hint.word.count + 1)
    }

    private static func role(_ level: Notice.Level) -> ThemeRole {
        switch level {
        case .info: .info
        case .success: .success
        case .warning: .warning
        case .error: .error
        }
    }
}
