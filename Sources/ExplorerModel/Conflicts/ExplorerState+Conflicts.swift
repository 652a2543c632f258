import NetworkLayer
import OrderedCollections
import RequestCollections

extension ExplorerState {
    /// The file says something else than when the edit began, and nobody has said yet which of the two stays.
    package func isConflict(_ reference: RequestReference) -> Bool { drafts[reference]?.isConflict ?? false }

    package var conflicts: [RequestReference] { unsavedRequests.filter(isConflict) }

    /// What is typed into a request that reads differently now becomes an edit first, so that it can conflict and isn't lost.
    mutating func finishEditing(before collection: RequestCollection) -> [ExplorerEffect] {
        guard requestPane.editing != nil, let selectedRequest, selectedRequest.collection == collection.path,
            let old = tree.definition(of: selectedRequest), let new = collection.request(selectedRequest.id), !old.says(sameAs: new)
        else { return [] }
        return commitEditing()
    }

    /// Lets unsaved edits know what their files say now.
    mutating func reread(_ collection: RequestCollection) {
        let before = Set(conflicts)
        var missing: [RequestReference] = []
        for reference in drafts.keys where reference.collection == collection.path {
            guard let definition = tree.definition(of: reference) else {
                if isUnsaved(reference) { missing.append(reference) }
                continue
            }
            // A file that can't be read just now says nothing.
            if definition.problems.isEmpty || !isUnsaved(reference) { drafts[reference]?.reread(definition) }
        }
        if let reference = conflicts.first(where: { !before.contains($0) }) {
            notice = Notice(.warning, "\(reference.id) was changed on disk, and here: saving asks which of the two stays")
        } else if let reference = missing.min(by: { $0.id < $1.id }) {
            notice = Notice(.warning, "\(reference.id) isn't in its file any more; the edit of it is kept until it is back")
        }
    }

    /// Which of the two stays? Asked for one entry after the other.
    mutating func ask(about reference: RequestReference) {
        guard let conflicts = drafts[reference]?.conflicts, let conflict = conflicts.first else { return }
        quitsWhenSaved = false
        var lines = ["\(conflict.entry) was changed in the file since you began to edit it. Which of the two stays?"]
        for (title, text) in [("before", conflict.base), ("theirs", conflict.theirs), ("mine", conflict.mine)] {
            lines += ConflictText.lines(title, text)
        }
        var buttons: [Dialog.Button] = [
            .init("m", conflicts.count > 1 ? "Mine" : "Keep mine", .keepMine(reference, [conflict.entry])),
            .init("t", conflicts.count > 1 ? "Theirs" : "Take theirs", .takeTheirs(reference, [conflict.entry])),
        ]
        if conflicts.count > 1 {
            lines.append("Asked for next: \(conflicts.dropFirst().map(\.entry).joined(separator: ", ")).")
            buttons += [
                .init("M", "All mine", .keepMine(reference, conflicts.map(\.entry))),
                .init("T", "All theirs", .takeTheirs(reference, conflicts.map(\.entry))),
            ]
        }
        buttons.append(.init("c", conflicts.count > 1 ? "Close" : "Cancel", .close))
        overlay = .dialog(Dialog(title: "Changed on disk, and here: \(reference.id)", lines: lines, buttons: buttons))
    }

    mutating func keepMine(_ reference: RequestReference, _ entries: [String]) -> [ExplorerEffect] {
        drafts[reference]?.keepMine(entries)
        return decided(reference)
    }

    mutating func takeTheirs(_ reference: RequestReference, _ entries: [String]) -> [ExplorerEffect] {
        drafts[reference]?.takeTheirs(entries)
        refreshContext(isStale: true)
        return decided(reference)
    }

    /// Asks for the next entry; after the last one what is left of the edit is saved.
    private mutating func decided(_ reference: RequestReference) -> [ExplorerEffect] {
        guard let draft = drafts[reference] else { return [] }
        if draft.isConflict {
            ask(about: reference)
        } else if !draft.isUnsaved {
            notice = Notice(.info, "\(reference.id) is as in its file; undo brings your edit back")
        } else {
            return [keep(reference)] + save([reference])
        }
        return [keep(reference)]
    }
}

/// What a version of an entry says, as lines of a dialog.
enum ConflictText {
    /// Of a text of many lines the first ones.
    private static let limit = 4

    static func lines(_ title: String, _ text: String?) -> [String] {
        guard let text else { return ["\(title): isn't there"] }
        let lines = text.lines
        let shown = lines.prefix(limit).map(String.init)
        let rest = lines.count > limit ? ["  and \(lines.count - limit) more lines"] : []
        return ["\(title): \(shown[0])"] + shown.dropFirst().map { "  \($0)" } + rest
    }
}
