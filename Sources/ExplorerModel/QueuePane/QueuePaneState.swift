/// What the queue pane shows: the operations that run, and those that wait.
package struct QueuePaneState: Hashable, Sendable {
    package internal(set) var selection = OperationSelection()
    package internal(set) var searchText = ""
}
