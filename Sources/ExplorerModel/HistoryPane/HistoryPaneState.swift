/// What the history pane shows: the operations that have ended.
package struct HistoryPaneState: Hashable, Sendable {
    package var selected = 0
    package var offset = 0

    package init() {}
}
