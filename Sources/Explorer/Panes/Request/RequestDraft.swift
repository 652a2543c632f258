import RequestCollections

/// A request being edited: what the file says, what the user made of it, and the way back.
///
/// Undo goes over whole definitions. They share their strings, so a step costs little.
struct RequestDraft: Hashable, Sendable {
    /// As it stands in the file.
    private(set) var saved: RequestDefinition
    private(set) var current: RequestDefinition
    /// What the edit was made from, while the file says something else in entries that the edit changes as well; else the same as `saved`.
    private var base: RequestDefinition?
    private var undoable: [RequestDefinition] = []
    private var redoable: [RequestDefinition] = []

    static let stepLimit = 500

    init(_ saved: RequestDefinition) {
        self.saved = saved
        self.current = saved
    }

    /// The edit of an earlier run, before the file is looked at.
    init(_ edit: RequestEdit) {
        saved = edit.base
        current = edit.base
        self.edit { $0 = edit.edited }
    }

    /// A request that no file has had yet.
    init(new definition: RequestDefinition) {
        saved = RequestDefinition(id: definition.id, method: definition.method, url: "", location: definition.location)
        current = definition
    }

    /// No file has had it yet.
    var isNew: Bool { saved.url.isEmpty }

    /// What is to be saved, or kept.
    var pending: RequestEdit { RequestEdit(from: base ?? saved, to: current) }

    var isUnsaved: Bool { !current.says(sameAs: saved) }

    /// One step of undo, unless nothing changes.
    ///
    /// - Returns: whether something did.
    @discardableResult
    mutating func edit(_ change: (inout RequestDefinition) -> Void) -> Bool {
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
    mutating func undo() -> Bool {
        guard let previous = undoable.popLast() else { return false }
        redoable.append(current)
        current = previous
        return true
    }

    @discardableResult
    mutating func redo() -> Bool {
        guard let next = redoable.popLast() else { return false }
        undoable.append(current)
        current = next
        return true
    }

    /// The file was read again. What only it has changed is taken over, in the earlier steps as well; what it has changed as well as the
    /// edit is a conflict.
    mutating func reread(_ definition: RequestDefinition) {
        let old = base ?? saved
        let (rebased, conflicts) = pending.rebased(onto: definition)
        saved = definition
        current = rebased
        undoable = undoable.map { RequestEdit(from: old, to: $0).rebased(onto: definition).definition }
        redoable = redoable.map { RequestEdit(from: old, to: $0).rebased(onto: definition).definition }
        remember(conflicts, from: old)
    }

    /// This much of the edit is in the file; it may have gone on since.
    mutating func wrote(_ edited: RequestDefinition) {
        saved = edited
        base = nil
    }
}

extension RequestDraft {
    /// The same under another id.
    func renamed(_ id: RequestID) -> RequestDraft {
        var copy = self
        copy.saved.id = id
        copy.base?.id = id
        copy.current.id = id
        for index in undoable.indices { copy.undoable[index].id = id }
        for index in redoable.indices { copy.redoable[index].id = id }
        return copy
    }

    /// The edit, as one step, of a copy of the request.
    func copied(to copy: RequestDefinition) -> RequestDraft {
        var draft = RequestDraft(copy)
        draft.edit { $0 = RequestEdit(from: saved, to: current).rebased(onto: copy).definition }
        return draft
    }
}

// MARK: Conflicts

extension RequestDraft {
    /// What the file and the edit have both changed, and nobody has said yet which of the two stays.
    var conflicts: [EditConflict] { base == nil ? [] : pending.rebased(onto: saved).conflicts }

    var isConflict: Bool { !conflicts.isEmpty }

    /// The edit stays; saving it writes over what the file says.
    mutating func keepMine(_ entries: [String]) {
        guard let base else { return }
        remember(conflicts.filter { !entries.contains($0.entry) }, from: base)
    }

    /// The file wins; undo brings the edit back.
    mutating func takeTheirs(_ entries: [String]) {
        let theirs = pending.rebased(onto: saved, yielding: Set(entries)).definition
        keepMine(entries)
        edit { $0 = theirs }
    }

    private mutating func remember(_ conflicts: [EditConflict], from old: RequestDefinition) {
        let entries = Set(conflicts.flatMap { [$0.entry] + ($0.alias.map { [$0] } ?? []) })
        base = entries.isEmpty ? nil : saved.taking(entries, from: old)
    }
}

extension RequestDefinition {
    /// Whether two definitions mean the same, wherever they stand.
    func says(sameAs other: RequestDefinition) -> Bool {
        withoutLocations == other.withoutLocations
    }
}
