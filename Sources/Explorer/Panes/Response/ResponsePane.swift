import NetworkLayer
import OrderedCollections
import Presentation
import TerminalUI

/// What the response pane shows: the tab, and where in it.
struct ResponsePaneState: Hashable, Sendable {
    var tab = Tab.body
    var body = BodyViewState()
    /// Which attempt the tabs are about, and which are open in the tab timing.
    var attempt = AttemptChoice()
    /// What is seen of a stream.
    var stream = StreamView()
    /// What is looked for in the tabs other than the body, and the line it was found on.
    var searchText = ""
    var found = Found()
    /// Typed into: where the body is to be saved.
    var savePrompt: LineEditor?
    /// A jq filter, or a command after an exclamation mark; `""`: the whole body is shown.
    var filter = ""
    /// The filter of the tab log.
    var eventFilter = EventFilter()
    /// While the filter is typed.
    var filterLine: FilterLine?
    /// For the session that is open.
    var message = MessageLine()
    /// The first column of the log in sight.
    var logColumn = 0
    private var scrolls: [Tab: ScrollPosition] = [:]
    /// The request that was sent last: the tab was picked for its answers.
    private var tabRequest: RequestReference?
    /// The operation that all places belong to.
    private(set) var operation: OperationID?

    enum Tab: String, Hashable, Sendable, CaseIterable {
        case body, headers, timing, checks, log
    }

    /// The lines of a tab that a search found, as they were then.
    struct Found: Hashable, Sendable {
        var lines: [Int] = []
        /// An index into ``lines``.
        var current: Int?

        var currentLine: Int? { current.map { lines[$0] } }
    }

    /// The scroll position of a tab other than the body.
    func scroll(of tab: Tab) -> ScrollPosition {
        scrolls[tab] ?? ScrollPosition(follows: tab == .log)
    }

    mutating func move(_ step: ScrollPosition.Step, count: Int, rows: Int) {
        var scroll = scroll(of: tab)
        scroll.move(step, count: count, rows: rows, logs: tab == .log)
        scrolls[tab] = scroll
    }

    private static let widestLog = 200

    /// Bodies and the log run on beyond the edge; everything else is wrapped.
    mutating func scroll(sideways columns: Int, in document: BodyDocument?, size: Size) {
        switch tab {
        case .body: if let document { body.moveSideways(by: columns, in: document, size: size) }
        case .log: logColumn = min(max(0, logColumn + columns), Self.widestLog)
        case .headers, .timing, .checks: break
        }
    }

    /// The line that the filter of the body, or that of the events, is typed into.
    mutating func openFilterLine(ofEvents: Bool) {
        if !ofEvents { show(.body) }
        let before = ofEvents ? eventFilter.text : filter
        var line = LineEditor(before)
        line.selectAll()
        filterLine = FilterLine(line: line, before: before, isOfEvents: ofEvents)
    }

    /// A key while the path is typed.
    ///
    /// - Returns: the path, when the key ends it.
    mutating func typePath(_ key: KeyPress, clipboard: inout String) -> String? {
        guard key.key == .escape || key.key == .enter else {
            _ = savePrompt?.handle(key, clipboard: &clipboard)
            return nil
        }
        let path = savePrompt?.text ?? ""
        savePrompt = nil
        return key.key == .enter && !path.isEmpty ? path : nil
    }

    /// From the line that was found last, else from the top of the screen, coming round at the ends.
    mutating func find(step: Int, in lines: [StyledLine], rows: Int) {
        let text = searchText.lowercased()
        let current = found.currentLine
        let matches = text.isEmpty ? [] : lines.indices.filter { lines[$0].text.lowercased().contains(text) }
        found = .init(lines: matches)
        guard !matches.isEmpty else { return }
        let next: Int
        if let current {
            next =
                step > 0 ? matches.firstIndex { $0 > current } ?? 0 : matches.lastIndex { $0 < current } ?? matches.count - 1
        } else {
            let top = scroll(of: tab).firstLine(of: lines.count, rows: rows)
            next = matches.firstIndex { $0 >= top } ?? 0
        }
        found.current = next
        reveal(matches[next], count: lines.count, rows: rows)
    }

