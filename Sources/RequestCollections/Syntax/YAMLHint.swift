/// The way out of what libyaml says, for what people write by mistake most often.
enum YAMLHint {
    /// What a template needs that stands at the beginning of a value: to YAML its braces are a map in a map.
    static let template = "a value that begins with `{{` stands in quotes: `\"{{name}}\"`"

    /// As the end of a sentence; empty for what has no usual cause.
    ///
    /// - Parameters:
    ///   - problem: libyaml's.
    ///   - context: what it was at, in libyaml's words.
    ///   - column: where in the line it stands, from 0.
    static func text(_ problem: String, _ context: String?, at column: Int, in line: String) -> String {
        switch (problem, context) {
        case (_, "while scanning an alias"?), (_, "while scanning an anchor"?):
            "; a text that begins with `*` or `&` stands in quotes"
        case ("mapping values are not allowed in this context", _):
            "; a text with a colon and a space in it stands in quotes"
        case ("did not find expected ',' or '}'", _), ("did not find expected ',' or ']'", _):
            between(column, line)
        case ("found character that cannot start any token", _):
            "; a text that begins with `@`, `%` or a backtick stands in quotes, and spaces indent, not tabs"
        default: ""
        }
    }

    /// A plain text between brackets and braces ends at the next one of them, wherever that is: `{ .a[0]: x }`, `{ body: /\\d{4}/ }`.
    private static func between(_ column: Int, _ line: String) -> String {
        let characters = Array(line.unicodeScalars.map(Character.init))
        guard characters.indices.contains(column), "[]{},".contains(characters[column]) else {
            return "; between brackets and braces a text with one of them or a comma in it stands in quotes"
        }
        let character = characters[column]
        // From the bracket, comma or colon before it to the next end that isn't in brackets itself.
        var start = column
        while start > 0, !"{[,".contains(characters[start - 1]),
            characters[start - 1] != " " || characters[max(0, start - 2)] != ":"
        {
            start -= 1
        }
        var depth = 0
        var end = column
        while end < characters.count {
            let next = characters[end]
            if "[{".contains(next) { depth += 1 }
            if "]}".contains(next) { depth -= 1 }
            if depth < 0 || depth == 0 && next == "," || next == ":" && end + 1 < characters.count && characters[end + 1] == " " {
                break
            }
            end += 1
        }
        let text = String(characters[start..<end]).trimmingBlanks
        guard text.contains(character), text.first != character else {
            return "; between brackets and braces a text with `\(character)` in it stands in quotes"
        }
        let isKey = end < characters.count && characters[end] == ":"
        let before = String(characters[..<start]).split { "{[, ".contains($0) }.last ?? ""
        let key = before.hasSuffix(":") ? before : "…:"
        let line = isKey ? "\(text): …" : "\(key) \(text)"
        // A regular expression in quotes is a text.
        let quotes = text.hasPrefix("/") && !isKey ? "" : "put it in quotes, or "
        return "; between brackets and braces `\(character)` is a sign of YAML's own, and `\(text)` has one: \(quotes)write "
            + "`\(line)` on a line of its own, without braces around it"
    }

    /// Where in a line of the file a value begins with `{{`: a column, from 0.
    static func templateColumn(in line: String) -> Int? {
        let characters = Array(line.unicodeScalars)
        var before: Unicode.Scalar?
        for (column, scalar) in characters.enumerated() {
            if scalar == "{", column + 1 < characters.count, characters[column + 1] == "{", let before,
                ":-,[".unicodeScalars.contains(before)
            {
                return column
            }
            if scalar != " " { before = scalar }
        }
        return nil
    }
}

extension String {
    fileprivate var trimmingBlanks: String { String(Substring(self).trimmed) }
}
