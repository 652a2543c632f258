/// What the queue pane shows: the operations that run, and those that wait.
struct QueuePaneState: Hashable, Sendable {
    var selection = OperationSelection()
    var searchText = ""
}