    mutating func reveal(_ line: Int, count: Int, rows: Int) {
        var scroll = scroll(of: tab)
        scroll.reveal(line, count: count, rows: rows)
        scrolls[tab] = scroll
    }

    /// A tab that was picked for another request's answer would hide what comes of this one.
    mutating func sending(_ request: RequestReference) {
        if let last = tabRequest, last != request { show(.body) }
        tabRequest = request
    }

    mutating func follow(from: RequestReference, to: RequestReference) {
        tabRequest = tabRequest.map { $0.moved(from: from, to: to) ?? $0 }
    }

    mutating func show(_ tab: Tab) {
        guard tab != self.tab else { return }
        self.tab = tab
        found = Found()
    }

    mutating func showTab(by step: Int) {
        let tabs = Tab.allCases
        let index = tabs.firstIndex(of: tab) ?? 0
        show(tabs[index.stepped(by: step, of: tabs.count)])
    }

    /// Another operation is shown: from the top, with the same tab, form and search.
    ///
    /// - Returns: whether it is another one.
    mutating func show(_ operation: OperationID?) -> Bool {
        guard operation != self.operation else { return false }
        self.operation = operation
        scrolls = [:]
        logColumn = 0
        found = Found()
        body.reset()
        stream = StreamView()
        return true
    }
}

extension PaneDescription {
    static let response = PaneDescription(
        title: "Response", focus: .focusResponse, moment: .sent,
        commands: [
            .raw, .wrap, .lineNumbers, .filter, .foldAll, .saveBody, .openBody, .readAs, .expectThis, .captureThis, .writeMessage,
            .closeSession,
        ],
        takesFocus: { _ in false }, perform: { $0.responsePane(perform: $1) },
        mouse: { $0.responsePane(mouse: $1, in: $2) }, searchText: { $0.panes.response.searchText },
        search: { $0.responsePane(search: $1) },
        hints: { state in
            switch state.panes.response.tab {
            case .body: [.nextTab, .search, .filter, .raw, .copy]
            case .timing: [.activate, .nextTab, .previousAttempt, .nextAttempt, .search, .copy]
            case .log: [.nextTab, .search, .filter, .copy]
            case .headers, .checks: [.nextTab, .search, .copy]
            }
        })
}

extension ExplorerState {
    /// A command while the response pane has the focus; `nil`: not one of its own.
    mutating func responsePane(perform command: Command.ID) -> [ExplorerEffect]? {
        if let effects = stream(perform: command) { return effects }
        if let step = ScrollPosition.Step(command) {
            scrollResponse(step)
            return []
        }
        switch command {
        case .previousTab: panes.response.showTab(by: -1)
        case .nextTab: panes.response.showTab(by: 1)
        case .left, .right:
            panes.response.scroll(sideways: command == .left ? -8 : 8, in: responseDocument, size: responseArea)
        case .nextMatch, .previousMatch: return findNextInResponse(backwards: command == .previousMatch)
        case .activate:
            switch panes.response.tab {
            // What has no parts to open has its change.
            case .body where bodyWithCursor == nil && shownOperation?.change != nil:
                return compareWithPrevious(operations.selected)
            case .body: fold { $0.toggleFold(in: $1, size: $2) }
            case .timing: if let entry = shownOperation { panes.response.attempt.toggle(of: entry) }
            case .headers, .checks, .log: return nil
            }
        case .foldAll:
            panes.response.show(.body)
            fold { $0.toggleAllFolds(in: $1, size: $2) }
        case .raw: return changeBodyMode()
        case .wrap, .lineNumbers:
            panes.response.show(.body)
            panes.response.body.toggle(command == .wrap ? \.wraps : \.showsNumbers, in: responseDocument, size: responseArea)
        case .filter: panes.response.openFilterLine(ofEvents: panes.response.tab == .log && screen.focus == .response)
        case .saveBody:
            panes.response.savePrompt = proposedPath.map { LineEditor($0) }
            if proposedPath == nil { notice = Notice(.info, "there is no body to save") }
        case .openBody: return openBodyElsewhere()
        case .readAs: open(readingChooser)
        case .expectThis: return expectThis()
        case .captureThis: return captureThis()
        case .edit where openSession != nil: return writeMessage()
        case .writeMessage: return writeMessage()
        case .closeSession: return closeSession()
        case .replay: return replay(operations.selected)
        case .compare: return compareWithPrevious(operations.selected)
        default: return nil
        }
        return []
    }

