/// Columns and rows.
package struct Size: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A cell's place, from 0 at the upper left.
package struct Point: Hashable, Sendable {
    package var column: Int
    package var row: Int

    package init(column: Int, row: Int) {
        self.column = column
        self.row = row
    }
}

/// A part of the screen; may be empty, is never negative.
package struct Rect: Hashable, Sendable {
    package var column: Int
    package var row: Int
    package var columns: Int
    package var rows: Int

    package init(column: Int, row: Int, columns: Int, rows: Int) {
        self.column = column
        self.row = row
        self.columns = max(0, columns)
        self.rows = max(0, rows)
    }

    package init(_ size: Size) {
        self.init(column: 0, row: 0, columns: size.columns, rows: size.rows)
    }

    package var isEmpty: Bool { columns == 0 || rows == 0 }
    package var endColumn: Int { column + columns }
    package var endRow: Int { row + rows }
    package var size: Size { Size(columns: columns, rows: rows) }

    package func contains(_ point: Point) -> Bool {
        point.column >= column && point.column < endColumn && point.row >= row && point.row < endRow
    }

    /// What is left inside of a border of one cell.
    package var inner: Rect {
        Rect(column: column + 1, row: row + 1, columns: columns - 2, rows: rows - 2)
    }
}

extension Rect {
    package func intersection(_ other: Rect) -> Rect {
        let column = max(column, other.column)
        let row = max(row, other.row)
        return Rect(
            column: column, row: row, columns: min(endColumn, other.endColumn) - column, rows: min(endRow, other.endRow) - row)
    }

    /// The rectangle without this many cells at each side.
    package func inset(columns: Int = 0, rows: Int = 0) -> Rect {
        Rect(column: column + columns, row: row + rows, columns: self.columns - 2 * columns, rows: self.rows - 2 * rows)
    }

    /// A rectangle of this size in the middle, cut to what is there.
    package func centered(_ size: Size) -> Rect {
        let columns = min(size.columns, columns)
        let rows = min(size.rows, rows)
        return Rect(column: column + (self.columns - columns) / 2, row: row + (self.rows - rows) / 2, columns: columns, rows: rows)
    }

    /// The one row, cut out of this; empty when it isn't in here. Counted from the rectangle's top.
    package func line(_ index: Int) -> Rect {
        Rect(column: column, row: row + index, columns: columns, rows: index >= 0 && index < rows ? 1 : 0)
    }

    // MARK: Splits

    /// The upper rows and what is left.
    package func splitTop(_ rows: Int) -> (top: Rect, rest: Rect) {
        let rows = min(max(0, rows), self.rows)
        return (
            Rect(column: column, row: row, columns: columns, rows: rows),
            Rect(column: column, row: row + rows, columns: columns, rows: self.rows - rows)
        )
    }

    /// What is left, and the lower rows.
    package func splitBottom(_ rows: Int) -> (rest: Rect, bottom: Rect) {
        let rows = min(max(0, rows), self.rows)
        let (rest, bottom) = splitTop(self.rows - rows)
        return (rest, bottom)
    }

    package func splitLeft(_ columns: Int) -> (left: Rect, rest: Rect) {
        let columns = min(max(0, columns), self.columns)
        return (
            Rect(column: column, row: row, columns: columns, rows: rows),
            Rect(column: column + columns, row: row, columns: self.columns - columns, rows: rows)
        )
    }

    /// Side by side (or, `rows(_:)`, one below the other), as much as each part asks for.
    ///
    /// - Parameter sharedEdges: neighbours overlap by one cell, so that boxes share a border.
    package func columns(_ parts: [Extent], sharedEdges: Bool = false) -> [Rect] {
        Extent.distribute(columns, over: parts, overlap: sharedEdges ? 1 : 0).map { range in
            Rect(column: column + range.lowerBound, row: row, columns: range.count, rows: rows)
        }
    }

    package func rows(_ parts: [Extent], sharedEdges: Bool = false) -> [Rect] {
        Extent.distribute(rows, over: parts, overlap: sharedEdges ? 1 : 0).map { range in
            Rect(column: column, row: row + range.lowerBound, columns: columns, rows: range.count)
        }
    }
}

/// How much of a rectangle a part of it wants.
package enum Extent: Hashable, Sendable {
    /// So many cells; less only when there aren't enough for all fixed parts (the last ones lose first).
    case fixed(Int)
    /// A share of what the fixed parts leave, at least `minimum`.
    case share(Int, minimum: Int = 0)

    /// Ranges from 0 to `total`, one a part, without gaps; neighbours overlap by `overlap`.
    static func distribute(_ total: Int, over parts: [Extent], overlap: Int) -> [Range<Int>] {
        guard !parts.isEmpty else { return [] }
        var room = total + overlap * (parts.count - 1)
        var sizes = Array(repeating: 0, count: parts.count)
        for (index, part) in parts.enumerated() {
            switch part {
            case .fixed(let wanted): sizes[index] = min(max(0, wanted), max(0, room))
            case .share(_, let minimum): sizes[index] = min(max(0, minimum), max(0, room))
            }
            room -= sizes[index]
        }
        // What is left goes to the shares in proportion, counting what their minimum has given them.
        var open = parts.indices.filter { if case .share = parts[$0] { true } else { false } }
        while room > 0, !open.isEmpty {
            let weight = open.reduce(0) { $0 + parts[$1].weight }
            let pool = room + open.reduce(0) { $0 + sizes[$1] }
            // A part whose minimum is more than its share takes no part in the sharing.
            if let satisfied = open.firstIndex(where: { sizes[$0] * weight > pool * parts[$0].weight }) {
                open.remove(at: satisfied)
                continue
            }
            var done = 0
            var given = 0
            for index in open {
                done += parts[index].weight
                let end = pool * done / max(1, weight)
                room -= end - given - sizes[index]
                sizes[index] = end - given
                given = end
            }
            open = []
        }
        var start = 0
        return sizes.map { size in
            let end = min(max(start, start + size), total)
            let range = min(start, end)..<end
            start = max(0, end - (size > 0 ? overlap : 0))
            return range
        }
    }

    private var weight: Int { if case .share(let weight, _) = self { max(1, weight) } else { 0 } }
}
