import NetworkLayer
import RequestCollections
import TerminalUI

/// What is being typed and no edit yet, kept where a crash can't reach it.
struct TypedDraft: Sendable {
    /// How long what is typed may be in memory alone.
    static let delay: Duration = .seconds(1)

    struct Place: Hashable {
        var request: RequestReference
        /// `nil`: the body.
        var field: RequestField?
    }

    var place: Place?
    /// What was looked at last.
    var revision = 0
    /// When the first of what isn't kept was typed.
    var since: MonotonicTime?
    /// A draft was written that has more than the edit.
    var isKept = false

    var due: MonotonicTime? { since.map { $0 + Self.delay } }
}

extension ExplorerState {
    /// Called after each event: keeps what is being typed once a second, and the edit alone when that has ended.
    mutating func keepTyped(after effects: [ExplorerEffect]) -> [ExplorerEffect] {
        let now = typedPlace
        guard now?.place == drafts.typed.place else {
            let ended = drafts.typed
            drafts.typed = TypedDraft(place: now?.place, revision: now?.revision ?? 0)
            guard ended.isKept, let request = ended.place?.request else { return [] }
            let isKept = effects.contains { if case .writeDraft(request, _) = $0 { true } else { false } }
            return isKept ? [] : [drafts.keep(request)]
        }
        guard let now else { return [] }
        if now.revision != drafts.typed.revision {
            drafts.typed.revision = now.revision
            drafts.typed.since = drafts.typed.since ?? self.now
        }
        guard let due = drafts.typed.due, due <= self.now, let effect = keepingTyped(in: now.place) else { return [] }
        drafts.typed.since = nil
        drafts.typed.isKept = true
        return [effect]
    }

    private var typedPlace: (place: TypedDraft.Place, revision: Int)? {
        guard let selectedRequest else { return nil }
        return switch panes.request.editing {
        case nil: nil
        case .body: (.init(request: selectedRequest), panes.request.body.revision)
        case .line(let field, let line): (.init(request: selectedRequest, field: field), line.revision)
        }
    }

    /// The edit, with what is being typed in it. A text that the field can't have yet is left out.
    private func keepingTyped(in place: TypedDraft.Place) -> ExplorerEffect? {
        guard let saved = tree.definition(of: place.request) else { return nil }
        var draft = drafts[place.request] ?? RequestDraft(saved)
        switch panes.request.editing {
        case nil: break
        case .body: draft.edit { try? $0.setText(panes.request.body.text, of: .body) }
        case .line(let field, let line): draft.edit { try? $0.setText(line.text, of: field) }
        }
        return drafts.keep(draft, of: place.request)
    }
}
