extension StyledLine {
    /// The line broken between words into rows of at most `columns` columns; a word that is longer is broken where it must be.
    ///
    /// - Parameter indent: blanks before every row but the first.
    package func wrapped(columns: Int, indent: Int = 0) -> [StyledLine] {
        let columns = max(1, columns)
        guard !DisplayWidth.fits(text, in: columns) else { return [self] }
        var rows = Rows(columns: columns, indent: indent < columns ? indent : 0)
        for word in words { rows.add(word) }
        return rows.all
    }

    /// Words and what is between them, in turn. A word may have parts in several roles.
    private var words: [StyledLine] {
        var words: [StyledLine] = []
        var wasBlank: Bool?
        for span in spans {
            var rest = span.text[...]
            while let first = rest.first {
                let isBlank = first == " "
                let end = rest.firstIndex { ($0 == " ") != isBlank } ?? rest.endIndex
                if wasBlank != isBlank { words.append(StyledLine()) }
                words[words.count - 1].append(String(rest[..<end]), span.role)
                wasBlank = isBlank
                rest = rest[end...]
            }
        }
        return words
    }
}

/// Takes words, and begins a new row when one doesn't fit.
private struct Rows {
    let columns: Int
    let indent: Int
    private var done: [StyledLine] = []
    private var row = StyledLine()
    private var used = 0
    /// The blanks before the next word.
    private var gap = StyledLine()
    /// Where the text of the row begins.
    private var start = 0

    init(columns: Int, indent: Int) {
        self.columns = columns
        self.indent = indent
    }

    var all: [StyledLine] { used > start || done.isEmpty ? done + [row] : done }

    mutating func add(_ word: StyledLine) {
        if word.text.first == " " {
            // A space isn't shown where a row is broken.
            gap = word
            return
        }
        let blanks = DisplayWidth.of(gap.text)
        let width = DisplayWidth.of(word.text, from: used + blanks)
        // What needs more than a row of its own may as well begin in this one.
        if used + blanks + width > columns, used > start, width <= columns - indent || used + blanks >= columns {
            begin()
        } else {
            row.spans += gap.spans
            used += blanks
        }
        gap = StyledLine()
        if used + width <= columns {
            row.spans += word.spans
            used += width
        } else {
            for span in word.spans {
                for character in span.text { add(character, span.role) }
            }
        }
    }

    private mutating func add(_ character: Character, _ role: ThemeRole) {
        let width = DisplayWidth.of(character, at: used)
        if used + width > columns, used > start { begin() }
        if let last = row.spans.indices.last, row.spans[last].role == role {
            row.spans[last].text.append(character)
        } else {
            row.append(String(character), role)
        }
        used += width
    }

    private mutating func begin() {
        done.append(row)
        row = StyledLine(String(repeating: " ", count: indent))
        used = indent
        start = indent
    }
}
