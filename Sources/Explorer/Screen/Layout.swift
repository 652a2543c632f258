import TerminalUI

/// Where the panes are: a function of the terminal's size and of what the user does.
///
///     S, 60 to 99 columns        S, from 140 columns                     E, from 140 columns
///     +-tree-+-request--------+  +-tree-+-request-------------------+   +-tree-+-request-------------------+
///     |      +-operation------+  |      +-operation-----------------+   |      +-operation-----------------+
///     |      +-response-------+  |      +-response------+-timing----+   |      +-request-------+-will be---+
///     |      |                |  |      |               |           |   |      |               |  sent     |
///     +------+----------------+  +------+---------------+-----------+   +------+---------------+-----------+
///      status                     status                                 status
///
/// Right of the tree are two rails, whose rows never move: the request's line, and what the operation came to with its phases.
/// Below them is the stage. Its borders have two frames, ``Moment/editing`` and ``Moment/sent``, and only a key leads from one to the
/// other: what runs, waits or ends changes what the stage shows, and moves no border.
///
/// Neighbours share the border between them, so their rectangles overlap by a cell.
struct Layout: Hashable, Sendable {
    static let minimum = Size(columns: 24, rows: 6)

    var size: Size
    var focus: Pane
    var isZoomed: Bool
    var moment: Moment
    /// The shown request was sent: there is something to show of it.
    var hasRun: Bool
    /// The response shows its timing, which then stands nowhere else.
    var showsTiming: Bool
    var adjustments: AdjustmentBook
    /// The frame stays ``Moment/sent``, whatever the user does.
    var holdsStill: Bool
    /// How many the tree needs for its longest row, borders included.
    var treeColumns: Int

    init(
        size: Size, focus: Pane, isZoomed: Bool = false, moment: Moment = .sent, hasRun: Bool = true, showsTiming: Bool = false,
        adjustments: AdjustmentBook = .init(), holdsStill: Bool = false, treeColumns: Int = 0
    ) {
        self.size = size
        self.focus = focus
        self.isZoomed = isZoomed
        self.moment = moment
        self.hasRun = hasRun
        self.showsTiming = showsTiming
        self.adjustments = adjustments
        self.holdsStill = holdsStill
        self.treeColumns = treeColumns
    }

    /// What the user does.
    enum Moment: String, Hashable, Sendable, Codable {
        case editing, sent
    }

    enum Shape: Hashable, Sendable {
        /// All that there is room for.
        case rails
        /// One pane.
        case single
        case tooSmall
    }

    var shape: Shape {
        if size.columns < Self.minimum.columns || size.rows < Self.minimum.rows { return .tooSmall }
        return size.columns < 60 || size.rows < 16 ? .single : .rails
    }

    /// The class of a screen by its columns; each class keeps its own borders.
    enum Class: String, Hashable, Sendable, CaseIterable, Codable {
        /// From 60 columns.
        case narrow
        /// From 100 columns.
        case medium
        /// From 140 columns.
        case wide
        /// From 180 columns.
        case full
    }

    var sizeClass: Class {
        switch size.columns {
        case ..<100: .narrow
        case ..<140: .medium
        case ..<180: .wide
        default: .full
        }
    }

    /// What stands beside the stage's panes.
    enum Side: Hashable, Sendable {
        case timing
        case willBeSent
    }

    /// The last row.
    var statusLine: Rect {
        Rect(column: 0, row: max(0, size.rows - 1), columns: size.columns, rows: min(1, size.rows))
    }

    /// The visible panes, borders included.
    var panes: [Pane: Rect] { places.panes }

    /// Where the request's line stands, border included; `nil`: its pane has it.
    var requestRail: Rect? { places.requestRail }

    /// What stands beside the stage's panes, border included.
    var side: (what: Side, rect: Rect)? { places.side }

    /// The rows of the request's line: its template, and where there is room what that comes to.
    var requestLine: Rect? {
        guard let rail = requestRail else { return nil }
        return rail.rows < 3 ? rail : rail.inner
    }

    /// Where the operation stands, border included where it has one; `nil`: there is no room for it.
    var operationRail: Rect? { places.operationRail }

    /// What the operation came to, and where there is room its phases.
    var operationLine: Rect? { operationRail.map { $0.rows < 3 ? $0 : content($0) } }

    /// What a pane's content is drawn in: inside of its border, behind a column of air, and before another where there is room.
    func content(of pane: Pane) -> Rect? {
        guard let rect = panes[pane] else { return nil }
        // The request pane sets its rows itself: signs stand in the column before them.
        return pane == .request ? rect.inner : content(rect)
    }

    private func content(_ rect: Rect) -> Rect {
        let inner = rect.inner
        guard size.columns >= 60 else { return inner }
        let right = shape == .rails && size.columns < 100 && !isZoomed ? 0 : 1
        return Rect(column: inner.column + 1, row: inner.row, columns: max(0, inner.columns - 1 - right), rows: inner.rows)
    }

    // MARK: Rails and stage

    struct Places {
        var panes: [Pane: Rect] = [:]
        var requestRail: Rect?
        var operationRail: Rect?
        var side: (what: Side, rect: Rect)?
        /// The stage: everything below the rails.
        var stage = Rect(Size(columns: 0, rows: 0))
    }

