import RequestCollections
import TerminalUI

/// What the request pane shows: the tab, the row with the cursor, and what is being edited in place.
struct RequestPaneState: Hashable, Sendable {
    var tab = Tab.params
    /// What is open in the tab settings.
    var opened: Set<RequestPaneRow.More> = []
    var list = ListState()
    /// The text of a text or JSON body, or of a query: scrolled, and while ``editing`` is `body`, edited.
    var body = TextEditor()
    var editing: Editing?
    /// What is offered at the cursor of a query.
    var completion: QueryCompletion?
    /// What `/` looks for.
    var search = ""

    enum Tab: String, Hashable, Sendable, CaseIterable {
        case params, headers, body, auth, checks, settings
    }

    /// A field that is being edited where it stands.
    enum Editing: Hashable, Sendable {
        case line(RequestField, LineEditor)
        case body
    }

    /// Shows a tab from its first row on.
    mutating func show(_ tab: Tab) {
        self.tab = tab
        list = ListState(height: list.height)
    }

    mutating func showFirstRow() {
        list.select(0)
        body = TextEditor()
    }
}

extension RequestPaneState {
    /// Shows the tab so many to the right, coming round at the ends.
    mutating func showTab(by step: Int) {
        let tabs = Tab.allCases
        show(tabs[(tabs.firstIndex(of: tab) ?? 0).stepped(by: step, of: tabs.count)])
    }

    /// Moves over the rows that can be selected.
    ///
    /// - Parameter rows: `nil`: the text of the body scrolls.
    mutating func move(by distance: Int, over rows: [RequestPaneRow]?) {
        guard let rows else { return body.scroll(lines: distance) }
        let selectable = rows.indices.filter { rows[$0].isSelectable }
        guard let here = selectable.lastIndex(where: { $0 <= list.selected }) ?? selectable.indices.first else { return }
        list.select(selectable[min(max(0, here + distance), selectable.count - 1)])
    }

    mutating func select(_ row: RequestPaneRow, in rows: [RequestPaneRow]) {
        list.count = rows.count
        if let index = rows.firstIndex(of: row) { list.select(index) }
    }

    /// Keeps the cursor on a row that there is, and that can be selected.
    mutating func fit(_ rows: [RequestPaneRow]) {
        list.count = rows.count
        if rows.indices.contains(list.selected), !rows[list.selected].isSelectable {
            let row = list.selected
            let next =
                rows.indices.first { $0 > row && rows[$0].isSelectable } ?? rows.indices.last { $0 < row && rows[$0].isSelectable }
            list.select(next ?? 0)
        }
        // The heading above the selected row says what it is.
        if list.height > 1, list.top > 0, list.top == list.selected, rows.indices.contains(list.top),
            case .heading = rows[list.top - 1]
        {
            list.scroll(by: -1)
        }
    }

    /// To the next row with the text that is looked for, coming round at the ends.
    ///
    /// - Parameters:
    ///   - includesCursor: the row of the cursor comes first, not last.
    ///   - rows: `nil`: the text of the body is looked through.
    /// - Returns: whether there is one, or nothing is looked for.
    mutating func find(
        forward: Bool, includesCursor: Bool, in rows: [RequestPaneRow]?, of definition: RequestDefinition?
    ) -> Bool {
        let wanted = search.lowercased()
        guard !wanted.isEmpty else { return true }
        if let rows, let definition {
            let found = rows.indices.round(from: list.selected, forward: forward, includesStart: includesCursor).first {
                rows[$0].isSelectable && rows[$0].searchText(in: definition).lowercased().contains(wanted)
            }
            if let found { list.select(found) }
            return found != nil
        }
        guard rows == nil else { return false }
        let lines = body.buffer.lines
        for line in lines.indices.round(from: body.cursor.line, forward: forward, includesStart: includesCursor) {
            if let offset = lines[line].offset(ofLowercased: wanted) {
                body.move(.to(TextPosition(line: line, offset: offset)))
                return true
            }
        }
        return false
    }
}

extension RequestPaneRow {
    fileprivate func searchText(in definition: RequestDefinition) -> String {
        switch self {
        case .named(let rows, let index): "\(definition[rows][index].name) \(definition[rows][index].value)"
        case .inherited(_, let row): "\(row.name) \(row.value)"
        case .url: definition.url
        case .field(let field): definition.text(of: field) ?? ""
        case .explained(let row): "\(row.name) \(row.value)"
        case .want(_, let text, _): text
        case .heading, .problem, .preview, .empty, .inheritedAuth, .note, .origin, .overridden, .more: ""
        }
    }
}

