/// How a cell looks.
package struct Style: Hashable, Sendable {
    /// `nil`: the terminal's own.
    package var foreground: Color?
    package var background: Color?
    package var attributes: Attributes

    package init(foreground: Color? = nil, background: Color? = nil, attributes: Attributes = []) {
        self.foreground = foreground
        self.background = background
        self.attributes = attributes
    }

    package static let plain = Style()

    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let italic = Attributes(rawValue: 4)
        package static let underline = Attributes(rawValue: 8)
        package static let reverse = Attributes(rawValue: 16)
        package static let strikethrough = Attributes(rawValue: 32)
    }

    /// What lies on top wins where it says something.
    package func merging(_ top: Style) -> Style {
        Style(
            foreground: top.foreground ?? foreground, background: top.background ?? background,
            attributes: attributes.union(top.attributes))
    }
}

/// A colour as a theme names it; the terminal maps it to what it has (256, 16 or none).
package struct Color: Hashable, Sendable {
    package var red: UInt8
    package var green: UInt8
    package var blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// One line of text, each part in a role that the theme gives a look. What Presentation makes and views draw.
package struct StyledLine: Hashable, Sendable {
    package var spans: [Span]

    package init(_ spans: [Span] = []) {
        self.spans = spans
    }

    package init(_ text: String, _ role: ThemeRole = .text) {
        self.spans = text.isEmpty ? [] : [Span(text, role)]
    }

    package struct Span: Hashable, Sendable {
        package var text: String
        package var role: ThemeRole

        package init(_ text: String, _ role: ThemeRole = .text) {
            self.text = text
            self.role = role
        }
    }

    package var text: String { spans.map(\.text).joined() }

    package mutating func append(_ text: String, _ role: ThemeRole = .text) {
        spans.append(Span(text, role))
    }
}

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
