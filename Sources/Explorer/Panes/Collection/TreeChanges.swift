import OrderedCollections
import RequestCollections

/// The changes of the tree, and what waits for the one that is being written.
struct TreeChanges: Sendable {
    var undo: [TreeChange] = []
    var redo: [TreeChange] = []
    /// One is being written.
    var isChanging = false
    /// Where the tree's cursor was before something was added.
    var cursorsBefore: [TreeEdit: RequestReference] = [:]
    /// What was asked for meanwhile.
    var waiting: [Command.ID] = []
    /// What is to be told once it is in the tree.
    var pasted: PastedNote?
    /// The request of the demo that is to stand in the collection that is being made.
    var keeping: RequestReference?
    /// What lacks the variable that is being written.
    var sendAfter: RequestReference?

    mutating func write(_ edit: TreeEdit) -> [ExplorerEffect] {
        isChanging = true
        return [.changeTree(edit)]
    }

    mutating func undoLast() -> [ExplorerEffect]? { revert(undo.popLast()) }

    mutating func redoLast() -> [ExplorerEffect]? { revert(redo.popLast()) }

    private mutating func revert(_ change: TreeChange?) -> [ExplorerEffect]? {
        guard let change else { return nil }
        isChanging = true
        return [.revertTree(change)]
    }

    /// The change is in the files.
    mutating func wrote(_ change: TreeChange) {
        isChanging = false
        guard !change.undoing.isEmpty else { return }
        switch change.kind {
        case .made:
            undo.append(change)
            redo = []
        case .redone: undo.append(change)
        case .undone: redo.append(change)
        }
    }

    /// The change was refused; what waited for it isn't done either.
    mutating func failed() {
        isChanging = false
        pasted = nil
        sendAfter = nil
        waiting = []
    }
}

/// What the user wants of the tree: a change that is on the disk at once, and that undo takes back.
enum TreeEdit: Hashable, Sendable {
    /// - Parameter name: what the request is shown as from then on; empty: as its id. `nil` leaves it.
    case edit(CollectionEdit, in: String, name: String? = nil)
    /// To another collection.
    case transfer(RequestReference, to: TreePlace)
    /// A collection at a path that nothing has: without requests, or with those of another program's file.
    case create(RequestCollection.Form, at: String, name: String, from: String? = nil)
    /// A text for a variable: of an environment, or with `nil` of all of the collection.
    case setVariable(String, to: String, in: String?, of: String)
    /// A variable or an environment, from what was shown of it.
    case vary(VariableEdit, of: String)
}

/// A folder of a collection, or with `nil` the collection's own level.
struct TreePlace: Hashable, Sendable {
    var collection: String
    var folder: RequestID?

    init(_ collection: String, _ folder: RequestID? = nil) {
        self.collection = collection
        self.folder = folder
    }

    var title: String { folder?.rawValue ?? "the top" }

    func child(_ name: String) -> RequestReference {
        RequestReference(collection: collection, id: folder.child(name))
    }
}

/// A change of the tree that is done, and what takes it back.
struct TreeChange: Hashable, Sendable {
    var edit: TreeEdit
    var kind: Kind
    /// Empty: it can't be.
    var undoing: [CollectionChange.Step]

    enum Kind: Hashable, Sendable {
        case made, undone, redone
    }

    init(_ edit: TreeEdit, _ kind: Kind = .made, undoing: [CollectionChange.Step]) {
        self.edit = edit
        self.kind = kind
        self.undoing = undoing
    }

    /// What has moved, or gone; `nil`: it is new.
    var from: RequestReference? { kind == .undone ? edit.after : edit.before }
    /// Where it is now; `nil`: it is gone.
    var to: RequestReference? { kind == .undone ? edit.before : edit.after }
}

extension TreeEdit {
    fileprivate var before: RequestReference? {
        switch self {
        case .edit(.add, _, _), .edit(.addFolder, _, _), .edit(.duplicate, _, _), .create, .setVariable, .vary: nil
        case .edit(let edit, let path, _): RequestReference(collection: path, id: edit.id)
        case .transfer(let reference, _): reference
        }
    }

    fileprivate var after: RequestReference? {
        switch self {
        case .edit(let edit, let path, _): edit.result.map { RequestReference(collection: path, id: $0) }
        case .transfer(let reference, let place): place.child(String(reference.id.name))
        case .create, .setVariable, .vary: nil
        }
    }

    /// The collections that it changes.
    var paths: [String] {
        switch self {
        case .edit(_, let path, _): [path]
        case .transfer(let reference, let place): [reference.collection, place.collection]
        case .create(_, let path, _, _), .setVariable(_, _, _, let path), .vary(_, let path): [path]
        }
    }

    /// Whether it is about a variable or an environment of this collection.
    func isOfVariables(of path: String) -> Bool {
        switch self {
        case .setVariable(_, _, _, path), .vary(_, path): true
        case .edit, .transfer, .create, .setVariable, .vary: false
        }
    }

