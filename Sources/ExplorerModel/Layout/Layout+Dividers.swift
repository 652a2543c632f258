package import TerminalUI

extension Layout {
    /// A border between panes that can be dragged.
    package enum Divider: Hashable, Sendable, CaseIterable {
        /// Right of the collection.
        case collection
        /// Between request and operation, left and right.
        case request
        /// Below the upper right.
        case top
        /// Above the queue.
        case queue
        /// Above the history.
        case history
    }

    /// The divider under a point of the screen.
    package func divider(at point: Point) -> Divider? {
        let panes = panes
        guard let collection = panes[.collection], panes.count > 1 else { return nil }
        let isInSide = point.column < collection.endColumn
        if point.column == collection.endColumn - 1, point.row < size.rows - 1 { return .collection }
        if shape == .wide {
            if isInSide { return point.row == panes[.queue]?.row ? .queue : point.row == panes[.history]?.row ? .history : nil }
            if let operation = panes[.operation], point.column == operation.column, point.row < operation.endRow - 1 {
                return .request
            }
        }
        if !isInSide, let operation = panes[.operation], point.row == operation.endRow - 1 { return .top }
        return nil
    }

    /// The adjustments after a divider was dragged to a point.
    package func dragging(_ divider: Divider, to point: Point) -> Adjustments {
        var new = adjustments
        switch divider {
        case .collection: new.collectionColumns = point.column + 1
        case .request where isEditing: new.editingRequestColumns = point.column - (panes[.request]?.column ?? 0) + 1
        case .request: new.requestColumns = point.column - (panes[.request]?.column ?? 0) + 1
        case .top where isEditing && shape == .wide: new.editingTopRows = point.row + 1
        case .top: new.topRows = point.row + 1
        case .queue: new.queueRows = (panes[.history]?.row ?? 0) - point.row + 1
        case .history: new.historyRows = size.rows - 1 - point.row
        }
        return new
    }
}
