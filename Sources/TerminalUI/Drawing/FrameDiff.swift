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