    var places: Places {
        let body = Rect(column: 0, row: 0, columns: size.columns, rows: size.rows - 1)
        switch shape {
        case .tooSmall: return Places()
        case .single: return single(body)
        case .rails: return rails(body)
        }
    }

    /// One pane; above it, without a border, the request's line and the verdict.
    private func single(_ body: Rect) -> Places {
        var places = Places()
        places.panes[focus] = body
        if body.rows >= 9 {
            let (line, rest) = body.splitTop(1)
            let (verdict, pane) = rest.splitTop(1)
            places.requestRail = line
            places.operationRail = verdict
            places.panes[focus] = pane
        }
        return places
    }

    /// The rows of the two rails, borders not counted. When rows are short what the URL comes to goes first, then the phases: 14 rows are
    /// left for the stage as long as there are 21.
    private var railRows: (request: Int, operation: Int) {
        size.rows >= 30 ? (2, 2) : (1, size.rows >= 22 ? 2 : 1)
    }

    private func rails(_ body: Rect) -> Places {
        if isZoomed { return zoomed(body) }
        var places = Places()
        let adjusted = adjustments[adjustmentKey]
        let left = clamp(adjusted.collectionColumns ?? designedTree, 14, size.columns - 40)
        let columns = body.columns([.fixed(left), .share(1)], sharedEdges: true)
        places.panes[.collection] = columns[0]

        let wanted = railRows
        let rows = columns[1].rows(
            [.fixed(wanted.request + 2), .fixed(wanted.operation + 2), .share(1)], sharedEdges: true)
        places.requestRail = rows[0]
        places.operationRail = rows[1]
        places.stage = rows[2]
        stage(rows[2], adjusted, &places)
        return places
    }

    /// As wide as its names need, up to three tenths of the screen. All of them, seen or not: it changes with what is open, and never with
    /// what is scrolled, unfolded or sent.
    private var designedTree: Int {
        switch sizeClass {
        case .narrow: 20
        case .medium: clamp(treeColumns, 30, max(30, size.columns * 3 / 10))
        case .wide: clamp(treeColumns, 34, size.columns * 3 / 10)
        case .full: clamp(treeColumns, 38, size.columns * 3 / 10)
        }
    }

    /// The focused pane has all columns, and all rows below the verdict, which stays in its row.
    private func zoomed(_ body: Rect) -> Places {
        var places = Places()
        let rows = body.rows([.fixed(railRows.request + 2), .fixed(3), .share(1)], sharedEdges: true)
        places.requestRail = rows[0]
        places.operationRail = rows[1]
        places.panes[focus] = rows[2]
        return places
    }

    /// The pane that has the stage where there is room for one: the one that is looked at, else the one that has something to say.
    private var stagePane: Pane {
        if focus == .request || focus == .response { return focus }
        return frame == .editing || !hasRun ? .request : .response
    }

    var frame: Moment { holdsStill ? .sent : moment }

    private func stage(_ stage: Rect, _ adjusted: Adjustments, _ places: inout Places) {
        if focus.isList {
            places.panes[focus] = stage
            return
        }
        let total = stage.columns
        switch (sizeClass, frame) {
        case (.narrow, _), (.medium, .sent): places.panes[stagePane] = stage
        case (.wide, _) where stagePane == .response && showsTiming: places.panes[.response] = stage
        case (.medium, .editing):
            guard hasRun, stage.rows >= 16 else {
                places.panes[stagePane] = stage
                break
            }
            let rows = clamp(adjusted.first ?? stage.rows * 62 / 100, 5, stage.rows - 5)
            let parts = stage.rows([.fixed(rows), .share(1)], sharedEdges: true)
            places.panes[.request] = parts[0]
            places.panes[.response] = parts[1]
        case (.wide, _):
            let share = frame == .editing ? 62 : 59
            let parts = stage.columns(
                [.fixed(clamp(adjusted.first ?? total * share / 100, 24, total - 24)), .share(1)], sharedEdges: true)
            places.panes[stagePane] = parts[0]
            places.side = (stagePane == .request ? .willBeSent : .timing, parts[1])
        case (.full, .sent):
            // From 46 columns on, the request shows all its tabs.
            let first = clamp(adjusted.first ?? max(46, total * 28 / 100), 24, total - 50)
            let second = clamp(adjusted.second ?? total * 40 / 100, 24, total - first - 24)
            let parts = stage.columns([.fixed(first), .fixed(second), .share(1)], sharedEdges: true)
            places.panes[.request] = parts[0]
            places.panes[.response] = parts[1]
            places.side = (hasRun && !showsTiming ? .timing : .willBeSent, parts[2])
        case (.full, .editing):
            let first = clamp(adjusted.first ?? total * 47 / 100, 24, total - 50)
            let second = clamp(adjusted.second ?? total * 31 / 100, 24, total - first - 24)
            let parts = stage.columns([.fixed(first), .fixed(second), .share(1)], sharedEdges: true)
            places.panes[.request] = parts[0]
            places.side = (.willBeSent, parts[1])
            places.panes[.response] = parts[2]
        }
    }

    func clamp(_ value: Int, _ low: Int, _ high: Int) -> Int {
        max(low, min(value, high))
    }
}