    /// A click or the wheel inside of the pane, whose inner part is `area`.
    mutating func responsePane(mouse event: MouseEvent, in area: Rect) -> [ExplorerEffect] {
        if let (_, table) = shownStream, let content = responsePlace,
            panes.response.stream.handle(event, table, in: content, height: streamHeight)
        {
            return []
        }
        switch event.action {
        case .wheelUp, .wheelDown:
            let rows = event.action == .wheelUp ? -3 : 3
            // What is seen moves, and not the cursor in it.
            if panes.response.tab == .body, let document = responseDocument {
                panes.response.body.wheel(by: rows, in: document, size: responseArea)
            } else {
                scrollResponse(.lines(rows))
            }
        case .press, .doubleClick:
            if let rect = layout.panes[.response], event.point.row == rect.row {
                guard let index = responseTabs.index(atColumn: event.point.column - rect.column) else { break }
                panes.response.show(ResponsePaneState.Tab.allCases[index])
            } else if case .change = responseNotes(columns: area.columns), event.point.row == layout.content(of: .response)?.row {
                return compareWithPrevious(operations.selected)
            } else if panes.response.tab == .timing, let content = responsePlace {
                clickTiming(row: event.point.row - (content.endRow - responseArea.rows), again: event.action == .doubleClick)
            } else if let document = bodyWithCursor, let content = responsePlace, event.point.row < content.endRow {
                let row = event.point.row - (content.endRow - responseArea.rows)
                guard row >= 0 else { break }
                panes.response.body.setCursor(toRow: row, in: document, size: responseArea)
                if event.action == .doubleClick { fold { $0.toggleFold(in: $1, size: $2) } }
            }
        case .drag, .release: break
        }
        return []
    }

    // MARK: Scrolling

    private mutating func scrollResponse(_ step: ScrollPosition.Step) {
        let size = responseArea
        if panes.response.tab != .body {
            panes.response.move(step, count: responseContent(columns: size.columns).lineCount, rows: size.rows)
        } else if let document = responseDocument {
            panes.response.body.move(step, in: document, size: size)
        }
    }

    /// After every event: other operations begin at their top, and a body that got smaller or wider is brought back into sight.
    mutating func fitResponse() -> [ExplorerEffect] {
        if panes.response.tab == .log, let entry = responseSubject(for: .log)?.entry {
            panes.response.eventFilter.look(at: entry.events, of: entry.id)
        }
        let effects =
            (panes.response.show(responseSubject(for: .body)?.entry.id) ? adoptBodyMode() : []) + askForStream() + askForFilter()
        panes.response.body.hasMargin = responseDocument?.kind == .json && !checkedPaths.isEmpty
        guard layout.panes[.response] != nil, panes.response.body.viewport != responseArea, let document = responseDocument else {
            return effects
        }
        panes.response.body.fit(in: document, size: responseArea)
        return effects
    }

    // MARK: The body

    /// The lines over the body that is on the screen.
    var responseDocument: BodyDocument? {
        guard let entry = responseSubject(for: .body)?.entry else { return nil }
        return document(of: entry)
    }

    /// The same; `nil` when it is another operation's.
    func responseDocument(of id: OperationID) -> BodyDocument? {
        responseSubject(for: .body)?.entry.id == id ? responseDocument : nil
    }

    func document(of id: OperationID) -> BodyDocument? {
        operations[id].flatMap { document(of: $0) }
    }

