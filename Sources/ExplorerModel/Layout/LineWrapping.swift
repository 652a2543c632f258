import TerminalUI

/// Text for people in a narrow place.
package enum LineWrapping {
    /// The lines of a text, broken at blanks, and inside of a word that is longer than a line.
    package static func lines(of text: String, columns: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrap($0, columns: max(8, columns)) }
    }

    private static func wrap(_ text: Substring, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        var width = 0
        for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0 {
                if width + 1 + DisplayWidth.of(word) > columns {
                    lines.append(line)
                    (line, width) = ("", 0)
                } else {
                    line += " "
                    width += 1
                }
            }
            for character in word {
                let characterWidth = DisplayWidth.of(character)
                if width + characterWidth > columns {
                    lines.append(line)
                    (line, width) = ("", 0)
                }
                line.append(character)
                width += characterWidth
            }
        }
        return lines + [line]
    }
}
