package import NetworkLayer

/// What the history pane shows: the operations of this session that have ended, the newest first, and then those of former sessions.
package struct HistoryPaneState: Hashable, Sendable {
    package internal(set) var selection = OperationSelection()
    /// What the rows that are seen have, as ``HistoryQuery`` reads it.
    package internal(set) var searchText = ""

    /// To be compared with another one.
    package internal(set) var marked: OperationID?
}
