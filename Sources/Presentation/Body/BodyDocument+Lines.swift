package import TerminalUI

extension BodyDocument {
    /// The lines of `range` that there are, and of each what lies in `columns`.
    ///
    /// Lines behind the end of the index are found first; ask for a screen at a time.
    ///
    /// - Parameters:
    ///   - pattern: its matches are shown in the role `searchMatch`.
    ///   - current: this match is shown in the role `searchMatchCurrent`.
    package func lines(
        _ range: Range<Int>, columns: Range<Int>, highlighting pattern: BodyPattern? = nil, current: BodyMatch? = nil
    ) -> [StyledLine] {
        var result: [StyledLine] = []
        result.reserveCapacity(min(range.count, 1 << 10))
        if mode == .hex {
            bytes.withBytes { buffer in
                for number in range.clamped(to: 0..<HexFormat.lineCount(buffer.count)) {
                    let start = number * HexFormat.bytesPerLine
                    let marks = marks(in: start..<start + HexFormat.bytesPerLine, buffer, pattern, current)
                    let line = HexFormat.line(number, of: buffer) { byte in marks.first { $0.range.contains(byte) }?.role }
                    result.append(line.columns(columns))
                }
            }
            return result
        }
        forEachLine(range) { buffer, _, layout, _ in
            var painter = LinePainter(buffer.baseAddress!, window: columns)
            painter.marks = marks(of: layout, columns: columns, buffer, pattern, current)
            painter.paint(layout, anchors)
            result.append(painter.line)
        }
        return result
    }

    /// The columns that a line takes. Costs a look at the whole line.
    package func columnCount(ofLine line: Int) -> Int {
        if mode == .hex { return lines(line..<line + 1, columns: 0..<120).first?.text.count ?? 0 }
        var count = 0
        forEachLine(line..<line + 1) { buffer, _, layout, _ in
            var painter = LinePainter(buffer.baseAddress!, window: 0..<0)
            painter.measures = true
            painter.paint(layout, anchors)
            count = painter.column
        }
        return count
    }

    /// The text of lines as it is shown indented, or exactly as it was sent in raw mode; bytes that are no text as U+FFFD.
    package func text(of range: Range<Int>) -> String {
        if mode == .hex { return lines(range, columns: 0..<200).map { $0.text + "\n" }.joined() }
        var result = ""
        forEachLine(range) { buffer, start, layout, next in
            let bytes = buffer.baseAddress!
            if mode == .raw {
                result += TextDecoder.string(start.offset..<(next?.offset ?? buffer.count), of: bytes)
                return
            }
            result += String(repeating: " ", count: layout.indent)
            for piece in layout.pieces {
                switch piece {
                case .bytes(let part, _): result += TextDecoder.string(part, of: bytes)
                case .added(let text, _): result += text
                }
            }
            result += "\n"
        }
        return result
    }

    /// The line that shows a byte, or the line before it if none does. The index is extended up to there.
    package func line(containing offset: Int) -> Int {
        if mode == .hex { return max(0, min(offset, bytes.count - 1)) / HexFormat.bytesPerLine }
        extendIndex(toByte: offset)
        return place(of: offset)?.line ?? 0
    }

    /// The bytes that a line shows, from its first to its last.
    package func bytes(ofLine line: Int) -> Range<Int>? {
        if mode == .hex {
            let start = line * HexFormat.bytesPerLine
            return start < bytes.count ? start..<min(bytes.count, start + HexFormat.bytesPerLine) : nil
        }
        var result: Range<Int>?
        forEachLine(line..<line + 1) { _, start, layout, _ in result = layout.extent ?? start.offset..<start.offset }
        return result
    }

    // MARK: Walking

