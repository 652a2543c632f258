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
