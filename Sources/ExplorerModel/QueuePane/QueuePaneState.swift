/// What the queue pane shows: the operations that run, those that wait, and the last that ended.
package struct QueuePaneState: Hashable, Sendable {
    package internal(set) var selection = OperationSelection()
    package internal(set) var searchText = ""

    package init() {}
}
