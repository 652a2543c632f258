/// A change of the tree: what is in it, where, and under which name.
///
/// A value, so that it can be tested, kept and shown; ``RequestCollection/applying(_:)`` says what it does to the files.
package enum CollectionEdit: Hashable, Sendable {
    /// At the end of its folder, with everything that it says.
    case add(RequestDefinition)
    /// At the end of its folder, empty.
    case addFolder(RequestID)
    /// Behind the original.
    case duplicate(RequestID, as: String)
    case rename(RequestID, to: String)
    case remove(RequestID)
    /// In front of a neighbour; `nil`: to the end. A directory's order is that of its names, so there this is refused.
    case reorder(RequestID, before: RequestID?)
    /// To the end of a folder; `nil`: of the collection's own level.
    case move(RequestID, into: RequestID?)
}

extension CollectionEdit {
    /// A request of which only the method and the URL are known.
    package static func addRequest(_ id: RequestID, method: String, url: String) -> CollectionEdit {
        .add(RequestDefinition(id: id, method: method, url: url, location: SourceLocation(path: "", line: 0, column: 0)))
    }

    /// The request or folder that it is about, as it is named before.
    package var id: RequestID {
        switch self {
        case .add(let request): request.id
        case .addFolder(let id), .duplicate(let id, _), .rename(let id, _), .remove(let id), .reorder(let id, _), .move(let id, _):
            id
        }
    }

    /// What ``id`` is called afterwards, or its copy; `nil` when it is gone.
    package var result: RequestID? {
        switch self {
        case .add(let request): request.id
        case .addFolder(let id), .reorder(let id, _): id
        case .duplicate(let id, let name), .rename(let id, let name): id.parent.child(name)
        case .move(let id, let folder): folder.child(String(id.name))
        case .remove: nil
        }
    }
}

extension RequestID {
    /// The folder around it; `nil` on the collection's own level.
    package var parent: RequestID? {
        rawValue.lastIndex(of: "/").map { RequestID(rawValue: String(rawValue[..<$0])) }
    }

    package var components: [String] { rawValue.split(separator: "/", omittingEmptySubsequences: false).map(String.init) }

    /// The same in another place of the tree, when it is in this one or lies below it.
    package func moved(from old: RequestID, to new: RequestID) -> RequestID? {
        rawValue.rest(below: old.rawValue).map { RequestID(rawValue: new.rawValue + $0) }
    }
}

extension RequestID? {
    /// The one of a name in this folder.
    package func child(_ name: String) -> RequestID {
        RequestID(rawValue: map { "\($0)/\(name)" } ?? name)
    }
}

extension RequestCollection {
    /// What has to change on disk for a change of the tree.
    ///
    /// Only the bytes of what moves, comes or goes are touched; a request takes its comments along. Names that other requests have for
    /// one that is renamed or moved (`needs`, `response("...")`), and paths that are relative to its file, follow where they stand as
    /// plain text; where they don't, ``CollectionChange/remarks`` says so. The result is parsed again before it is handed out, and
    /// must be the tree that was asked for.
    ///
    /// - Throws: ``CollectionProblem`` when there is no such request, the name is taken, or the file has a form that can't be edited in
    ///   place; ``CollectionFileError`` when a file can't be read, or isn't any more what the collection was read from. Nothing is
    ///   written in any case.
    package func applying(_ edit: CollectionEdit) throws -> CollectionChange {
        try check(edit)
        let change = isFile ? try fileChange(edit) : try directoryChange(edit)
        return try change.takingReferences(along: edit, from: self)
    }

    /// What is deleted must be what was seen: of anything else that others write, the change goes along with theirs.
    ///
    /// - Parameter shown: the collection as the person saw it.
    package func checkUnchanged(_ shown: RequestCollection, for edit: CollectionEdit) throws(CollectionProblem) {
        guard case .remove(let id) = edit, shown.says(id) != says(id) else { return }
        throw refusal("`\(id)` was changed on disk since it was shown; look at it, then delete it again")
    }

    /// What a request or folder says, wherever it stands.
    private func says(_ id: RequestID) -> [SaidNode]? {
        var alone = RequestCollection(path: "", name: "")
        alone.nodes = node(id).map { [$0] } ?? []
        return try? alone.said().nodes
    }

    /// One file holds all of it.
    var isFile: Bool { files[path] != nil }

