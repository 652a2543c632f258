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
