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

    private func compact(_ body: Rect) -> [Pane: Rect] {
        let left = clamp(adjustments.collectionColumns ?? (size.columns >= 100 ? 30 : 20), 14, size.columns - 40)
        let preferredTop = focus == .operation ? body.rows / 2 : max(6, body.rows / 5)
        let top = clamp(adjustments.topRows ?? preferredTop, 4, body.rows - 6)
        let (collection, right) = body.split(columns: left)
        let (operation, lower) = right.split(rows: top)
        return [.collection: collection, .operation: operation, main: lower]
    }

    private func wide(_ body: Rect) -> [Pane: Rect] {
        let left = clamp(adjustments.collectionColumns ?? size.columns / 4, 16, size.columns - 60)
        let (side, right) = body.split(columns: left)
        let historyRows = clamp(adjustments.historyRows ?? body.rows / 5, 3, body.rows - 12)
        let queueRows = clamp(adjustments.queueRows ?? body.rows / 5, 3, body.rows - historyRows - 6)
        let (upperSide, history) = side.split(rows: side.rows - historyRows)
        let (collection, queue) = upperSide.split(rows: upperSide.rows - queueRows)
        let (upper, response) = right.split(rows: clamp(adjustments.topRows ?? body.rows * 3 / 10, 5, body.rows - 8))
        let (request, operation) = upper.split(
            columns: clamp(adjustments.requestColumns ?? upper.columns / 2, 24, upper.columns - 24))
        return [
            .collection: collection, .queue: queue, .history: history, .request: request, .operation: operation,
            .response: response,
        ]
    }

    private func clamp(_ value: Int, _ low: Int, _ high: Int) -> Int {
        max(low, min(value, high))
    }
}

extension Rect {
    fileprivate func split(columns left: Int) -> (Rect, Rect) {
        (
            Rect(column: column, row: row, columns: left, rows: rows),
            Rect(column: column + left, row: row, columns: columns - left, rows: rows)
        )
    }

    fileprivate func split(rows top: Int) -> (Rect, Rect) {
        (
            Rect(column: column, row: row, columns: columns, rows: top),
            Rect(column: column, row: row + top, columns: columns, rows: rows - top)
        )
    }
}
