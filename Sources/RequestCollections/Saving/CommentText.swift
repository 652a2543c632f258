/// A text as lines of a comment.
enum CommentText {
    /// Broken between words where a line would have more than `width` scalars. Empty lines are left out.
    static func lines(_ text: String, width: Int) -> [String] {
        // What ends a line, or can't stand in YAML at all (YAML 1.2.2, section 5.1).
        let lines = text.unicodeScalars.split { scalar in
            scalar != "\t" && scalar.properties.generalCategory == .control || scalar == "\u{2028}" || scalar == "\u{2029}"
        }
        return lines.flatMap { broken($0, width: width) }
    }

    private static func broken(_ line: Substring.UnicodeScalarView, width: Int) -> [String] {
        var lines: [String] = []
        var count = 0
        for word in line.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
            if let last = lines.indices.last, count + 1 + word.count <= width {
                lines[last] += " " + String(word)
                count += 1 + word.count
            } else {
                lines.append(String(word))
                count = word.count
            }
        }
        return lines
    }
}
