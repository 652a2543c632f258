import OrderedCollections
import RequestCollections

extension ExplorerState {
    /// The tree is another one now. Whatever is known of what has moved goes along.
    mutating func changed(
        _ change: TreeChange, _ new: [RequestCollection], remarks: [String]
    ) -> [ExplorerEffect] {
        treeChanges.isChanging = false
        remember(change)
        if change.from == nil, change.to != nil {
            treeChanges.cursorsBefore[change.edit] = panes.collection.selectedEntry?.reference
        }
        let isUnderCursor = change.from.map { gone in panes.collection.selectedEntry?.reference.isIn(gone) ?? false } ?? false
        var effects = follow(change) + followPutBack(change)
        for collection in new { effects += loaded(collection) }
        if case .edit(.duplicate(let id, _), let path, _) = change.edit, change.kind == .made, let to = change.to {
            effects += copyDrafts(from: RequestReference(collection: path, id: id), to: to)
        }
        if isTyping {
            // The cursor stays with what is being typed.
        } else if case .create(_, let path, _) = change.edit {
            panes.collection.select(collection: path)
        } else if let to = change.to {
            panes.collection.reveal(to)
            effects += requestUnderCursorChanged()
        } else if isUnderCursor, change.from != nil, let before = treeChanges.cursorsBefore[change.edit],
            tree.index(of: before) != nil
        {
            // What was added is gone again: back to where one was then.
            panes.collection.reveal(before)
            effects += requestUnderCursorChanged()
        }
        refreshContext(isStale: true)
        notice = Notice(.success, sentence(of: change))
        tellOfPasted(change)
        if !remarks.isEmpty {
            let rest = remarks.count > 8 ? ["and \(remarks.count - 8) more"] : []
            arrive(.dialog(Dialog(title: "Done, but look at this", lines: Array(remarks.prefix(8)) + rest)))
        }
        effects += sendAfter(change) + nextTreeCommand()
        if drafts.quitsWhenSaved { effects += unsavedRequests.isEmpty ? [.quit] : save(unsavedRequests) }
        return effects
    }

    mutating func treeChangeFailed(_ message: String) -> [ExplorerEffect] {
        treeChanges.isChanging = false
        treeChanges.pasted = nil
        drafts.puttingBack = nil
        drafts.quitsWhenSaved = false
        treeChanges.sendAfter = nil
        treeChanges.waiting = []
        if case .variables = overlay {
            notice = Notice(.error, message)
            return []
        }
        arrive(.dialog(Dialog(title: "Not changed", lines: [message])))
        return []
    }

    private mutating func nextTreeCommand() -> [ExplorerEffect] {
        while !treeChanges.waiting.isEmpty, !treeChanges.isChanging {
            if let effects = changeTreeNow(treeChanges.waiting.removeFirst()), !effects.isEmpty { return effects }
        }
        return []
    }

    private mutating func remember(_ change: TreeChange) {
        guard !change.undoing.isEmpty else { return }
        switch change.kind {
        case .made:
            treeChanges.undo.append(change)
            treeChanges.redo = []
        case .redone: treeChanges.undo.append(change)
        case .undone: treeChanges.redo.append(change)
        }
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
        var effects: [ExplorerEffect] = []
        if let from = change.from {
            guard let to = change.to else { return setAside(from) }
            guard from != to else { return [] }
            for (reference, draft) in drafts.entries {
                guard let new = reference.moved(from: from, to: to) else { continue }
                drafts[reference] = nil
                drafts[new] = draft.renamed(new.id)
                if draft.isUnsaved { effects += [.writeDraft(reference, nil), keep(new)] }
            }
            for (reference, operation) in operations.latest {
                guard let new = reference.moved(from: from, to: to) else { continue }
                operations.latest[reference] = nil
                operations.latest[new] = operation
            }
            selectedRequest = selectedRequest.map { $0.moved(from: from, to: to) ?? $0 }
            panes.collection.follow(from: from, to: to)
        } else if let to = change.to {
            effects = bringBack(to)
        }
        return effects.sorted { "\($0)" < "\($1)" }
    }

    /// What was edited in something that is deleted isn't unsaved any more, and comes back with it.
    private mutating func setAside(_ reference: RequestReference) -> [ExplorerEffect] {
        var effects: [ExplorerEffect] = []
        for (draft, value) in drafts.entries.sorted(by: { $0.key.id < $1.key.id }) where draft.isIn(reference) {
            drafts[draft] = nil
            drafts.setAside[draft] = value
            if value.isUnsaved { effects.append(.writeDraft(draft, nil)) }
        }
        return effects
    }

    private mutating func bringBack(_ reference: RequestReference) -> [ExplorerEffect] {
        var effects: [ExplorerEffect] = []
        for (draft, value) in drafts.setAside.sorted(by: { $0.key.id < $1.key.id }) where draft.isIn(reference) {
            drafts.setAside[draft] = nil
            drafts[draft] = value
            if value.isUnsaved { effects.append(keep(draft)) }
        }
        return effects
    }

    /// A copy is one of what is on the screen, not only of what is in the file.
    private mutating func copyDrafts(from: RequestReference, to: RequestReference) -> [ExplorerEffect] {
        var effects: [ExplorerEffect] = []
        for (reference, draft) in drafts.entries.sorted(by: { $0.key.id < $1.key.id }) where draft.isUnsaved {
            guard let new = reference.moved(from: from, to: to), let saved = tree.definition(of: new) else { continue }
            let copy = draft.copied(to: saved)
            drafts[new] = copy
            effects.append(keep(new))
        }
        return effects
    }
}
