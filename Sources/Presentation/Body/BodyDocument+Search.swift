import TerminalUI

extension BodyDocument {
    /// The next match that starts at or behind a byte, or the last one that starts before it.
    ///
    /// Goes over the bytes, not over the lines: 100 MB take a few hundredths of a second. Doesn't wrap around. Finds nothing in a
    /// task that is cancelled meanwhile.
    package func search(_ pattern: BodyPattern, from offset: Int = 0, backwards: Bool = false) -> BodyMatch? {
        let found = backwards ? scan(pattern, before: offset) : scan(pattern, from: offset)
        return found.map(match)
    }

    /// The match behind or before `match`; around the end of the body if there is none.
    package func search(_ pattern: BodyPattern, after match: BodyMatch, backwards: Bool = false) -> BodyMatch? {
        if backwards {
            search(pattern, from: match.bytes.lowerBound, backwards: true) ?? search(pattern, from: bytes.count, backwards: true)
        } else {
            search(pattern, from: match.bytes.upperBound) ?? search(pattern, from: 0)
        }
    }

    private static let slice = 1 << 22

    private func scan(_ pattern: BodyPattern, from offset: Int) -> Range<Int>? {
        var position = max(0, offset)
        while position < bytes.count {
            let slice = position..<min(bytes.count, position + Self.slice)
            if let found = bytes.withBytes({ pattern.first(in: slice, of: $0) }) { return found }
            bytes.forget(slice)
            if Task.isCancelled { return nil }
            position = slice.upperBound
        }
        return nil
    }

    private func scan(_ pattern: BodyPattern, before offset: Int) -> Range<Int>? {
        var position = min(offset, bytes.count)
        while position > 0 {
            let slice = max(0, position - Self.slice)..<position
            if let found = bytes.withBytes({ pattern.last(in: slice, of: $0) }) { return found }
            bytes.forget(slice)
            if Task.isCancelled { return nil }
            position = slice.lowerBound
        }
        return nil
    }

    private func match(_ range: Range<Int>) -> BodyMatch {
        let line = line(containing: range.lowerBound)
        if mode == .hex {
            return BodyMatch(bytes: range, line: line, columns: hexColumns(range))
        }
        var columns = 0..<0
        forEachLine(line..<line + 1) { buffer, _, layout, _ in
            var painter = LinePainter(buffer.baseAddress!, window: 0..<0)
            painter.measures = true
            var start: Int?
            painter.indent(layout.indent)
            for piece in layout.pieces {
                switch piece {
                case .added(let text, let role): painter.add(text, role)
                case .bytes(let part, let role):
                    if start == nil, range.lowerBound < part.upperBound {
                        if range.lowerBound > part.lowerBound {
                            painter.measure(part, upTo: range.lowerBound, role, anchors)
                        }
                        start = painter.column
                        columns = painter.column..<painter.column
                        let begin = max(part.lowerBound, range.lowerBound)
                        painter.measure(begin..<part.upperBound, upTo: range.upperBound, role, nil)
                    } else {
                        painter.measure(part, upTo: start == nil ? part.upperBound : range.upperBound, role, nil)
                    }
                    if let start, range.upperBound > part.lowerBound { columns = start..<painter.column }
                }
                if start != nil, let reached = piece.end, reached >= range.upperBound { break }
            }
        }
        return BodyMatch(bytes: range, line: line, columns: columns)
    }

    private func hexColumns(_ range: Range<Int>) -> Range<Int> {
        let digits = max(8, String(max(0, bytes.count - 1), radix: 16).count)
        let first = range.lowerBound % HexFormat.bytesPerLine
        let last = min(HexFormat.bytesPerLine - 1, first + range.count - 1)
        func column(_ index: Int) -> Int { digits + 2 + index * 3 + (index >= HexFormat.bytesPerLine / 2 ? 1 : 0) }
        return column(first)..<column(last) + 2
    }
}

extension LinePainter {
    /// Moves `column` over the part of a piece that lies before `end`.
    fileprivate mutating func measure(_ range: Range<Int>, upTo end: Int, _ role: ThemeRole, _ anchors: ColumnAnchors?) {
        if range.lowerBound < end { paint(range, role, anchors: anchors, upTo: end) }
    }
}

extension LineLayout.Piece {
    fileprivate var end: Int? {
        if case .bytes(let range, _) = self { range.upperBound } else { nil }
    }
}
