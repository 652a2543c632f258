/// One drawn screen: a grid of cells, and where the cursor is.
package struct Frame: Hashable, Sendable {
    package let size: Size
    package private(set) var cells: [Cell]
    /// `nil`: hidden.
    package var cursor: Point?
    /// Over the cells, for a terminal that shows pictures.
    package var image: FrameImage?

    package init(size: Size, fill: Style = .plain) {
        self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
        self.cells = Array(repeating: Cell(" ", style: fill), count: self.size.columns * self.size.rows)
    }

    package subscript(column: Int, row: Int) -> Cell {
        get { cells[row * size.columns + column] }
        set { cells[row * size.columns + column] = newValue }
    }
}

/// A character in a style. A double-width character fills two cells: its own, and one of width 0 behind it.
package struct Cell: Hashable, Sendable {
    package var character: Character
    /// 1 or 2; 0 for the second half of the cell before.
    package var width: UInt8
    package var style: Style

    package init(_ character: Character, width: UInt8 = 1, style: Style = .plain) {
        self.character = character
        self.width = width
        self.style = style
    }
}
