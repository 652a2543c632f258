import Presentation
import TerminalUI

/// Draws a picture in half blocks: two points a cell, one above the other; or hands its file to a terminal that can do better.
enum PictureView {
    /// - Parameter showsImages: the terminal takes the file. Not while something lies over the panes: it would be below the picture.
    static func draw(_ picture: Picture, showsImages: Bool, on canvas: inout Canvas) {
        let (width, height) = picture.fitting(columns: canvas.bounds.columns, rows: canvas.bounds.rows)
        if showsImages, let file = picture.file {
            return canvas.image(file, in: Rect(column: 0, row: 0, columns: width, rows: (height + 1) / 2))
        }
        let colors = picture.colors(width: width, height: height)
        for row in 0..<(height + 1) / 2 {
            for column in 0..<width {
                let upper = colors[row * 2 * width + column]
                let lower = row * 2 + 1 < height ? colors[(row * 2 + 1) * width + column] : nil
                switch (upper, lower) {
                case (nil, nil): break
                case (let color?, nil): canvas.text("▀", style: Style(foreground: color), column: column, row: row)
                case (nil, let color?): canvas.text("▄", style: Style(foreground: color), column: column, row: row)
                case (let first?, let second?):
                    canvas.text("▀", style: Style(foreground: first, background: second), column: column, row: row)
                }
            }
        }
    }
}
