import OrderedCollections
import RequestCollections
import TerminalUI

/// What the collection pane shows: the tree, which folders are closed, the filter, and the row with the cursor.
struct CollectionPaneState: Sendable {
    private(set) var tree = RequestTree()
    private(set) var closed: Set<RequestReference> = []
    /// Empty: everything is shown.
    private(set) var filter = ""
    /// The entries of the tree that are rows now.
    private(set) var visible: [Int] = []
    private(set) var list = ListState()

    /// With more entries than this, folders begin closed.
    private static let opensUpTo = 200

    var selectedEntry: RequestTree.Entry? {
        list.selection.map { tree.entries[visible[$0]] }
    }

    func isClosed(_ entry: RequestTree.Entry) -> Bool {
        filter.isEmpty && closed.contains(entry.reference)
    }

    // MARK: The tree

    /// Keeps the selection and what is closed; folders never seen before begin open in a small tree.
    mutating func show(_ new: RequestTree) {
        let selected = selectedEntry
        let isFirst = tree.entries.isEmpty
        if new.entries.count > Self.opensUpTo {
            for entry in new.entries where entry.isOpenable && entry.depth > 0 || isFirst && entry.isFolder {
                if tree.index(of: entry.reference) == nil { closed.insert(entry.reference) }
            }
        }
        tree = new
        update(keeping: selected?.reference)
    }

    mutating func setFilter(_ text: String) {
        guard text != filter else { return }
        let selected = selectedEntry
        filter = text
        update(keeping: selected?.reference)
        if !text.isEmpty { selectFirstRequest() }
    }

    /// Opens what it lies in and puts the cursor on it; a filter that hides it ends.
    mutating func reveal(_ reference: RequestReference) {
        guard let index = tree.index(of: reference) else { return }
        if !filter.isEmpty, !visible.contains(index) { filter = "" }
        var parent = tree.entries[index].parent
        while let next = parent {
            closed.remove(tree.entries[next].reference)
            parent = tree.entries[next].parent
        }
        update(keeping: reference)
    }

    /// What was closed stays closed under its new name.
    mutating func follow(from: RequestReference, to: RequestReference) {
        closed = Set(closed.map { $0.moved(from: from, to: to) ?? $0 })
    }

    /// The row of a collection, when there are several.
    mutating func select(collection path: String) {
        let row = visible.firstIndex {
            tree.entries[$0].reference == RequestReference(collection: path, id: RequestID(rawValue: ""))
        }
        if let row { list.select(row) }
    }

    /// Recomputes the rows; the cursor stays on the entry, or on the nearest one that is still there.
    private mutating func update(keeping reference: RequestReference?) {
        visible = filter.isEmpty ? tree.visibleEntries(closed: closed) : tree.matches(filter)
        var row = list.selected
        if let index = reference.flatMap(tree.index(of:)) {
            // Rows are in the order of entries: the last one at or before it is the entry itself, or what hides it.
            row = visible.partitioningIndex { $0 > index } - 1
        }
        list.count = visible.count
        list.select(row)
    }

    /// The first request that is a row, unless the cursor is on one.
    mutating func selectFirstRequest() {
        if selectedEntry?.definition != nil { return }
        if let row = visible.firstIndex(where: { tree.entries[$0].definition != nil }) { list.select(row) }
    }

    // MARK: Moving

    mutating func setHeight(_ rows: Int) {
        list.height = rows
    }

    mutating func select(row: Int) {
        list.select(row)
    }

    /// - Returns: whether the command moves the cursor, or opens and closes what is under it.
    mutating func perform(_ command: Command.ID) -> Bool {
        switch command {
        case .up: list.move(by: -1)
        case .down: list.move(by: 1)
        case .pageUp: list.page(by: -1)
        case .pageDown: list.page(by: 1)
        case .top: list.select(0)
        case .bottom: list.select(visible.count - 1)
        case .left: if selectedIsOpen { setOpen(false) } else { selectParent() }
        case .right: if let entry = selectedEntry, entry.isOpenable, isClosed(entry) { setOpen(true) } else { list.move(by: 1) }
        case .toggle: toggleOpen()
        case .nextMatch, .previousMatch: selectNextRequest(forward: command == .nextMatch)
        default: return false
        }
        return true
    }

    private var selectedIsOpen: Bool { selectedEntry.map { $0.isOpenable && !isClosed($0) } ?? false }

    mutating func scroll(by rows: Int) {
        list.scroll(by: rows)
    }

    private mutating func setOpen(_ isOpen: Bool) {
        guard filter.isEmpty, let entry = selectedEntry, entry.isOpenable else { return }
        if isOpen { closed.remove(entry.reference) } else { closed.insert(entry.reference) }
        update(keeping: entry.reference)
    }

    mutating func toggleOpen() {
        guard let entry = selectedEntry else { return }
        setOpen(closed.contains(entry.reference))
    }

    /// To the folder that the cursor is in.
    private mutating func selectParent() {
        guard let parent = selectedEntry?.parent, let row = visible.firstIndex(of: parent) else { return }
        list.select(row)
    }

    private mutating func selectNextRequest(forward: Bool) {
        let row = visible.indices.round(from: list.selected, forward: forward).first { !tree.entries[visible[$0]].isOpenable }
        if let row { list.select(row) }
    }
}

extension RequestTree.Entry {
    fileprivate var isFolder: Bool {
        if case .folder = kind { true } else { false }
    }
}

extension [Int] {
    /// The first index whose element satisfies a condition that, once true, stays true.
    fileprivate func partitioningIndex(_ isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

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
        }, hints: { _ in [.activate, .search, .newRequest] })
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

    /// Goes to the row of a setting, also where it is one of those that nothing sets.
    mutating func go(toSetting setting: SettingField) {
        go(toRequest: .settings)
        let row = RequestPaneRow.field(.policy(setting))
        if !requestRows.contains(row) { panes.request.opened.insert(.defaults) }
        panes.request.select(row, in: requestRows)
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