    /// The lines over an operation's body, or over what the filter makes of it.
    private func document(of entry: OperationEntry) -> BodyDocument? {
        if !panes.response.filter.isEmpty, let filtered = entry.filtered { return filtered.document }
        switch entry.body {
        case .ready(let document), .arriving(let document): return document
        case .none, .preparing, .failed: return nil
        }
    }

    /// Pretty, raw, hex, and round again. What comes is made beside the loop; until then the old one stays.
    private mutating func changeBodyMode() -> [ExplorerEffect] {
        panes.response.show(.body)
        if openSession != nil, shownStream != nil { return say("the transcript is a text once the session is closed") }
        if shownStream != nil, responseDocument == nil {
            // Its lines are asked for with the next tick.
            panes.response.body.mode = .raw
            return []
        }
        guard let entry = responseSubject(for: .body)?.entry, let document = responseDocument else { return [] }
        let modes = BodyMode.allCases
        var index = (modes.firstIndex(of: panes.response.body.mode) ?? 0) + 1
        // What can't be pretty is shown as hex already.
        if document.kind == .binary, modes[index % modes.count] == .hex, document.mode == .hex { index += 1 }
        let mode = modes[index % modes.count]
        panes.response.body.mode = mode
        // What arrives has one form; all of it takes the chosen one.
        if entry.isArriving { return [] }
        if !panes.response.filter.isEmpty, entry.filtered != nil { return show(filtered: document.inMode(mode), of: entry.id) }
        return [.prepareBody(entry.id, mode)] + show(document.inMode(mode), of: entry.id)
    }

    /// A body that was looked at in another form, or never, takes the form that is chosen now.
    mutating func adoptBodyMode() -> [ExplorerEffect] {
        guard let entry = responseSubject(for: .body)?.entry, case .ready(let document) = entry.body, !isInChosenMode(document)
        else { return [] }
        operations[entry.id]?.body = .ready(document.inMode(panes.response.body.mode))
        return [.prepareBody(entry.id, panes.response.body.mode)]
    }

    /// What can't be pretty is shown as hex.
    private func isInChosenMode(_ document: BodyDocument) -> Bool {
        let mode = panes.response.body.mode
        return document.mode == mode || document.kind == .binary && document.mode == .hex && mode == .pretty
    }

    /// Puts other lines over the same body. Those of a form that isn't wanted any more come too late.
    mutating func show(_ document: BodyDocument, of id: OperationID) -> [ExplorerEffect] {
        if case .ready = operations[id]?.body, !isInChosenMode(document) { return [] }
        guard operations[id]?.isReleased == false else { return [] }
        let old = responseDocument
        let isShown = responseSubject(for: .body)?.entry.id == id && operations[id]?.filtered == nil
        operations[id]?.body = .ready(document)
        guard isShown, let old, old.mode != document.mode else { return [] }
        return searchBody { $0.change(to: $1, from: old, size: $2) }
    }

    // MARK: The tree

    /// What the cursor is on: the tab `body` of a response that is a tree.
    var bodyWithCursor: BodyDocument? {
        guard panes.response.tab == .body, let document = responseDocument, panes.response.body.hasCursor(document) else {
            return nil
        }
        return document
    }

    /// Where in the JSON the cursor is, and what is there. A filter makes paths of its own.
    var placeUnderCursor: JSONPlace? {
        guard panes.response.filter.isEmpty else { return nil }
        return bodyWithCursor?.jsonPlace(ofLine: panes.response.body.cursor)
    }

    private mutating func fold(_ change: (inout BodyViewState, BodyDocument, Size) -> Bool) {
        guard let document = bodyWithCursor else {
            notice = Notice(
                .info,
                "nothing here can be folded: JSON and XML can, laid out (o) and not wrapped, or read as such (\(keyName(.readAs)))")
            return
        }
        guard document.isQuick || document.lineCount.isExact else {
            notice = Notice(.info, "the body is still being indexed")
            return
        }
        if !change(&panes.response.body, document, responseArea) { notice = Notice(.info, "there is nothing to fold") }
    }
}
