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

    /// The ground of a selected row, and a sign of it, which is seen where no ground is.
    ///
    /// - Parameter sign: the column of the sign; by default the one before the window.
    package mutating func select(_ row: Int, _ role: ThemeRole = .selection, sign: Int = -1) {
        fill(bounds.line(row), role)
        let point = framePoint(column: sign, row: row)
        guard frame.area.contains(point), (clip.row..<clip.endRow).contains(point.row) else { return }
        let style = frame[point.column, point.row].style.merging(overlaid(role == .selection ? .accent : .dim))
        frame.put("›", width: 1, style: style, column: point.column, row: point.row)
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

/// Sides that a line leaves a cell on.
private struct Arms: OptionSet {
    let rawValue: UInt8
    static let up = Arms(rawValue: 1)
    static let right = Arms(rawValue: 2)
    static let down = Arms(rawValue: 4)
    static let left = Arms(rawValue: 8)

    /// By `rawValue`.
    private static let characters: [Character] = [
        " ", "╵", "╶", "└", "╷", "│", "┌", "├", "╴", "┘", "─", "┴", "┐", "┤", "┬", "┼",
    ]

    var character: Character { Arms.characters[Int(rawValue)] }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    init(_ character: Character) {
        self.rawValue = UInt8(Arms.characters.firstIndex(of: character) ?? 0)
    }
}

extension Canvas {
    /// A box of light lines along the rectangle's edge. Where it meets lines that are there already, they join (`├ ┬ ┼`):
    /// boxes that share an edge are drawn one over the other, the focused one last.
    package mutating func box(
        _ rect: Rect, title: String = "", isFocused: Bool = false, border: ThemeRole? = nil, titleRole: ThemeRole? = nil
    ) {
        self.box(
            rect, title: title.isEmpty ? StyledLine() : StyledLine(title, titleRole ?? (isFocused ? .titleFocused : .title)),
            isFocused: isFocused, border: border)
    }

    /// A box whose title has several styles: tabs, a count, a state.
    package mutating func box(_ rect: Rect, title: StyledLine, isFocused: Bool = false, border: ThemeRole? = nil) {
        let role = border ?? (isFocused ? .borderFocused : .border)
        guard rect.columns >= 2, rect.rows >= 2 else { return }
        horizontalLine(column: rect.column, row: rect.row, columns: rect.columns, role)
        horizontalLine(column: rect.column, row: rect.endRow - 1, columns: rect.columns, role)
        verticalLine(column: rect.column, row: rect.row, rows: rect.rows, role)
        verticalLine(column: rect.endColumn - 1, row: rect.row, rows: rect.rows, role)
        if !title.spans.isEmpty, rect.columns >= 6 {
            var padded = title
            padded.spans.insert(StyledLine.Span(" ", role), at: 0)
            padded.append(" ", role)
            draw(in: Rect(column: rect.column + 1, row: rect.row, columns: rect.columns - 2, rows: 1)) { canvas in
                canvas.line(padded, row: 0, ellipsis: true)
            }
        }
    }

    package mutating func horizontalLine(column: Int, row: Int, columns: Int, _ role: ThemeRole = .border) {
        for index in 0..<max(0, columns) {
            var arms: Arms = columns == 1 ? [.left, .right] : []
            if index > 0 { arms.insert(.left) }
            if index < columns - 1 { arms.insert(.right) }
            join(arms, column: column + index, row: row, role)
        }
    }

    package mutating func verticalLine(column: Int, row: Int, rows: Int, _ role: ThemeRole = .border) {
        for index in 0..<max(0, rows) {
            var arms: Arms = rows == 1 ? [.up, .down] : []
            if index > 0 { arms.insert(.up) }
            if index < rows - 1 { arms.insert(.down) }
            join(arms, column: column, row: row + index, role)
        }
    }

    private mutating func join(_ arms: Arms, column: Int, row: Int, _ role: ThemeRole) {
        let here = cell(column: column, row: row).map { Arms($0.character) } ?? []
        put(Glyph(here.union(arms).character), style: overlaid(role), column: column, row: row)
    }
}

extension Canvas {
    /// A horizontal bar from `start` to `end`, in columns and parts of columns; a beginning inside of a column is drawn
    /// as exactly as its end. A bar of any length shows at least an eighth.
    ///
    /// - Parameter track: drawn over the whole window's row when given, so that the end of the way is seen.
    package mutating func bar(from start: Double, to end: Double, row: Int, _ role: ThemeRole, track: ThemeRole? = nil) {
        if let track {
            let style = overlaid(track)
            for column in 0..<window.columns { put(Glyph("░"), style: style, column: column, row: row) }
        }
        guard end > start, start < Double(window.columns), end > 0, start.isFinite, end.isFinite else { return }
        let first = max(0, Int((start * 8).rounded()))
        let last = min(max(first + 1, Int((end * 8).rounded())), window.columns * 8)
        let style = overlaid(role)
        for column in first / 8..<max(first / 8, (last + 7) / 8) {
            let low = max(first - column * 8, 0)
            let high = min(last - column * 8, 8)
            let behind = cell(column: column, row: row)?.style.background
            if low == 0 {
                put(Glyph(Canvas.eighths[high]), style: style, column: column, row: row)
            } else if high == 8 {
                // There are no characters that fill from the right: the empty part is drawn, in swapped colours.
                let swapped = Style(
                    foreground: style.foreground, background: behind, attributes: style.attributes.union(.reverse))
                put(Glyph(Canvas.eighths[low]), style: swapped, column: column, row: row)
            } else {
                put(Glyph(high - low > 4 ? "▋" : "▎"), style: style, column: column, row: row)
            }
        }
    }

    private static let eighths: [Character] = [" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"]

    /// A scrollbar's thumb, thin, over the window's right border, or wherever `column` is; none when all is seen.
    ///
    /// - Parameters:
    ///   - rows: where on the screen.
    ///   - visible: which of the `total` lines are seen.
    package mutating func scrollbar(column: Int, rows: Range<Int>, visible: Range<Int>, total: Int) {
        guard total > visible.count, !rows.isEmpty, !visible.isEmpty else { return }
        let length = max(1, rows.count * visible.count / total)
        let hidden = max(1, total - visible.count)
        let top = min(rows.count - length, (visible.lowerBound * (rows.count - length) + hidden / 2) / hidden)
        // Where another border meets this one the corner stays: the thumb gives way, to the row beside it when it has but one.
        let free = (0..<rows.count).filter { !isJunction(column: column, row: rows.lowerBound + $0) }
        var thumb = free.filter { (top..<top + length).contains($0) }
        if thumb.isEmpty { thumb = free.min { abs($0 - top) < abs($1 - top) }.map { [$0] } ?? [] }
        for row in thumb {
            put(Glyph("┃"), style: overlaid(.scrollbar), column: column, row: rows.lowerBound + row)
        }
    }

    private func isJunction(column: Int, row: Int) -> Bool {
        cell(column: column, row: row).map { "├┤┬┴┼┌┐└┘".contains($0.character) } ?? false
    }
}