    /// A sentence that says what was done, in the past tense.
    var sentence: String {
        switch self {
        case .edit(.add(let request), _, _): "added \(request.id)"
        case .edit(.addFolder(let id), _, _): "added \(id)"
        case .edit(.duplicate(let id, let name), _, _): "duplicated \(id) as \(name)"
        case .edit(.rename(let id, let name), _, let title):
            name == id.name ? "\(id) is shown as \(title.flatMap { $0.isEmpty ? nil : $0 } ?? name)" : "renamed \(id) to \(name)"
        case .edit(.remove(let id), _, _): "deleted \(id)"
        case .edit(.reorder(let id, _), _, _): "moved \(id)"
        case .edit(.move(let id, let folder), let path, _): "moved \(id) to \(TreePlace(path, folder).title)"
        case .transfer(let reference, let place):
            "moved \(reference.id) to \(place.folder?.rawValue ?? "the top") of \(place.collection)"
        case .create(_, let path, _, let source): "made the collection \(path)" + (source.map { " of \($0)" } ?? "")
        case .vary(let edit, _): edit.sentence
        case .setVariable(let name, _, let environment, _): "set \(name)" + (environment.map { " in \($0)" } ?? "")
        }
    }
}

extension RequestReference {
    /// The same in another place, when it is `old` or lies in it.
    func moved(from old: RequestReference, to new: RequestReference) -> RequestReference? {
        guard collection == old.collection, let id = id.moved(from: old.id, to: new.id) else { return nil }
        return RequestReference(collection: new.collection, id: id)
    }

    func isIn(_ other: RequestReference) -> Bool { moved(from: other, to: other) != nil }
}

extension ExplorerState {
    /// The tree is another one now. Whatever is known of what has moved goes along.
    mutating func changed(
        _ change: TreeChange, _ new: [RequestCollection], remarks: [String]
    ) -> [ExplorerEffect] {
        treeChanges.wrote(change)
        if case .create(_, workspace.unwritten?.path, _, _) = change.edit { workspace.unwritten = nil }
        if change.from == nil, change.to != nil {
            treeChanges.cursorsBefore[change.edit] = panes.collection.selectedEntry?.reference
        }
        let isUnderCursor = change.from.map { gone in panes.collection.selectedEntry?.reference.isIn(gone) ?? false } ?? false
        var effects = follow(change) + followPutBack(change)
        for collection in new { effects += loaded(collection) }
        if case .edit(.duplicate(let id, _), let path, _) = change.edit, change.kind == .made, let to = change.to {
            effects += drafts.copy(from: RequestReference(collection: path, id: id), to: to, in: tree)
        }
        if isTyping {
            // The cursor stays with what is being typed.
        } else if case .create(_, let path, _, nil) = change.edit, treeChanges.keeping == nil {
            panes.collection.select(collection: path)
        } else if let to = change.to {
            panes.collection.reveal(to)
            requestUnderCursorChanged()
        } else if isUnderCursor, change.from != nil, let before = treeChanges.cursorsBefore[change.edit],
            tree.index(of: before) != nil
        {
            // What was added is gone again: back to where one was then.
            panes.collection.reveal(before)
            requestUnderCursorChanged()
        }
        refreshContext(isStale: true)
        notice = Notice(.success, sentence(of: change))
        tellOfPasted(change)
        if !remarks.isEmpty {
            let rest = remarks.count > 8 ? ["and \(remarks.count - 8) more"] : []
            arrive(.dialog(Dialog(title: "Done, but look at this", lines: Array(remarks.prefix(8)) + rest)))
        }
        effects += sendAfter(change) + keepInNew(change) + nextTreeCommand()
        if drafts.quitsWhenSaved { effects += drafts.unsaved.isEmpty ? [.quit] : save(drafts.unsaved) }
        return effects
    }

    mutating func treeChangeFailed(_ message: String) {
        treeChanges.failed()
        treeChanges.keeping = nil
        drafts.puttingBack = nil
        drafts.quitsWhenSaved = false
        if case .variables = overlay {
            notice = Notice(.error, message)
        } else {
            arrive(.dialog(Dialog(title: "Not changed", lines: [message])))
        }
    }

    private mutating func nextTreeCommand() -> [ExplorerEffect] {
        while !treeChanges.waiting.isEmpty, !treeChanges.isChanging {
            if let effects = changeTreeNow(treeChanges.waiting.removeFirst()), !effects.isEmpty { return effects }
        }
        return []
    }

    private func sentence(of change: TreeChange) -> String {
        switch change.kind {
        case .undone: "taken back: \(change.edit.sentence)"
        case .redone: "again: \(change.edit.sentence)"
        case .made: change.undoing.isEmpty ? change.edit.sentence : "\(change.edit.sentence); \(keyName(.undo)) takes it back"
        }
    }

    // MARK: What goes along

    private mutating func follow(_ change: TreeChange) -> [ExplorerEffect] {
        guard let from = change.from else { return change.to.map { drafts.bringBack($0) } ?? [] }
        guard let to = change.to else { return drafts.putAside(from) }
        guard from != to else { return [] }
        operations.follow(from: from, to: to)
        selectedRequest = selectedRequest.map { $0.moved(from: from, to: to) ?? $0 }
        panes.collection.follow(from: from, to: to)
        panes.response.follow(from: from, to: to)
        return drafts.follow(from: from, to: to)
    }
}
