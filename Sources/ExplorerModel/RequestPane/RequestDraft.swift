package import RequestCollections

/// A request being edited: what the file says, what the user made of it, and the way back.
///
/// Undo goes over whole definitions. They share their strings, so a step costs little.
package struct RequestDraft: Hashable, Sendable {
    /// As it stands in the file.
    package private(set) var saved: RequestDefinition
    package private(set) var current: RequestDefinition
    private var undoable: [RequestDefinition] = []
    private var redoable: [RequestDefinition] = []

    package static let stepLimit = 500

    package init(_ saved: RequestDefinition) {
        self.saved = saved
        self.current = saved
    }

    package var isUnsaved: Bool { !current.says(sameAs: saved) }
    package var canUndo: Bool { !undoable.isEmpty }
    package var canRedo: Bool { !redoable.isEmpty }

    /// One step of undo, unless nothing changes.
    ///
    /// - Returns: whether something did.
    @discardableResult
    package mutating func edit(_ change: (inout RequestDefinition) -> Void) -> Bool {
        var next = current
        change(&next)
        guard next != current else { return false }
        undoable.append(current)
        if undoable.count > Self.stepLimit { undoable.removeFirst() }
        redoable.removeAll()
        current = next
        return true
    }

    @discardableResult
    package mutating func undo() -> Bool {
        guard let previous = undoable.popLast() else { return false }
        redoable.append(current)
        current = previous
        return true
    }

    @discardableResult
    package mutating func redo() -> Bool {
        guard let next = redoable.popLast() else { return false }
        undoable.append(current)
        current = next
        return true
    }

    /// The file was read again, or written. An edit that isn't in it stays.
    package mutating func reread(_ definition: RequestDefinition) {
        let wasUnsaved = isUnsaved
        saved = definition
        if !wasUnsaved || current.says(sameAs: definition) { current = definition }
    }
}

extension RequestDefinition {
    /// Whether two definitions mean the same, wherever they stand.
    package func says(sameAs other: RequestDefinition) -> Bool {
        withoutLocations == other.withoutLocations
    }

    private var withoutLocations: RequestDefinition {
        var copy = self
        copy.location = SourceLocation(path: "", line: 0, column: 0)
        copy.places = [:]
        copy.path.removeLocations()
        copy.query.removeLocations()
        copy.headers.removeLocations()
        copy.cookies.removeLocations()
        if case .form(var rows) = copy.body {
            rows.removeLocations()
            copy.body = .form(rows)
        }
        return copy
    }
}

extension [RequestDefinition.Row] {
    fileprivate mutating func removeLocations() {
        for index in indices { self[index].location = nil }
    }
}
