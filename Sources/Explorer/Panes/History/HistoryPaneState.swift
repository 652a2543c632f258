import NetworkLayer

/// What the history pane shows: the operations of this session that have ended, the newest first, and then those of former sessions.
struct HistoryPaneState: Hashable, Sendable {
    var selection = OperationSelection()
    /// What the rows that are seen have, as ``HistoryFilter`` reads it.
    var searchText = ""

    /// To be compared with another one.
    var marked: OperationID?
}
