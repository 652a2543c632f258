import NetworkLayer
import OrderedCollections
import RequestCollections
import TerminalUI

extension ExplorerState {
    /// The file says something else than when the edit began, and nobody has said yet which of the two stays.
    func isConflict(_ reference: RequestReference) -> Bool { drafts[reference]?.isConflict ?? false }

    var conflicts: [RequestReference] { drafts.unsaved.filter(isConflict) }

    /// What is being typed into a request while its file is read again.
    struct KeptEditing {
        var request: RequestReference
        var editing: RequestPaneState.Editing
        /// What a row of a list says: the row may stand elsewhere by now.
        var row: RequestDefinition.Row?
    }

    /// What is typed into a request that reads differently now becomes an edit first, so that it can conflict and isn't lost.
    ///
    /// - Returns: what goes on being typed, in ``goOnEditing(_:)``; `nil` when nothing is, or it stays as it is.
    mutating func keepEditing(before collection: RequestCollection, _ effects: inout [ExplorerEffect]) -> KeptEditing? {
        guard let editing = panes.request.editing, let selectedRequest, selectedRequest.collection == collection.path,
            let old = tree.definition(of: selectedRequest)
        else { return nil }
        if let new = collection.request(selectedRequest.id), old.says(sameAs: new) { return nil }
        var kept = KeptEditing(request: selectedRequest, editing: editing)
        switch editing {
        case .body:
            let text = panes.request.body.text
            effects += edit { try? $0.setText(text, of: .body) }
        case .line(let field, let line):
            // A text that the field can't have stays in the line alone.
            effects += edit { try? $0.setText(line.text, of: field) }
            kept.row = shownDefinition?.row(of: field)
        }
        return kept
    }

    /// The line or the body takes keys as before, wherever it stands now. What is gone for good says so, and has what was typed.
    mutating func goOnEditing(_ kept: KeptEditing) {
        if selectedRequest == kept.request, let definition = shownDefinition {
            switch kept.editing {
            case .body where requestShowsBodyText: return
            case .line(let field, let line):
                guard let place = definition.place(of: field, saying: kept.row) else { break }
                panes.request.editing = .line(place, line)
                if let (rows, index) = place.row { panes.request.select(.named(rows, index), in: requestRows) }
                return
            case .body: break
            }
        }
        panes.request.editing = nil
        let text = if case .line(_, let line) = kept.editing { line.text } else { "" }
        // Before everything else that waits: the next key was meant for the line.
        arrivals.insert(
            .dialog(
                Dialog(
                    title: "Changed on disk",
                    lines: ["What you were editing in \(kept.request.id) isn't in its file any more."]
                        + (text.isEmpty ? [] : ["You had typed:", "  \(text)"]))), at: 0)
    }

    /// Lets unsaved edits know what their files say now.
    ///
    /// - Parameter gone: those whose requests have just gone from them.
    mutating func reread(_ collection: RequestCollection, gone: [RequestReference]) {
        let before = Set(conflicts)
        for reference in drafts.entries.keys where reference.collection == collection.path {
            guard let definition = collection.request(reference.id) else { continue }
            // A file that can't be read just now says nothing.
            if definition.problems.isEmpty || !drafts.isUnsaved(reference) { drafts[reference]?.reread(definition) }
        }
        if let reference = conflicts.first(where: { !before.contains($0) }) {
            notice = Notice(.warning, "\(reference.id) was changed on disk, and here: saving asks which of the two stays")
        } else if let first = gone.first {
            let subject =
                gone.count == 1
                ? "\(first.id) isn't in its file any more; its edit stays here, and \(keyName(.save)) puts it back"
                : "\(gone.count) edited requests aren't in their files any more; their edits stay here, and \(keyName(.save)) puts "
                    + "each back"
            notice = Notice(.warning, subject)
        }
    }

    /// Which of the two stays? Asked for one entry after the other.
    mutating func ask(about reference: RequestReference) {
        guard let dialog = conflictDialog(reference) else { return }
        drafts.quitsWhenSaved = false
        overlay = .dialog(dialog)
    }

    func conflictDialog(_ reference: RequestReference) -> Dialog? {
        guard let conflicts = drafts[reference]?.conflicts, let conflict = conflicts.first else { return nil }
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
        return Dialog(title: "Changed on disk, and here: \(reference.id)", lines: lines, buttons: buttons)
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
            return [drafts.keep(reference)] + save([reference])
        }
        return [drafts.keep(reference)]
    }
}

extension RequestField {
    /// The list and the index that it belongs to.
    var row: (rows: Rows, index: Int)? {
        switch self {
        case .name(let rows, let index), .value(let rows, let index): (rows, index)
        default: nil
        }
    }

    fileprivate func moved(to index: Int) -> RequestField {
        switch self {
        case .name(let rows, _): .name(rows, index)
        case .value(let rows, _): .value(rows, index)
        default: self
        }
    }
}

extension RequestDefinition {
    fileprivate func row(of field: RequestField) -> Row? {
        guard let (rows, index) = field.row, self[rows].indices.contains(index) else { return nil }
        return self[rows][index]
    }

    /// Where a field stands now; `nil`: nowhere.
    ///
    /// - Parameter row: of a field in a list, what its row said.
    fileprivate func place(of field: RequestField, saying row: Row?) -> RequestField? {
        guard let (rows, index) = field.row else { return text(of: field) == nil ? nil : field }
        let found = self[rows].indices.filter { self[rows][$0].name == row?.name && self[rows][$0].value == row?.value }
        return found.min { abs($0 - index) < abs($1 - index) }.map(field.moved)
    }
}

/// What a version of an entry says, as lines of a dialog.
enum ConflictText {
    /// How many of the first lines are shown of a long text.
    private static let limit = 4

    static func lines(_ title: String, _ text: String?) -> [String] {
        guard let text else { return ["\(title): isn't there"] }
        let lines = text.lines
        let shown = lines.prefix(limit).map(String.init)
        let rest = lines.count > limit ? ["  and \(lines.count - limit) more lines"] : []
        return ["\(title): \(shown[0])"] + shown.dropFirst().map { "  \($0)" } + rest
    }
}
