import RequestCollections

/// The requests that were edited, with the way back; see ``isUnsaved(_:)``.
struct DraftBook: Sendable {
    var entries: [RequestReference: RequestDraft] = [:]
    var typed = TypedDraft()
    /// What other kinds of body have taken the place of.
    var bodyShelves: [RequestReference: BodyShelf] = [:]
    /// The request that is gone from its file and is being written again.
    var puttingBack: RequestReference?
    /// The edits of requests that were deleted: undo brings them back together.
    var setAside: [RequestReference: RequestDraft] = [:]
    var quitsWhenSaved = false

    subscript(reference: RequestReference) -> RequestDraft? {
        get { entries[reference] }
        _modify { yield &entries[reference] }
    }

    func isUnsaved(_ reference: RequestReference) -> Bool { self[reference]?.isUnsaved ?? false }

    var unsaved: [RequestReference] {
        entries.filter { $0.value.isUnsaved }.keys.sorted { ($0.collection, $0.id) < ($1.collection, $1.id) }
    }

    /// Keeps the edit of a request safe as long as it is unsaved.
    func keep(_ reference: RequestReference) -> ExplorerEffect { keep(self[reference], of: reference) }

    func keep(_ draft: RequestDraft?, of reference: RequestReference) -> ExplorerEffect {
        .writeDraft(reference, draft.flatMap { $0.isUnsaved ? $0.pending : nil })
    }

    /// The file says what was edited.
    mutating func wrote(_ request: RequestDefinition, of reference: RequestReference) {
        self[reference]?.wrote(request)
        bodyShelves[reference] = nil
    }

    /// What was edited in something that is deleted isn't unsaved any more, and comes back with it.
    mutating func putAside(_ reference: RequestReference) -> [ExplorerEffect] {
        var effects: [ExplorerEffect] = []
        for (draft, value) in entries.sorted(by: { $0.key.id < $1.key.id }) where draft.isIn(reference) {
            self[draft] = nil
            setAside[draft] = value
            if value.isUnsaved { effects.append(.writeDraft(draft, nil)) }
        }
        return effects
    }

    mutating func bringBack(_ reference: RequestReference) -> [ExplorerEffect] {
        var effects: [ExplorerEffect] = []
        for (draft, value) in setAside.sorted(by: { $0.key.id < $1.key.id }) where draft.isIn(reference) {
            setAside[draft] = nil
            self[draft] = value
            if value.isUnsaved { effects.append(keep(draft)) }
        }
        return effects
    }

    /// What is kept of a request goes where the request has gone.
    mutating func follow(from: RequestReference, to: RequestReference) -> [ExplorerEffect] {
        bodyShelves.follow(from: from, to: to)
        let moved = entries.filter { $0.key.isIn(from) }
        entries.follow(from: from, to: to)
        let effects = moved.flatMap { reference, draft -> [ExplorerEffect] in
            guard let new = reference.moved(from: from, to: to) else { return [] }
            self[new] = draft.renamed(new.id)
            return draft.isUnsaved ? [.writeDraft(reference, nil), keep(new)] : []
        }
        return effects.sorted { "\($0)" < "\($1)" }
    }

    /// A copy is one of what is on the screen, not only of what is in the file.
    mutating func copy(from: RequestReference, to: RequestReference, in tree: RequestTree) -> [ExplorerEffect] {
        var effects: [ExplorerEffect] = []
        for (reference, draft) in entries.sorted(by: { $0.key.id < $1.key.id }) where draft.isUnsaved {
            guard let new = reference.moved(from: from, to: to), let saved = tree.definition(of: new) else { continue }
            let copy = draft.copied(to: saved)
            self[new] = copy
            effects.append(keep(new))
        }
        return effects
    }
}
