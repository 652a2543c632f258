package import TerminalUI

/// Where the panes are. Three shapes, by the size of the terminal:
///
///     wide, from 100×30                     compact, from 60×16              single
///     +-requests-+-request--+-operation-+   +-requests-+-operation------+    +-any one-----+
///     |          |          |           |   |          +-any one of-----+    |             |
///     |          +-response-+-----------+   |          | request,       |    +-------------+
///     +-queue----+                      |   |          | response,      |     status
///     +-history--+----------------------+   +----------+ queue, history +
///      status                                status
///
/// Neighbours share the border between them, so their rectangles overlap by a cell.
///
/// In `compact` the lower right is the ``main`` pane: the last of its four that had the focus. While it isn't the request, the
/// operation's first row has the request's line.
///
/// In `wide` the request is large while it is edited and before anything was sent, and the response afterwards. That changes at a
/// key only, never while somebody reads.
package struct Layout: Hashable, Sendable {
    package static let minimum = Size(columns: 24, rows: 6)

    package var size: Size
    package var focus: Pane
    package var isZoomed: Bool
    package var main: Pane
    package var adjustments: Adjustments
    /// The request is what one looks at.
    package var isEditing: Bool

    package init(
        size: Size, focus: Pane, isZoomed: Bool = false, main: Pane = .response, adjustments: Adjustments = .init(),
        isEditing: Bool = false
    ) {
        self.isEditing = isEditing
        self.size = size
        self.focus = focus
        self.isZoomed = isZoomed
        self.main = Self.mainPanes.contains(focus) ? focus : main
        self.adjustments = adjustments
    }

    /// Which panes share the lower right of the compact shape.
    package static let mainPanes: Set<Pane> = [.request, .response, .queue, .history]

    /// What the user dragged, in cells; `nil`: as we like it.
    package struct Adjustments: Hashable, Sendable {
        package var collectionColumns: Int?
        package var requestColumns: Int?
        package var topRows: Int?
        /// The same while the request is edited.
        package var editingRequestColumns: Int?
        package var editingTopRows: Int?
        package var queueRows: Int?
        package var historyRows: Int?

        package init() {}
    }

    package enum Shape: Hashable, Sendable {
        case wide, compact, single, tooSmall
    }

    package var shape: Shape {
        if size.columns < Self.minimum.columns || size.rows < Self.minimum.rows { return .tooSmall }
        if isZoomed || size.columns < 60 || size.rows < 16 { return .single }
        return size.columns >= 100 && size.rows >= 30 ? .wide : .compact
    }

    /// The last row.
    package var statusLine: Rect {
        Rect(column: 0, row: max(0, size.rows - 1), columns: size.columns, rows: min(1, size.rows))
    }

    /// The visible panes, borders included.
    package var panes: [Pane: Rect] {
        let body = Rect(column: 0, row: 0, columns: size.columns, rows: size.rows - 1)
        switch shape {
        case .tooSmall: return [:]
        case .single: return [focus: body]
        case .compact: return compact(body)
        case .wide: return wide(body)
        }
    }

    /// What a pane's content is drawn in: inside of its border, behind a column of air, and before another where there is room.
    package func content(of pane: Pane) -> Rect? {
        guard var inner = panes[pane]?.inner else { return nil }
        if pane == .operation, requestLine != nil { inner = inner.splitTop(1).rest }
        // The request pane sets its rows itself: signs stand in the column before them.
        guard pane != .request, size.columns >= 60 else { return inner }
        let right = shape == .compact && size.columns < 100 ? 0 : 1
        return Rect(column: inner.column + 1, row: inner.row, columns: max(0, inner.columns - 1 - right), rows: inner.rows)
    }

    /// Where the request's line stands when its pane isn't on the screen.
    package var requestLine: Rect? {
        guard shape == .compact, main != .request, let inner = panes[.operation]?.inner, inner.rows >= 4 else { return nil }
        return inner.splitTop(1).top.inset(columns: 1)
    }

    private func compact(_ body: Rect) -> [Pane: Rect] {
        let left = clamp(adjustments.collectionColumns ?? (size.columns >= 100 ? 30 : 20), 14, size.columns - 40)
        let preferredTop = focus == .operation ? body.rows / 2 + 1 : max(7, body.rows / 5)
        let top = clamp(adjustments.topRows ?? preferredTop, 4, body.rows - 6)
        let columns = body.columns([.fixed(left), .share(1)], sharedEdges: true)
        let rows = columns[1].rows([.fixed(top), .share(1)], sharedEdges: true)
        return [.collection: columns[0], .operation: rows[0], main: rows[1]]
    }

    private func wide(_ body: Rect) -> [Pane: Rect] {
        let left = clamp(adjustments.collectionColumns ?? size.columns / 4 + 1, 16, size.columns - 60)
        let history = clamp(adjustments.historyRows ?? body.rows / 5, 3, body.rows - 12)
        let queue = clamp(adjustments.queueRows ?? body.rows / 5, 3, body.rows - history - 6)
        let topRows = isEditing ? adjustments.editingTopRows : adjustments.topRows
        let top = clamp(topRows ?? (isEditing ? body.rows * 6 / 10 : body.rows * 3 / 10 + 1), 5, body.rows - 8)
        let columns = body.columns([.fixed(left), .share(1)], sharedEdges: true)
        let side = columns[0].rows([.share(1), .fixed(queue), .fixed(history)], sharedEdges: true)
        let right = columns[1].rows([.fixed(top), .share(1)], sharedEdges: true)
        // The table of attempts needs 55 columns, all of the request's tabs 50; where there is less, the operation needs it more.
        let shared = right[0].columns
        let preferred = isEditing ? max(shared * 6 / 10, min(52, shared - 30)) : max(41, min(50, shared - 55), shared * 2 / 5)
        let requestColumns = isEditing ? adjustments.editingRequestColumns : adjustments.requestColumns
        let request = clamp(requestColumns ?? preferred, 24, shared - 24)
        let upper = right[0].columns([.fixed(request), .share(1)], sharedEdges: true)
        return [
            .collection: side[0], .queue: side[1], .history: side[2], .request: upper[0], .operation: upper[1],
            .response: right[1],
        ]
    }

    private func clamp(_ value: Int, _ low: Int, _ high: Int) -> Int {
        max(low, min(value, high))
    }
}
