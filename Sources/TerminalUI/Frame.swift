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

extension Frame {
    package var area: Rect { Rect(size) }

    /// Puts a cell and keeps double-width characters whole: what a new cell cuts in two becomes blank.
    /// Outside of the frame nothing happens.
    package mutating func put(_ character: Character, width: Int, style: Style, column: Int, row: Int) {
        guard row >= 0, row < size.rows, column >= 0, column + width <= size.columns else { return }
        release(column, row)
        if width == 2 { release(column + 1, row) }
        self[column, row] = Cell(character, width: UInt8(width), style: style)
        if width == 2 { self[column + 1, row] = Cell(" ", width: 0, style: style) }
    }

    private mutating func release(_ column: Int, _ row: Int) {
        switch self[column, row].width {
        case 2 where column + 1 < size.columns: self[column + 1, row] = Cell(" ", style: self[column + 1, row].style)
        case 0 where column > 0: self[column - 1, row] = Cell(" ", style: self[column - 1, row].style)
        default: break
        }
    }

    /// The characters of the screen, one line a row, without spaces at the ends of lines.
    package var text: String {
        var lines: [String] = []
        for row in 0..<size.rows {
            var line = ""
            for column in 0..<size.columns where self[column, row].width > 0 { line.append(self[column, row].character) }
            while line.last == " " { line.removeLast() }
            lines.append(line)
        }
        return lines.joined(separator: "\n")
    }
}

/// A picture over cells of a frame, for terminals that show some. The cells below it are the frame's.
package struct FrameImage: Hashable, Sendable {
    package let file: ImageFile
    /// The cells that it fills.
    package let place: Rect

    package init(_ file: ImageFile, in place: Rect) {
        self.file = file
        self.place = place
    }
}

/// The bytes of a PNG file. Equal only to itself, so that two frames are compared at once.
package final class ImageFile: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(png bytes: [UInt8]) { self.bytes = bytes }

    package static func == (left: ImageFile, right: ImageFile) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What must be written so that a terminal that shows one frame shows another.
package struct FrameDiff: Hashable, Sendable {
    package var runs: [Run]

    /// Neighbouring cells that have changed. Never starts or ends inside of a double-width character.
    package struct Run: Hashable, Sendable {
        package var column: Int
        package var row: Int
        /// The cells, without the second halves of double-width characters.
        package var cells: [Cell]
    }

    /// `old`: `nil`, or of another size, when the terminal's contents are not known; then every cell is in.
    package init(from old: Frame?, to new: Frame) {
        runs = []
        let old = old?.size == new.size ? old : nil
        let columns = new.size.columns
        for row in 0..<new.size.rows {
            let line = row * columns
            if let old, old.cells[line..<line + columns] == new.cells[line..<line + columns] { continue }
            var column = 0
            var isRunning = false
            while column < columns {
                // The unit of comparison is a whole character of the new frame.
                let cell = new.cells[line + column]
                let width = max(1, Int(cell.width))
                let end = min(column + width, columns)
                let isSame =
                    old.map { $0.cells[line + column..<line + end] == new.cells[line + column..<line + end] } ?? false
                if !isSame {
                    if isRunning {
                        runs[runs.count - 1].cells.append(cell)
                    } else {
                        runs.append(Run(column: column, row: row, cells: [cell]))
                    }
                }
                isRunning = !isSame
                column = end
            }
        }
    }
}
