package import Presentation
package import TerminalUI

extension BodyViewState {
    /// What one row of the screen shows.
    package struct Row: Hashable, Sendable {
        package var place: Place
        package var text: StyledLine
        /// The columns of ``text`` that are left of the row.
        package var offset: Int
    }

    /// The rows of a viewport, from ``top`` on.
    package func rows(of document: BodyDocument, in size: Size) -> [Row] {
        guard size.rows > 0 else { return [] }
        let columns = columns(of: document, in: size)
        let window = top.line..<top.line + size.rows
        guard wraps(document) else {
            return document.lines(window, columns: left..<left + columns, highlighting: search.pattern, current: search.current)
                .enumerated()
                .map { Row(place: Place(line: top.line + $0.offset), text: $0.element, offset: 0) }
        }
        // Of the first line the part that is in sight; of the others never more than fills the screen.
        let first = document.lines(
            top.line..<top.line + 1, columns: top.part * columns..<(top.part + size.rows) * columns, highlighting: search.pattern,
            current: search.current)
        let others = document.lines(
            top.line + 1..<top.line + size.rows, columns: 0..<size.rows * columns, highlighting: search.pattern,
            current: search.current)
        var rows: [Row] = []
        for (index, line) in (first + others).enumerated() {
            let width = DisplayWidth.of(line.text)
            let parts = max(1, (width + columns - 1) / columns)
            for part in 0..<parts where rows.count < size.rows {
                let place = Place(line: top.line + index, part: index == 0 ? top.part + part : part)
                rows.append(Row(place: place, text: line, offset: part * columns))
            }
            if rows.count == size.rows { break }
        }
        return rows
    }

    /// How many rows each line of a range takes.
    func parts(of lines: Range<Int>, in document: BodyDocument, columns: Int) -> [Int] {
        guard wraps(document) else { return document.lines(lines, columns: 0..<1).map { _ in 1 } }
        // Most lines are short: one look at all of them, and at the long ones another.
        let cap = columns * 4
        return document.lines(lines, columns: 0..<cap).enumerated().map { index, line in
            var width = DisplayWidth.of(line.text)
            if width >= cap - 1 { width = document.columnCount(ofLine: lines.lowerBound + index) }
            return max(1, (width + columns - 1) / columns)
        }
    }
}
