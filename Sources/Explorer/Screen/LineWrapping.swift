import NetworkLayer
import TerminalUI

/// Text for people in a narrow place.
enum LineWrapping {
    /// The lines of a text, broken at blanks, and inside of a word that is longer than a line.
    static func lines(of text: String, columns: Int) -> [String] {
        text.lines.flatMap { line in
            StyledLine(String(line)).wrapped(columns: max(8, columns)).map(\.text)
        }
    }
}
