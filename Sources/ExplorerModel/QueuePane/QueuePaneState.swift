/// What the queue pane shows: the operations that wait, run and are done.
package struct QueuePaneState: Hashable, Sendable {
    package var selected = 0
    package var offset = 0

    package init() {}
}
