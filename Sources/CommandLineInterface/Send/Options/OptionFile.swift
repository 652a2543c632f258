import NetworkLayer

/// A file of `-K`, as curl reads it: an option a line, with or without its dashes, and a value that blanks, `=` or `:` part from it.
///
///     # a comment
///     url = "http://127.0.0.1:8080/a b"
///     header: "X-One: 1"
///     -o out.txt
///     silent
struct OptionFile: Hashable {
    /// Words of a command line: an option, and its value if it has one.
    private(set) var lines: [[String]] = []

    init(_ text: String) {
        for line in text.lines {
            let line = line.unicodeScalars.drop(while: Self.isBlank)
            guard let first = line.first, !"#/*".unicodeScalars.contains(first) else { continue }
            let isDashed = first == "-"
            func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
                Self.isBlank(scalar) || !isDashed && (scalar == "=" || scalar == ":")
            }
            let option = line.prefix { !isSeparator($0) }
            let word = isDashed ? String(option) : "--\(Substring(option))"
            let value = Self.value(line[option.endIndex...].drop(while: isSeparator))
            // As in curl, `silent = yes` is `silent`.
            let takesNone = Self.option(word).map { $0.argument == nil } ?? word.hasPrefix("--no-")
            lines.append(takesNone ? [word] : [word] + [value].compactMap(\.self))
        }
    }

    private static func option(_ word: String) -> SendOption? {
        word.hasPrefix("--") ? SendOption.named(String(word.dropFirst(2))) : word.last.flatMap(SendOption.lettered)
    }

    private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

    /// Up to a blank, or what stands in double quotes, where a backslash escapes.
    ///
    /// - Returns: `nil` when there is none.
    private static func value(_ text: Substring.UnicodeScalarView) -> String? {
        guard let first = text.first else { return nil }
        guard first == "\"" else { return String(text.prefix { !isBlank($0) }) }
        var value = String.UnicodeScalarView()
        var rest = text.dropFirst()
        while let scalar = rest.popFirst(), scalar != "\"" {
            guard scalar == "\\", let escaped = rest.popFirst() else {
                value.append(scalar)
                continue
            }
            value.append(["n": "\n", "r": "\r", "t": "\t", "v": "\u{B}"][escaped] ?? escaped)
        }
        return String(value)
    }
}