extension String {
    /// Where a text begins that is given in lower case, in UTF-8 bytes.
    fileprivate func offset(ofLowercased wanted: String) -> Int? {
        var index = startIndex
        while index < endIndex {
            if self[index...].prefix(wanted.count).lowercased() == wanted { return utf8.distance(from: startIndex, to: index) }
            index = self.index(after: index)
        }
        return nil
    }
}

extension PaneDescription {
    static let request = PaneDescription(
        title: "Request", focus: .focusRequest, moment: .editing,
        commands: [.edit, .editExternally, .addRow, .deleteRow], takesFocus: { $0.selectedRequest == nil ? nil : true },
        perform: { $0.requestPane(perform: $1) },
        mouse: { $0.requestPane(mouse: $1, in: $2) },
        searchText: { $0.panes.request.search }, search: { $0.requestPane(search: $1) },
        hints: { state in
            switch state.panes.request.tab {
            case .params: [.edit, .method, .addRow, .nextTab]
            case .headers: [.edit, .addRow, .toggle, .deleteRow, .nextTab]
            case .body: [.edit, .editExternally, .nextTab]
            case .auth, .settings: [.edit, .toggle, .nextTab]
            case .checks: [.edit, .addRow, .deleteRow, .nextTab]
            }
        })
}

extension ExplorerState {
    /// The shown request as it stands now.
    var shownDefinition: RequestDefinition? { selectedRequest.flatMap { definition(of: $0) } }

    /// The rows of the request pane now.
    var requestRows: [RequestPaneRow] {
        guard let definition = shownDefinition, let context else { return [] }
        var rows = panes.request.tab.rows(
            of: definition, inherited: context.inherited, query: context.query, columns: requestArea.columns,
            opened: panes.request.opened)
        if explainsRequest { rows += withCookiesAlong(context.explained?.rows(columns: requestArea.columns) ?? []) }
        if layout.requestLine.map({ $0.rows > 1 }) ?? false { rows.removeAll { $0 == .preview } }
        return withTrust(rows)
    }

    /// Whether it is seen where every value comes from.
    var explainsRequest: Bool { panes.request.tab == .settings && panes.request.opened.contains(.origins) }

    /// The URL is edited in the request's line above the stage, and not in the pane.
    var urlHasLine: Bool { panes.request.tab == .params && layout.requestLine != nil && panes.request.list.count > 0 }

    /// The tabs in the pane's edge.
    var requestTabs: PaneTabs {
        let tabs = RequestPaneState.Tab.allCases.map { tab in
            let detail = shownDefinition.flatMap { definition in context.map { tab.detail(of: definition, $0.inherited) } } ?? ""
            return PaneTabs.Tab(name: tab.rawValue, detail: detail, isEmpty: detail.isEmpty)
        }
        return PaneTabs(
            tabs, selected: RequestPaneState.Tab.allCases.firstIndex(of: panes.request.tab) ?? 0, of: .request,
            columns: layout.panes[.request]?.columns ?? 80, showsName: layout.requestRail == nil)
    }

    /// The rows that are seen in the pane.
    var requestWindow: Range<Int> {
        let rows = requestListRows
        let window = panes.request.list.window(height: rows)
        guard urlHasLine else { return window }
        let first = max(1, window.lowerBound)
        return first..<max(first, min(panes.request.list.count, first + rows))
    }

    var selectedRequestRow: RequestPaneRow? {
        let rows = requestRows
        return rows.indices.contains(panes.request.list.selected) ? rows[panes.request.list.selected] : nil
    }

    /// Whether the tab ends in the text of the body.
    var requestShowsBodyText: Bool {
        panes.request.tab == .body && (shownDefinition?.body?.kind.editor == .text || requestShowsQuery)
    }

    /// Whether that text is a query: it has rows above it.
    private var requestShowsQuery: Bool { panes.request.tab == .body && shownDefinition?.graphQL?.text != nil }

    /// The rows of the pane that its list has at most; the text of the body has the others.
    private var requestListRows: Int {
        let rows = max(1, requestArea.rows)
        guard requestShowsQuery else { return rows }
        // Whoever types sees the text first.
        let least = panes.request.editing == .body ? max(rows - 1, 12) : min(6, rows / 2)
        return panes.request.editing == .body && panes.request.list.count + 12 <= rows
            ? panes.request.list.count : max(1, rows - least)
    }

    /// Where the text of the body is drawn, its line numbers included; `nil`: it isn't.
    var requestTextArea: Rect? {
        guard requestShowsBodyText else { return nil }
        let rest = requestArea.splitTop(requestWindow.count).rest
        return requestShowsQuery && rest.rows > 2 ? rest.splitBottom(1).rest : rest
    }

    /// What the cursor walks over; `nil`: the text of the body.
    private var walkedRows: [RequestPaneRow]? {
        if requestShowsQuery { return isAtQuery ? nil : requestRows }
        return requestShowsBodyText ? nil : requestRows
    }