    /// Whether the tree can be changed so: asks only what was read, and no file.
    ///
    /// - Throws: why not, and the way out.
    package func check(_ edit: CollectionEdit) throws(CollectionProblem) {
        if isForeign, let problem = problems.first { throw problem }
        switch edit {
        case .add(let request):
            guard isToken(request.method) else {
                throw refusal("`\(request.method)` can't be a method; it takes letters, digits and !#$%&'*+-.^_`|~")
            }
            try checkFolder(request.id.parent)
        case .addFolder(let id): try checkFolder(id.parent)
        case .duplicate(let id, _), .rename(let id, _), .remove(let id): _ = try existing(id)
        case .reorder(let id, let next):
            _ = try existing(id)
            guard isFile else {
                // What is to be done comes first: there may be no room for more.
                let file = id.parent.map { "\($0.rawValue)/_folder.yaml" } ?? "_collection.yaml"
                throw refusal("`order: [\(id.name)]` in \(file) puts it first; otherwise a directory is in the order of its names")
            }
            if let next {
                _ = try existing(next)
                guard next.parent == id.parent else {
                    throw refusal("`\(next)` isn't beside `\(id)`; move `\(id)` into its folder first")
                }
            }
        case .move(let id, let folder):
            _ = try existing(id)
            try checkFolder(folder)
            if let folder, folder.moved(from: id, to: id) != nil { throw refusal("`\(id)` can't be moved into itself") }
        }
        switch edit {
        case .duplicate(_, let name), .rename(_, let name):
            guard !name.contains("/") else {
                throw refusal("`\(name)` can't be a name: a `/` separates the levels of the tree")
            }
        default: break
        }
        if let result = edit.result, result != edit.id || edit.addsNode { try checkFree(result) }
    }

    func checkFolder(_ id: RequestID?) throws(CollectionProblem) {
        guard let id else { return }
        guard case .folder = try existing(id) else { throw refusal("`\(id)` is a request, not a folder") }
    }

    func checkFree(_ id: RequestID) throws(CollectionProblem) {
        let name = id.components.last ?? ""
        guard !name.isEmpty, !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw refusal("a request or folder needs a name of one line")
        }
        if !isFile, name.contains(".") || name.hasPrefix("_") {
            throw refusal("`\(name)` can't be a name here: a file's name is the request's, and takes no dot and no `_` in front")
        }
        guard node(id) == nil else { throw refusal("there is a `\(id)` already; choose another name") }
    }

    func existing(_ id: RequestID) throws(CollectionProblem) -> Node {
        guard let node = node(id) else { throw refusal("the collection has no `\(id)`") }
        return node
    }

    func refusal(_ message: String) -> CollectionProblem {
        CollectionProblem(location: SourceLocation(path: path, line: 1, column: 1), message: message)
    }

    /// A request or folder.
    package func node(_ id: RequestID) -> Node? {
        var level = nodes
        while true {
            guard let node = level.first(where: { id.moved(from: $0.id, to: $0.id) != nil }) else { return nil }
            if node.id == id { return node }
            guard case .folder(let folder) = node else { return nil }
            level = folder.nodes
        }
    }

    /// The bytes of a file, as long as they are those that were read.
    func bytes(of path: String) throws(CollectionFileError) -> [UInt8] {
        let bytes = try FileContents.read(path, limit: YAMLDocument.Limits.size)
        guard files[path] == FileFingerprint(bytes) else { throw CollectionChange.changedOnDisk(path) }
        return bytes
    }
}

extension CollectionEdit {
    fileprivate var addsNode: Bool {
        switch self {
        case .add, .addFolder, .duplicate: true
        case .rename(let id, let name): id.name != name
        case .move(let id, let folder): id.parent != folder
        case .remove, .reorder: false
        }
    }
}

extension DesiredValue {
    static var newFolder: DesiredValue {
        .map([DesiredEntry(source: nil, key: "requests", value: .map([], .flow))], .block)
    }
}

extension RequestCollection {
    /// The two forms of a collection.
    package enum Form: Hashable, Sendable, CaseIterable {
        case file, directory
    }

    /// What makes a new collection, without requests.
    ///
    /// - Parameter path: of the file, or of the directory; nothing may have it.
    package static func creating(_ form: Form, at path: String, name: String) throws(CollectionFileError) -> CollectionChange {
        guard !FileContents.exists(path) else {
            throw CollectionFileError(path: path, message: "is there already; choose another name")
        }
        let head = "turnstone: 1\nname: \(ValueRenderer(step: 2).key(name, isFlow: false))\n"
        let steps: [CollectionChange.Step] =
            switch form {
            case .file: [.create(path, Array((head + "requests: {}\n").utf8))]
            case .directory: [.createDirectory(path), .create(joined(path, "_collection.yaml"), Array(head.utf8))]
            }
        return CollectionChange(steps: steps, collection: try load(path: path, from: CollectionFiles(after: steps)))
    }
}
