/// The way out of what libyaml says, for what people write by mistake most often.
enum YAMLHint {
    /// What a template needs that stands at the beginning of a value: to YAML its braces are a map in a map.
    static let template = "a value that begins with `{{` stands in quotes: `\"{{name}}\"`"

    /// As the end of a sentence; empty for what has no usual cause.
    ///
    /// - Parameters:
    ///   - problem: libyaml's.
    ///   - context: what it was at, in libyaml's words.
    static func text(_ problem: String, _ context: String?) -> String {
        switch (problem, context) {
        case (_, "while scanning an alias"?), (_, "while scanning an anchor"?):
            "; a text that begins with `*` or `&` stands in quotes"
        case ("mapping values are not allowed in this context", _):
            "; a text with a colon and a space in it stands in quotes"
        case ("did not find expected ',' or '}'", _), ("did not find expected ',' or ']'", _):
            "; between brackets and braces a text with one of them or a comma in it stands in quotes, and a regular expression on a line "
                + "of its own: `body: /\\d{4}/`"
        case ("found character that cannot start any token", _):
            "; a text that begins with `@`, `%` or a backtick stands in quotes, and spaces indent, not tabs"
        default: ""
        }
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
