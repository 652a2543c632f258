/// The changes of the tree, and what waits for the one that is being written.
struct TreeChanges: Sendable {
    var undo: [TreeChange] = []
    var redo: [TreeChange] = []
    /// One is being written.
    var isChanging = false
    /// Where the tree's cursor was before something was added.
    var cursorsBefore: [TreeEdit: RequestReference] = [:]
    /// What was asked for meanwhile.
    var waiting: [Command.ID] = []
    /// What is to be told once it is in the tree.
    var pasted: PastedNote?
    /// The request of the demo that is to stand in the collection that is being made.
    var keeping: RequestReference?
    /// What lacks the variable that is being written.
    var sendAfter: RequestReference?

    mutating func write(_ edit: TreeEdit) -> [ExplorerEffect] {
        isChanging = true
        return [.changeTree(edit)]
    }

    mutating func undoLast() -> [ExplorerEffect]? { revert(undo.popLast()) }

    mutating func redoLast() -> [ExplorerEffect]? { revert(redo.popLast()) }

    private mutating func revert(_ change: TreeChange?) -> [ExplorerEffect]? {
        guard let change else { return nil }
        isChanging = true
        return [.revertTree(change)]
    }

    /// The change is in the files.
    mutating func wrote(_ change: TreeChange) {
        isChanging = false
        guard !change.undoing.isEmpty else { return }
        switch change.kind {
        case .made:
            undo.append(change)
            redo = []
        case .redone: undo.append(change)
        case .undone: redo.append(change)
        }
    }

    /// The change was refused; what waited for it isn't done either.
    mutating func failed() {
        isChanging = false
        pasted = nil
        sendAfter = nil
        waiting = []
    }
}
