/// A frame to draw on, through a window: every place is counted from the window's upper left, and nothing gets out of it.
///
///     var canvas = Canvas(size: size, theme: theme)
///     canvas.box(canvas.bounds, title: "Response", isFocused: true)
///     canvas.draw(in: canvas.bounds.inner) { body in
///         body.text("200 OK", .status2xx, column: 0, row: 0)
///     }
///     return canvas.frame
///
/// Text is laid *over* what is there: where its style says nothing (most roles have no background), the cell keeps its own.
/// So a row is first filled with the role `selection` and then written. `fill` replaces.
package struct Canvas {
    package private(set) var frame: Frame
    package let theme: Theme
    /// The window, in the frame.
    package private(set) var window: Rect
    /// The part of the window in which drawing shows.
    private var clip: Rect

    package init(size: Size, theme: Theme, role: ThemeRole = .text) {
        self.init(frame: Frame(size: size, fill: theme[role]), theme: theme)
    }

    package init(frame: Frame, theme: Theme) {
        self.frame = frame
        self.theme = theme
        self.window = frame.area
        self.clip = frame.area
    }

    /// The whole window, at 0, 0.
    package var bounds: Rect { Rect(column: 0, row: 0, columns: window.columns, rows: window.rows) }

    /// Where this place of the window is in the frame.
    package func framePoint(column: Int, row: Int) -> Point { Point(column: window.column + column, row: window.row + row) }

    /// Draws in a part of the window, as if it were all there is.
    @discardableResult
    package mutating func draw<Result>(in rect: Rect, _ body: (inout Canvas) throws -> Result) rethrows -> Result {
        let outer = (window, clip)
        window = Rect(column: window.column + rect.column, row: window.row + rect.row, columns: rect.columns, rows: rect.rows)
        clip = clip.intersection(window)
        defer { (window, clip) = outer }
        return try body(&self)
    }

    /// The terminal's cursor, shown here; nothing when that is outside of the window.
    package mutating func showCursor(column: Int, row: Int) {
        let point = framePoint(column: column, row: row)
        if clip.contains(point) { frame.cursor = point }
    }

    /// A picture over a part of the window; nothing unless all of that is seen.
    package mutating func image(_ file: ImageFile, in rect: Rect) {
        let place = Rect(column: window.column + rect.column, row: window.row + rect.row, columns: rect.columns, rows: rect.rows)
        if clip.intersection(place) == place { frame.image = FrameImage(file, in: place) }
    }

    // MARK: Areas

    /// Replaces all that is in the rectangle. What the role leaves open is as in the role `text`: a theme's background and not
    /// the terminal's.
    package mutating func fill(_ rect: Rect, _ role: ThemeRole, character: Character = " ") {
        fill(rect, style: theme[.text].merging(theme[role]), character: character)
    }

    package mutating func fill(_ rect: Rect, style: Style, character: Character = " ") {
        forEachCell(of: rect) { frame, column, row in
            frame.put(character, width: 1, style: style, column: column, row: row)
        }
    }

    /// Lays a look over what is drawn: the selection, a match, what is stale.
    package mutating func restyle(_ rect: Rect, _ role: ThemeRole) {
        let style = overlaid(role)
        forEachCell(of: rect) { frame, column, row in
            frame[column, row].style = frame[column, row].style.merging(style)
        }
    }

    private mutating func forEachCell(of rect: Rect, _ body: (inout Frame, _ column: Int, _ row: Int) -> Void) {
        let place = Rect(column: window.column + rect.column, row: window.row + rect.row, columns: rect.columns, rows: rect.rows)
        let seen = clip.intersection(place)
        for row in seen.row..<seen.endRow {
            for column in seen.column..<seen.endColumn { body(&frame, column, row) }
        }
    }

    // MARK: Cells

    /// The look of what is laid over a ground: the theme's own ground (that of `text`) counts as none.
    func overlaid(_ role: ThemeRole) -> Style {
        var style = theme[role]
        if style.background == theme[.text].background { style.background = nil }
        return style
    }

    /// One glyph over what is there. A double-width one that doesn't fit leaves a blank.
    mutating func put(_ glyph: Glyph, style: Style, column: Int, row: Int) {
        let column = window.column + column
        let row = window.row + row
        guard row >= clip.row, row < clip.endRow, column < clip.endColumn, column + glyph.width > clip.column else { return }
        if column >= clip.column, column + glyph.width <= clip.endColumn {
            let style = frame[column, row].style.merging(style)
            frame.put(glyph.character, width: glyph.width, style: style, column: column, row: row)
        } else {
            for cut in max(column, clip.column)..<min(column + glyph.width, clip.endColumn) {
                frame.put(" ", width: 1, style: frame[cut, row].style.merging(style), column: cut, row: row)
            }
        }
    }

    /// What is at this place of the window; `nil` outside of the frame.
    package func cell(column: Int, row: Int) -> Cell? {
        let point = framePoint(column: column, row: row)
        return frame.area.contains(point) ? frame[point.column, point.row] : nil
    }
}
