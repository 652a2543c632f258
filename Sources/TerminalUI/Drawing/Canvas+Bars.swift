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
