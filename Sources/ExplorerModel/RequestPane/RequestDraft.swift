package import RequestCollections

/// A request being edited: what the file says, what the user made of it, and the way back.
///
/// Undo goes over whole definitions. They share their strings, so a step costs little.
package struct RequestDraft: Hashable, Sendable {
    /// As it stands in the file.
    package private(set) var saved: RequestDefinition
    package private(set) var current: RequestDefinition
    /// The file was changed under an edit that is not saved, and nobody has said yet which of the two stays.
    package private(set) var isConflict = false
    private var undoable: [RequestDefinition] = []
    private var redoable: [RequestDefinition] = []

    package static let stepLimit = 500

    package init(_ saved: RequestDefinition) {
        self.saved = saved
        self.current = saved
    }

    package var isUnsaved: Bool { !current.says(sameAs: saved) }

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

    /// The file was read again, or written. An edit that isn't in it stays, and its rows know where they stand now.
    package mutating func reread(_ definition: RequestDefinition) {
        let old = saved
        let wasUnsaved = isUnsaved
        let isTheirs = !definition.says(sameAs: old.takingUneditable(from: definition))
        saved = definition
        if !wasUnsaved || current.says(sameAs: definition) {
            current = definition
        } else {
            current = current.relocated(from: old, to: definition)
        }
        isConflict = isUnsaved && (isConflict || isTheirs)
        undoable = undoable.map { $0.relocated(from: old, to: definition) }
        redoable = redoable.map { $0.relocated(from: old, to: definition) }
    }
}

extension RequestDraft {
    /// The same under another id.
    package func renamed(_ id: RequestID) -> RequestDraft {
        var copy = self
        copy.saved.id = id
        copy.current.id = id
        for index in undoable.indices { copy.undoable[index].id = id }
        for index in redoable.indices { copy.redoable[index].id = id }
        return copy
    }

    /// The edit, as one step, of a copy of the request.
    package func copied(to copy: RequestDefinition) -> RequestDraft {
        var draft = RequestDraft(copy)
        draft.edit {
            $0 = current.relocated(from: saved, to: copy)
            $0.id = copy.id
        }
        return draft
    }

    /// The edit stays; saving it writes over what the file says.
    package mutating func keepMine() { isConflict = false }

    /// The file wins; undo brings the edit back.
    package mutating func takeTheirs() {
        isConflict = false
        let theirs = saved
        edit { $0 = theirs }
    }
}

extension RequestDefinition {
    /// Whether two definitions mean the same, wherever they stand.
    package func says(sameAs other: RequestDefinition) -> Bool {
        withoutLocations == other.withoutLocations
    }

    /// Saving finds a renamed row by where it stood, which another edit of the file may have moved.
    fileprivate func relocated(from old: RequestDefinition, to new: RequestDefinition) -> RequestDefinition {
        var copy = self
        copy.location = new.location
        copy.places = new.places
        copy = copy.takingUneditable(from: new)
        for rows in RequestField.Rows.allCases where !copy[rows].isEmpty {
            copy[rows] = copy[rows].map { row in
                var moved = row
                let index = old[rows].firstIndex { $0.location != nil && $0.location == row.location }
                moved.location = index.flatMap { Self.counterpart(of: $0, in: old[rows], among: new[rows])?.location }
                return moved
            }
        }
        return copy
    }

    /// With what nobody edits in the panes as the file says it.
    fileprivate func takingUneditable(from new: RequestDefinition) -> RequestDefinition {
        var copy = self
        copy.name = new.name
        copy.description = new.description
        copy.tags = new.tags
        copy.needs = new.needs
        copy.hydrate = new.hydrate
        copy.captures = new.captures
        copy.expectations = new.expectations
        copy.mock = new.mock
        return copy
    }

    /// The row of the same name, the second for the second.
    private static func counterpart(of index: Int, in old: [Row], among new: [Row]) -> Row? {
        let occurrence = old[..<index].count { $0.name == old[index].name }
        return new.filter { $0.name == old[index].name }.dropFirst(occurrence).first
    }
}
