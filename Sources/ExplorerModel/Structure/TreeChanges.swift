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
    /// What lacks the variable that is being written.
    var sendAfter: RequestReference?
}
