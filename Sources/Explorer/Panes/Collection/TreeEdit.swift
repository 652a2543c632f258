import RequestCollections

/// What the user wants of the tree: a change that is on the disk at once, and that undo takes back.
enum TreeEdit: Hashable, Sendable {
    /// - Parameter name: what the request is shown as from then on; empty: as its id. `nil` leaves it.
    case edit(CollectionEdit, in: String, name: String? = nil)
    /// To another collection.
    case transfer(RequestReference, to: TreePlace)
    /// A collection without requests, at a path that nothing has.
    case create(RequestCollection.Form, at: String, name: String)
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
        case .create(_, let path, _), .setVariable(_, _, _, let path), .vary(_, let path): [path]
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
        case .create(_, let path, _): "made the collection \(path)"
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
