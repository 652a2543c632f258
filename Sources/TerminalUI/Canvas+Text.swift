extension Canvas {
    /// Text on one row; line feeds and other controls show as signs, tabs fill to the next stop.
    ///
    /// - Parameters:
    ///   - limit: the columns it may take, at most those up to the window's edge.
    ///   - ellipsis: what is cut off ends in `…`.
    /// - Returns: the column behind it.
    @discardableResult
    package mutating func text(
        _ text: some StringProtocol, _ role: ThemeRole = .text, column: Int, row: Int, limit: Int = .max, ellipsis: Bool = false
    ) -> Int {
        self.text(text, style: overlaid(role), column: column, row: row, limit: limit, ellipsis: ellipsis)
    }

    @discardableResult
    package mutating func text(
        _ text: some StringProtocol, style: Style, column: Int, row: Int, limit: Int = .max, ellipsis: Bool = false
    ) -> Int {
        let room = min(limit, max(0, window.columns - column))
        guard room > 0 else { return column }
        var pen = Pen(start: column, end: column + room)
        let isCut = ellipsis && !DisplayWidth.fits(text, in: room)
        if isCut { pen.end -= 1 }
        pen.write(text, style: style, row: row, on: &self)
        if isCut {
            put(Glyph("…"), style: style, column: pen.column, row: row)
            pen.column += 1
        }
        return pen.column
    }

    /// Text that ends before `endColumn`.
    package mutating func text(_ text: some StringProtocol, _ role: ThemeRole = .text, endColumn: Int, row: Int) {
        self.text(text, role, column: endColumn - DisplayWidth.of(text), row: row)
    }

    /// A line of spans, from the column `offset` of the line on (horizontal scrolling).
    ///
    /// - Parameter base: laid under each span's own look.
    /// - Returns: the column behind it.
    @discardableResult
    package mutating func line(
        _ line: StyledLine, column: Int = 0, row: Int, offset: Int = 0, limit: Int = .max, base: ThemeRole? = nil,
        ellipsis: Bool = false
    ) -> Int {
        let room = min(limit, max(0, window.columns - column))
        guard room > 0 else { return column }
        var pen = Pen(start: column, end: column + room, offset: offset)
        let isCut = ellipsis && !DisplayWidth.fits(line.text, in: room + offset)
        if isCut { pen.end -= 1 }
        let under = base.map { overlaid($0) } ?? .plain
        var style = under
        for span in line.spans where !pen.isFull {
            style = under.merging(overlaid(span.role))
            pen.write(span.text, style: style, row: row, on: &self)
        }
        if isCut {
            put(Glyph("…"), style: style, column: pen.end, row: row)
            return pen.end + 1
        }
        return max(column, pen.column)
    }
}

/// Where the next glyph goes, and which part of the line is seen.
private struct Pen {
    let start: Int
    var end: Int
    /// Columns of the line that are scrolled out on the left.
    let offset: Int
    /// The column in the line, from 0.
    private var position = 0

    init(start: Int, end: Int, offset: Int = 0) {
        self.start = start
        self.end = end
        self.offset = offset
    }

    var column: Int {
        get { start + position - offset }
        set { position = newValue - start + offset }
    }
    var isFull: Bool { column >= end }

    mutating func write(_ text: some StringProtocol, style: Style, row: Int, on canvas: inout Canvas) {
        let signs = style.merging(canvas.overlaid(.controlCharacter))
        for character in text {
            if isFull { return }
            if character == "\t" {
                let width = DisplayWidth.tabStop - position % DisplayWidth.tabStop
                for _ in 0..<width { put(Glyph(" "), style: style, row: row, on: &canvas) }
            } else {
                Glyph.forEach(in: character) { glyph in
                    put(glyph, style: glyph.isSubstitute ? signs : style, row: row, on: &canvas)
                }
            }
        }
    }

    private mutating func put(_ glyph: Glyph, style: Style, row: Int, on canvas: inout Canvas) {
        let place = column
        position += glyph.width
        if place >= start, place + glyph.width <= end {
            canvas.put(glyph, style: style, column: place, row: row)
        } else if place + glyph.width > start, place < end {
            // Only half of the glyph is visible, so a blank takes its place.
            canvas.put(Glyph(" "), style: style, column: max(start, place), row: row)
        }
    }
}

extension DisplayWidth {
    /// Whether the text takes at most so many columns; reads no more of it than it needs.
    package static func fits(_ text: some StringProtocol, in columns: Int) -> Bool {
        var width = 0
        for character in text {
            width += of(character, at: width)
            if width > columns { return false }
        }
        return true
    }
}
