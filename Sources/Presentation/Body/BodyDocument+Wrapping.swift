package import TerminalUI

/// The start of a row on a screen whose long lines are wrapped.
package struct BodyPosition: Sendable, Hashable, Comparable {
    package var line: Int
    /// The column of the line at which the row begins; 0 for its first row.
    package var column: Int

    package init(line: Int = 0, column: Int = 0) {
        self.line = line
        self.column = column
    }

    package static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }
}

/// Soft wrap: rows of a given width instead of lines that go on behind the edge.
///
/// A view keeps the position of its first row, not its number: how many rows there are above is never counted.
extension BodyDocument {
    package struct Row: Sendable, Hashable {
        package var position: BodyPosition
        package var text: StyledLine

        package init(position: BodyPosition, text: StyledLine) {
            self.position = position
            self.text = text
        }
    }

    /// At most `count` rows from a position on. A character that doesn't fit at the end of a row starts the next.
    package func rows(
        from position: BodyPosition, count: Int, width: Int, highlighting pattern: BodyPattern? = nil, current: BodyMatch? = nil
    ) -> [Row] {
        let width = max(2, width)
        var rows: [Row] = []
        var position = position
        while rows.count < count {
            guard let (text, next) = row(at: position, width, pattern, current) else { break }
            rows.append(Row(position: position, text: text))
            position = next
        }
        return rows
    }

    /// The position that many rows below, or above if negative; at most at the last row and at least at the first.
    package func position(_ position: BodyPosition, movedBy rows: Int, width: Int) -> BodyPosition {
        let width = max(2, width)
        var position = position
        if rows >= 0 {
            for _ in 0..<rows {
                guard let (_, next) = row(at: position, width, nil, nil), row(at: next, width, nil, nil) != nil else { break }
                position = next
            }
            return position
        }
        for _ in rows..<0 {
            if position.column > 0 {
                position.column = rowStarts(ofLine: position.line, width).last { $0 < position.column } ?? 0
            } else if position.line > 0 {
                position.line -= 1
                position.column = rowStarts(ofLine: position.line, width).last ?? 0
            } else {
                break
            }
        }
        return position
    }

    /// The last row of the body; goes over what isn't indexed yet.
    package func lastPosition(width: Int) -> BodyPosition {
        extendIndexToEnd()
        let line = max(0, lineCount.lines - 1)
        return BodyPosition(line: line, column: rowStarts(ofLine: line, max(2, width)).last ?? 0)
    }

    private func row(
        at position: BodyPosition, _ width: Int, _ pattern: BodyPattern?, _ current: BodyMatch?
    ) -> (StyledLine, next: BodyPosition)? {
        let window = position.column..<position.column + width
        var result: (StyledLine, next: BodyPosition)?
        let below = BodyPosition(line: position.line + 1)
        if mode == .hex {
            let line = lines(position.line..<position.line + 1, columns: window, highlighting: pattern, current: current).first
            return line.map { ($0, $0.text.count < width ? below : BodyPosition(line: position.line, column: window.upperBound)) }
        }
        forEachLine(position.line..<position.line + 1) { buffer, _, layout, _ in
            var painter = LinePainter(buffer.baseAddress!, encoding, window: window)
            painter.marks = marks(of: layout, columns: window, buffer, pattern, current)
            painter.paint(layout, anchors)
            let next = BodyPosition(line: position.line, column: painter.cut ?? window.upperBound)
            result = (painter.line, painter.isBeyond ? next : below)
        }
        return result
    }

    /// The columns at which the rows of a line start. In lines over 1 MiB wide characters at row ends are not looked for.
    private func rowStarts(ofLine line: Int, _ width: Int) -> [Int] {
        var starts = [0]
        if mode == .hex { return Array(stride(from: 0, to: max(1, columnCount(ofLine: line)), by: width)) }
        forEachLine(line..<line + 1) { buffer, _, layout, _ in
            var painter = LinePainter(buffer.baseAddress!, encoding, window: 0..<0)
            painter.measures = true
            let isLong = (layout.extent?.count ?? 0) > 1 << 20
            if !isLong { painter.wrapWidth = width }
            painter.paint(layout, anchors)
            starts = isLong ? Array(stride(from: 0, to: painter.column, by: width)) : painter.rowStarts
        }
        return starts
    }
}