    /// Whether the cursor is on the last row, below which the query stands.
    private var isAtQuery: Bool { panes.request.list.selected == panes.request.list.count - 1 }

    private mutating func moveInRequest(by distance: Int) {
        let leaves = requestShowsQuery && distance < 0 && panes.request.body.top == 0
        panes.request.move(by: distance, over: leaves ? requestRows : walkedRows)
    }

    mutating func requestPane(perform command: Command.ID) -> [ExplorerEffect]? {
        switch command {
        case .nextTab, .right, .previousTab, .left:
            panes.request.showTab(by: command == .nextTab || command == .right ? 1 : -1)
            fitRequestRows()
        case .up: moveInRequest(by: -1)
        case .down: moveInRequest(by: 1)
        case .pageUp: moveInRequest(by: -max(1, requestBodyRows - 1))
        case .pageDown: moveInRequest(by: max(1, requestBodyRows - 1))
        case .top: moveInRequest(by: -1_000_000)
        case .bottom: moveInRequest(by: 1_000_000)
        case .activate, .edit: return editSelectedRow()
        case .editExternally: return editExternally()
        case .toggle: return toggleSelectedRow()
        case .addRow: return addRow()
        case .deleteRow: return deleteSelectedRow()
        case .nextMatch, .previousMatch: findInRequest(forward: command == .nextMatch)
        default: return nil
        }
        return []
    }

    /// Keeps the cursor on a row that there is, and the body's text up to date. Called after each event.
    mutating func fitRequestRows() {
        guard let definition = shownDefinition else {
            panes.request.list.count = 0
            return
        }
        fitExplanation()
        let schema = schemaText
        context?.schema = schema
        panes.request.fit(requestRows)
        panes.request.list.height = requestListRows
        if requestShowsBodyText, panes.request.editing != .body, let text = definition.text(of: .body),
            panes.request.body.text != text
        {
            panes.request.body = TextEditor(text)
        }
        panes.request.body.viewport = Size(columns: requestBodyColumns, rows: requestBodyRows)
    }

    /// The rows of the pane that the body's text has.
    var requestBodyRows: Int { max(1, requestTextArea?.rows ?? requestArea.rows - 1) }
    private var requestBodyColumns: Int { max(1, requestArea.columns - panes.request.body.gutterColumns) }
    private var requestArea: Rect { layout.panes[.request]?.inner ?? Rect(screen.size) }

    // MARK: Mouse, search

    /// A row above `area` is the edge with the tabs.
    mutating func requestPane(mouse event: MouseEvent, in area: Rect) -> [ExplorerEffect] {
        let row = event.point.row - area.row
        if row < 0 {
            let tab = requestTabs.index(atColumn: event.point.column - area.column + 1)
            guard event.action == .press, let tab else { return [] }
            panes.request.show(RequestPaneState.Tab.allCases[tab])
            fitRequestRows()
            return []
        }
        switch event.action {
        case .wheelUp, .wheelDown:
            let distance = event.action == .wheelUp ? -3 : 3
            if requestShowsBodyText { panes.request.body.scroll(lines: distance) } else { panes.request.list.scroll(by: distance) }
        case .press, .doubleClick, .drag:
            let head = requestWindow.count
            if panes.request.editing == .body || (requestShowsBodyText && row >= head && event.action != .drag) {
                if requestShowsBodyText { beginEditingBody() }
                panes.request.completion = nil
                panes.request.body.moveToCell(
                    column: event.point.column - area.column - panes.request.body.gutterColumns, row: row - head,
                    extending: event.action == .drag)
                return []
            }
            let index = requestWindow.lowerBound + row
            guard event.action != .drag, requestWindow.contains(index), requestRows[index].isSelectable else { return [] }
            let isAgain = index == panes.request.list.selected
            panes.request.list.select(index)
            return event.action == .doubleClick || isAgain ? editSelectedRow() : []
        case .release: break
        }
        return []
    }

    mutating func requestPane(search text: String) -> [ExplorerEffect] {
        panes.request.search = text
        findInRequest(includesCursor: true)
        return []
    }

    private mutating func findInRequest(forward: Bool = true, includesCursor: Bool = false) {
        // Of a query its text is looked through, as of other texts.
        let rows = requestShowsBodyText ? nil : requestRows
        let isFound = panes.request.find(forward: forward, includesCursor: includesCursor, in: rows, of: shownDefinition)
        if isFound, requestShowsQuery, !panes.request.search.isEmpty { panes.request.list.select(panes.request.list.count - 1) }
        if !isFound { notice = Notice(.info, "\"\(panes.request.search)\" is not on this tab") }
    }
}
