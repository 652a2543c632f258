package import NetworkLayer

/// What the history pane shows: the operations of this session that have ended, the newest first, and then those of former sessions.
package struct HistoryPaneState: Hashable, Sendable {
    package internal(set) var selection = OperationSelection()
    /// Which runs are shown; empty: all.
    package internal(set) var searchText = ""
    var filtered: Filtered?

    struct Filtered: Hashable, Sendable {
        var text: String
        /// Of all rows, as they were looked at.
        var count: Int
        var rows: [OperationID]
    }

    /// To be compared with another one.
    package internal(set) var marked: OperationID?

    package init() {}
}
