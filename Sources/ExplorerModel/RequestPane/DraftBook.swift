/// The requests that were edited, with the way back; see ``ExplorerState/isUnsaved(_:)``.
package struct DraftBook: Sendable {
    package internal(set) var entries: [RequestReference: RequestDraft] = [:]
    var typed = TypedDraft()
    /// What other kinds of body have taken the place of.
    var bodyShelves: [RequestReference: BodyShelf] = [:]
    /// The request that is gone from its file and is being written again.
    var puttingBack: RequestReference?
    /// The edits of requests that were deleted: undo brings them back together.
    var setAside: [RequestReference: RequestDraft] = [:]
    var quitsWhenSaved = false

    package internal(set) subscript(reference: RequestReference) -> RequestDraft? {
        get { entries[reference] }
        _modify { yield &entries[reference] }
    }
}
