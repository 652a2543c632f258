extension JSONValue {
    /// A value as people give it in one word: what stands in a file without quotes would have the same type. What YAML would change is a
    /// text, though: `007` isn't 7 here, nor `+49` 49, nor is anything behind a `#` a comment.
    ///
    ///   7, 1.50, true, null      a number, a boolean, nothing
    ///   [1, 2], { a: 1 }         a list, a map
    ///   "7"                      the text in the quotes
    ///   007, 2xx, a: b           a text
    package init(given text: String) {
        switch PlainScalar(text) {
        case .null where !text.isEmpty: self = .null
        case .boolean(let flag): self = .boolean(flag)
        case .number(let digits) where digits == text: self = .number(digits)
        default: self = Self.collection(text) ?? .string(text)
        }
    }

    /// What begins and ends as a list, a map or a text in quotes does.
    private static func collection(_ text: String) -> JSONValue? {
        guard let first = text.first, let last = text.last, text.count > 1,
            ["[]", "{}", "\"\"", "''"].contains("\(first)\(last)"), !text.hasPrefix("{{"),
            let root = try? YAMLDocument(path: "", bytes: Array(text.utf8)).root
        else { return nil }
        return try? JSONValue(root, in: "")
    }
}
