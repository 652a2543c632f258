/// What the history pane shows: the operations of this session that have ended, the newest first.
package struct HistoryPaneState: Hashable, Sendable {
    package internal(set) var selection = OperationSelection()
    /// What `n` and `N` look for in titles, URLs and results.
    package internal(set) var searchText = ""

    package init() {}
}
