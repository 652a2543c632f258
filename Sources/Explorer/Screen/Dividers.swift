import TerminalUI

extension Layout {
    /// Where the user dragged the borders, in cells; `nil`: as designed.
    struct Adjustments: Hashable, Sendable, Codable {
        var collectionColumns: Int?
        /// The size of the stage's first part: columns, or rows where the parts lie one below the other.
        var first: Int?
        /// Columns of the stage's second part.
        var second: Int?

        init() {}
    }

    /// Where the user dragged the borders, for each frame and size class: a border that was moved while editing stays there for editing.
    struct AdjustmentBook: Hashable, Sendable, Codable {
        private var entries: [Key: Adjustments] = [:]

        struct Key: Hashable, Sendable, Codable {
            var moment: Moment
            var sizeClass: Class
        }

        init() {}

        subscript(key: Key) -> Adjustments {
            get { entries[key] ?? Adjustments() }
            set { entries[key] = newValue == Adjustments() ? nil : newValue }
        }
    }

    var adjustmentKey: AdjustmentBook.Key { .init(moment: frame, sizeClass: sizeClass) }

    /// A border between panes that can be dragged.
    enum Divider: Hashable, Sendable, CaseIterable {
        /// Right of the tree.
        case collection
        /// The divider behind the stage's first part.
        case first
        /// The divider behind the stage's second part.
        case second
    }

    /// The divider under a point of the screen.
    func divider(at point: Point) -> Divider? {
        guard shape == .rails, !isZoomed else { return nil }
        let places = places
        guard let tree = places.panes[.collection], point.row < size.rows - 1 else { return nil }
        if point.column == tree.endColumn - 1 { return .collection }
        guard point.column >= tree.endColumn, places.stage.contains(point), !focus.isList else { return nil }
        let parts = parts(of: places)
        if isStacked(places) { return point.row == parts.dropFirst().first?.row ? .first : nil }
        return parts.dropFirst().firstIndex { $0.column == point.column }.map { $0 == 1 ? .first : .second }
    }

    /// The adjustments after a divider was dragged to a point.
    func dragging(_ divider: Divider, to point: Point) -> AdjustmentBook {
        let places = places
        var new = adjustments[adjustmentKey]
        switch divider {
        case .collection: new.collectionColumns = point.column + 1
        case .first: new.first = isStacked(places) ? point.row - places.stage.row + 1 : point.column - places.stage.column + 1
        case .second: new.second = point.column - (parts(of: places).dropFirst().first?.column ?? 0) + 1
        }
        var book = adjustments
        book[adjustmentKey] = new
        return book
    }

    /// The adjustments after the pane with the focus was made larger by so many cells; `nil`: it has all there is, or no border that
    /// could move.
    func growing(by cells: Int) -> AdjustmentBook? {
        guard shape == .rails, !isZoomed, let rect = panes[focus] else { return nil }
        let places = places
        let parts = parts(of: places)
        let end = Point(column: rect.endColumn - 1, row: rect.endRow - 1)
        switch focus {
        case .collection: return dragging(.collection, to: Point(column: end.column + cells, row: 0))
        default:
            guard let index = parts.firstIndex(of: rect), parts.count > 1 else { return nil }
            let divider: Divider = index == 0 ? .first : index < parts.count - 1 ? .second : parts.count == 2 ? .first : .second
            // The last part grows to the left, or upwards.
            let step = index == parts.count - 1 ? -cells : cells
            let edge = index == parts.count - 1 ? Point(column: rect.column, row: rect.row) : end
            return dragging(divider, to: Point(column: edge.column + step, row: edge.row + step))
        }
    }

    /// The stage's parts in order.
    private func parts(of places: Places) -> [Rect] {
        let inStage = [places.panes[.request], places.panes[.response], places.side?.rect].compactMap(\.self)
        return inStage.sorted { ($0.column, $0.row) < ($1.column, $1.row) }
    }

    /// Whether the parts lie one below the other.
    private func isStacked(_ places: Places) -> Bool {
        guard let request = places.panes[.request], let response = places.panes[.response] else { return false }
        return request.column == response.column
    }
}
