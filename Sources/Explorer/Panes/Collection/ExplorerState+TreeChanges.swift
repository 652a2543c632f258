import OrderedCollections
import RequestCollections

extension ExplorerState {
    /// The tree is another one now. Whatever is known of what has moved goes along.
    mutating func changed(
        _ change: TreeChange, _ new: [RequestCollection], remarks: [String]
    ) -> [ExplorerEffect] {
        treeChanges.wrote(change)
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
        } else if case .create(_, let path, _) = change.edit {
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