    /// Lays out the lines of `range` that there are, one after another.
    func forEachLine(
        _ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>, LineStart, LineLayout, LineStart?) -> Void
    ) {
        let range = max(0, range.lowerBound)..<max(0, range.upperBound)
        guard !range.isEmpty else { return }
        extendIndex(toLine: range.upperBound - 1)
        let (found, count, failure) = snapshot { index in
            (index.checkpoint(forLine: range.lowerBound), index.count, index.failure)
        }
        guard let found, range.lowerBound < count else { return }
        var last = found.start.offset
        bytes.withBytes { buffer in
            var layout = LineLayout()
            var next: LineStart? = found.start
            var number = found.line
            while let start = next, number < min(range.upperBound, count) {
                layout.reset()
                next = format.layout(start, in: buffer, failure: failure, into: &layout)
                if number >= range.lowerBound { body(buffer, start, layout, next) }
                last = start.offset
                number += 1
            }
        }
        bytes.looked(at: max(0, last - found.start.offset))
    }

    /// The last line that starts at or before a byte, within the index.
    func place(of offset: Int) -> (line: Int, start: LineStart)? {
        let (found, count, failure) = snapshot { ($0.checkpoint(forOffset: offset), $0.count, $0.failure) }
        guard let found else { return nil }
        return bytes.withBytes { buffer in
            var layout = LineLayout()
            var place = (line: found.line, start: found.start)
            while place.line + 1 < count {
                layout.reset()
                guard let next = format.layout(place.start, in: buffer, failure: failure, into: &layout) else { break }
                // The note stands at the same byte as what it is about, which is shown below it.
                guard next.offset <= offset else { break }
                place = (place.line + 1, next)
            }
            return place
        }
    }

    // MARK: Matches

    /// The matches to show in a window of a line.
    func marks(
        of layout: LineLayout, columns: Range<Int>, _ buffer: UnsafeBufferPointer<UInt8>, _ pattern: BodyPattern?,
        _ current: BodyMatch?
    ) -> [LinePainter.Mark] {
        guard pattern != nil || current != nil, let extent = layout.extent else { return [] }
        return marks(in: visible(extent, layout, columns), buffer, pattern, current)
    }

    /// The part of a line's bytes that can be seen in a window of columns, and a little more.
    private func visible(_ extent: Range<Int>, _ layout: LineLayout, _ columns: Range<Int>) -> Range<Int> {
        guard extent.count > 1 << 16, layout.pieces.count == 1, case .bytes(let range, _) = layout.pieces[0] else { return extent }
        let known = anchors.last(before: columns.lowerBound, in: range, from: layout.indent)
        let start = known?.offset ?? extent.lowerBound
        let end = start + ColumnAnchors.spacing * 2 + columns.count * 4
        return known == nil ? extent : start..<min(extent.upperBound, end)
    }

    private func marks(
        in range: Range<Int>, _ buffer: UnsafeBufferPointer<UInt8>, _ pattern: BodyPattern?, _ current: BodyMatch?
    ) -> [LinePainter.Mark] {
        var marks: [LinePainter.Mark] = []
        if let pattern {
            let reach = pattern.needles.map(\.count).max() ?? 0
            let start = max(0, range.lowerBound - reach + 1)
            var scanner = MatchScanner(pattern, start..<max(start, range.upperBound))
            while let match = scanner.next(in: buffer) {
                let role: ThemeRole = match == current?.bytes ? .searchMatchCurrent : .searchMatch
                marks.append(LinePainter.Mark(range: match, role: role))
            }
        } else if let current, current.bytes.overlaps(range) {
            marks.append(LinePainter.Mark(range: current.bytes, role: .searchMatchCurrent))
        }
        return marks
    }
}

extension BodyDocument.Index {
    /// The last checkpoint at or before a line.
    func checkpoint(forLine line: Int) -> Checkpoint? { last { $0.line <= line } }

    /// The last checkpoint at or before a byte.
    func checkpoint(forOffset offset: Int) -> Checkpoint? { last { $0.start.offset <= offset } ?? checkpoints.first }

    private func last(_ isBefore: (Checkpoint) -> Bool) -> Checkpoint? {
        var low = 0
        var high = checkpoints.count
        while low < high {
            let middle = (low + high) / 2
            if isBefore(checkpoints[middle]) { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? checkpoints[low - 1] : nil
    }
}

extension LineLayout {
    /// From the first byte to the last.
    var extent: Range<Int>? {
        var result: Range<Int>?
        for case .bytes(let range, _) in pieces {
            result = (result?.lowerBound ?? range.lowerBound)..<range.upperBound
        }
        return result
    }
}

extension LinePainter {
    mutating func paint(_ layout: LineLayout, _ anchors: ColumnAnchors?) {
        indent(layout.indent)
        for piece in layout.pieces {
            switch piece {
            case .bytes(let range, let role): paint(range, role, anchors: anchors)
            case .added(let text, let role): add(text, role)
            }
        }
    }
}

extension StyledLine {
    /// The part of a line of narrow characters that lies in `window`.
    func columns(_ window: Range<Int>) -> StyledLine {
        var result = StyledLine()
        var column = 0
        for span in spans {
            let part = (window.lowerBound - column..<max(window.lowerBound - column, window.upperBound - column))
                .clamped(to: 0..<span.text.count)
            result.join(String(span.text.dropFirst(part.lowerBound).prefix(part.count)), span.role)
            column += span.text.count
        }
        return result
    }
}

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
            var painter = LinePainter(buffer.baseAddress!, window: window)
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
            var painter = LinePainter(buffer.baseAddress!, window: 0..<0)
            painter.measures = true
            let isLong = (layout.extent?.count ?? 0) > 1 << 20
            if !isLong { painter.wrapWidth = width }
            painter.paint(layout, anchors)
            starts = isLong ? Array(stride(from: 0, to: painter.column, by: width)) : painter.rowStarts
        }
        return starts
    }
}
