import OrderedCollections
import RequestCollections
import TerminalUI

extension PaneDescription {
    static let collection = PaneDescription(
        title: "Requests", focus: .focusCollection,
        commands: [
            .newRequest, .newFolder, .newCollection, .duplicateEntry, .renameEntry, .deleteEntry, .moveEntry, .moveEntryUp,
            .moveEntryDown,
        ],
        perform: { $0.collectionPane(perform: $1) },
        mouse: { $0.collectionPane(mouse: $1, in: $2) },
        searchText: { $0.panes.collection.filter },
        search: { state, text in
            state.panes.collection.setFilter(text)
            state.requestUnderCursorChanged()
            return []
        }, hints: { _ in [.activate, .search, .newRequest] },
        rows: { state, area in
            let list = state.panes.collection.list
            // The filter has the first row.
            let first = area.row + (state.panes.collection.filter.isEmpty ? 0 : 1)
            return list.visible.map { index in
                let entry = state.tree.entries[state.panes.collection.visible[index]]
                return (.entry(entry.reference), Point(column: area.column, row: first + index - list.top))
            }
        })
}

extension ExplorerState {
    mutating func collectionPane(perform command: Command.ID) -> [ExplorerEffect]? {
        if panes.collection.perform(command) {
            requestUnderCursorChanged()
            return []
        }
        switch command {
        case .activate: return activateEntry()
        case .send:
            guard let entry = panes.collection.selectedEntry, entry.definition == nil else { return nil }
            return say(entry.isOpenable ? "pick a request: a folder can't be sent" : "this file could not be read")
        default: return changeTree(perform: command)
        }
    }

    private mutating func activateEntry() -> [ExplorerEffect] {
        guard let entry = panes.collection.selectedEntry else { return [] }
        switch entry.kind {
        case .collection, .folder: panes.collection.toggleOpen()
        case .request:
            requestUnderCursorChanged()
            screen.setFocus(.request)
        case .problem(let problem):
            overlay = .dialog(Dialog(about: problem))
        case .warning(let problem):
            overlay = .dialog(Dialog(about: problem, title: "A warning"))
        }
        return []
    }

    /// Goes to a tab of the request.
    mutating func go(toRequest tab: RequestPaneState.Tab) {
        screen.setFocus(.request)
        panes.request.show(tab)
    }

    /// Goes to a tab of the response.
    mutating func go(toResponse tab: ResponsePaneState.Tab) {
        screen.setFocus(.response)
        panes.response.show(tab)
    }

    /// The panes follow the cursor. On a folder they stay with the request that they show.
    mutating func requestUnderCursorChanged() {
        if let entry = panes.collection.selectedEntry, entry.definition != nil { show(request: entry.reference) }
    }

    /// Makes the panes about a request: its draft, and its last operation.
    mutating func show(request reference: RequestReference) {
        guard reference != selectedRequest else { return }
        selectedRequest = reference
        refreshContext()
        panes.request.showFirstRow()
        operations.selected = operations.latest[reference]
    }

    mutating func collectionPane(mouse event: MouseEvent, in area: Rect) -> [ExplorerEffect] {
        switch event.action {
        case .wheelUp: panes.collection.scroll(by: -3)
        case .wheelDown: panes.collection.scroll(by: 3)
        case .press, .doubleClick:
            guard let row = panes.collection.list.index(atRow: event.point.row - area.row) else { return [] }
            panes.collection.select(row: row)
            if let entry = panes.collection.selectedEntry, entry.isOpenable { panes.collection.toggleOpen() }
            requestUnderCursorChanged()
            if event.action == .doubleClick { return activateEntry() }
        case .drag, .release: break
        }
        return []
    }

    // MARK: What the other panes ask

    var tree: RequestTree { panes.collection.tree }

    /// A request as it stands now: the draft, or what the file says.
    func definition(of reference: RequestReference) -> RequestDefinition? {
        drafts[reference]?.current ?? tree.definition(of: reference)
    }

    /// The environment that the shown request is sent in.
    var environment: String? {
        selectedRequest.flatMap { workspace.environments[$0.collection] }
    }

    /// The collection that the panes are about.
    var shownCollection: RequestCollection? {
        selectedRequest.flatMap { workspace[$0.collection] } ?? workspace.collections.values.first
    }

    /// What could not be read, in all collections.
    var problemCount: Int { workspace.collections.values.reduce(0) { $0 + $1.problems.count } }

    func latestOperation(of reference: RequestReference) -> OperationEntry? {
        operations.latest[reference].flatMap { operations[$0] }
    }
}
