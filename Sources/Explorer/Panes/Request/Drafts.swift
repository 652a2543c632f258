import NetworkLayer
import Presentation
import RequestCollections
import TerminalUI

/// The requests that were edited, with the way back; see ``isUnsaved(_:)``.
struct DraftBook: Sendable {
    var entries: [RequestReference: RequestDraft] = [:]
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
        let entries = Set(conflicts.map(\.entry))
        base = entries.isEmpty ? nil : saved.taking(entries, from: old)
    }
}

extension RequestDefinition {
    /// Whether two definitions mean the same, wherever they stand.
    func says(sameAs other: RequestDefinition) -> Bool {
        withoutLocations == other.withoutLocations
    }
}

/// The bodies of a request that other kinds have taken the place of, until it is saved: choosing a kind again brings back what it had.
struct BodyShelf: Hashable, Sendable {
    private var bodies: [RequestBodyKind: BodyDefinition] = [:]

    /// What takes the place of a body. Rows of a form and parts, JSON and text are carried over, when they were changed since.
    mutating func swapIn(_ kind: RequestBodyKind, insteadOf body: BodyDefinition) -> BodyDefinition {
        func empty(_ kind: RequestBodyKind) -> BodyDefinition { BodyDefinition.none.converted(to: kind) }
        let kept = bodies[kind]
        // What nobody has put anything into is no content.
        guard body != empty(body.kind) else { return kept ?? empty(kind) }
        bodies[body.kind] = body
        let carried = body.converted(to: kind)
        guard let kept else { return carried }
        let isUnchanged = carried == empty(kind) || kept.converted(to: body.kind) == body
        return isUnchanged ? kept : carried
    }
}

extension RequestDefinition {
    /// That a JSON body is none, and where.
    var bodyComplaint: String? {
        guard case .json(let text) = body, let fault = JSONFault(in: text, limit: .max) else { return nil }
        return "the body is no JSON: line \(fault.line), \(fault.reason); it is sent as it stands"
    }
}
