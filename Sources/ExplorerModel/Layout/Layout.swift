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
/// In `compact` the lower right is the ``main`` pane: the last of its four that had the focus.
package struct Layout: Hashable, Sendable {
    package static let minimum = Size(columns: 24, rows: 6)

    package var size: Size
    package var focus: Pane
    package var isZoomed: Bool
    package var main: Pane
    package var adjustments: Adjustments

    package init(size: Size, focus: Pane, isZoomed: Bool = false, main: Pane = .response, adjustments: Adjustments = .init()) {
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
        guard let inner = panes[pane]?.inner else { return nil }
        // The request pane sets its rows itself: signs stand in the column before them.
        guard pane != .request, size.columns >= 60 else { return inner }
        let right = shape == .compact && size.columns < 100 ? 0 : 1
        return Rect(column: inner.column + 1, row: inner.row, columns: max(0, inner.columns - 1 - right), rows: inner.rows)
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
        let top = clamp(adjustments.topRows ?? body.rows * 3 / 10 + 1, 5, body.rows - 8)
        let columns = body.columns([.fixed(left), .share(1)], sharedEdges: true)
        let side = columns[0].rows([.share(1), .fixed(queue), .fixed(history)], sharedEdges: true)
        let right = columns[1].rows([.fixed(top), .share(1)], sharedEdges: true)
        // The table of attempts needs 55 columns, all of the request's tabs 50; where there is less, the operation needs it more.
        let shared = right[0].columns
        let preferred = max(41, min(50, shared - 55), shared * 2 / 5)
        let request = clamp(adjustments.requestColumns ?? preferred, 24, shared - 24)
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
