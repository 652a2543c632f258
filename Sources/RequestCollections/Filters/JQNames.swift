/// The names of jq that reach out of the body: into an environment, into files, to other inputs, and into the process itself.
///
/// There is nothing to reach where a program is evaluated: that process has neither an environment nor files. So nothing depends on
/// finding each of these; whoever writes one is told that it doesn't work here, before anything is sent. They are looked for in the text:
/// outside of strings, but in what `\( )` puts into one; neither as a field (`.env`) nor as the key of an object (`{env: 1}`, `{env}`).
package enum JQNames {
    private static let refused: Set<String> = [
        "env", "input_filename", "import", "include", "modulemeta", "get_search_list", "input", "inputs",
        "input_line_number", "stderr", "halt", "halt_error",
    ]

    /// The first of them in a program, as it is written; `nil` for one that looks at the body alone.
    static func refused(in program: String) -> String? {
        var scanner = Scanner(scalars: Array(program.unicodeScalars))
        return scanner.find()
    }

    /// Whether a program can be put in brackets without reaching out of them.
    package static func isClosed(_ program: String) -> Bool {
        var scanner = Scanner(scalars: Array(program.unicodeScalars))
        return scanner.find() == nil && scanner.isBalanced && scanner.open.isEmpty
    }

    private struct Scanner {
        let scalars: [Unicode.Scalar]
        var position = 0
        /// The brackets that are open. A string's own is there while its `\( )` is read.
        var open: [Unicode.Scalar] = []
        /// Whether each bracket so far is closed by one of its kind, and each string has an end.
        var isBalanced = true
        /// Whether a word that stands here is the key of an object.
        var isKey = false
        /// Whether a word that stands here is the name of a field, a format or a part of a module.
        var isField = false

        init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

        mutating func find() -> String? {
            while position < scalars.count {
                let scalar = scalars[position]
                if Self.isWordStart(scalar) {
                    let word = word()
                    if !isField, !isKey {
                        if JQNames.refused.contains(word) { return word }
                        // A comma in it doesn't lead to the next key of an object around it.
                        if word == "if" { open.append("i") }
                        if word == "end", open.last == "i" { open.removeLast() }
                    }
                    isField = false
                    isKey = false
                    continue
                }
                position += 1
                switch scalar {
                case " ", "\t", "\n", "\r": continue
                case "#":
                    // Versions of jq differ in where a comment ends that has one of these.
                    while position < scalars.count, scalars[position] != "\n" {
                        if scalars[position] == "\\" || scalars[position] == "\r" { return "#… \\" }
                        position += 1
                    }
                    continue
                case "\"":
                    string()
                    isField = false
                    isKey = false
                case "$":
                    // With blanks between them it is the same to jq 1.7.
                    skipBlanks()
                    let name = word()
                    if name == "ENV" { return "$ENV" }
                    // This variable exists only where several programs were joined into one.
                    if name == "__s" { isBalanced = false }
                    isField = false
                    isKey = false
                case ".":
                    // `..` is a value; only one dot begins a field.
                    if position < scalars.count, scalars[position] == "." { position += 1 } else { isField = true }
                    isKey = false
                case "@":
                    // `@end` is a format, if an unknown one.
                    isField = position < scalars.count && Self.isWordStart(scalars[position])
                    isKey = false
                case ":" where position < scalars.count && scalars[position] == ":":
                    position += 1
                    isField = true
                    isKey = false
                case "{":
                    open.append(scalar)
                    isKey = true
                    isField = false
                case "(", "[":
                    open.append(scalar)
                    isKey = false
                    isField = false
                case ")", "]", "}":
                    let bracket = open.popLast()
                    let closes: Unicode.Scalar = scalar == ")" ? "(" : scalar == "]" ? "[" : "{"
                    if bracket != closes, bracket != "\"" || scalar != ")" { isBalanced = false }
                    isKey = false
                    isField = false
                    // What follows `\( )` is the rest of the string.
                    if bracket == "\"" { string() }
                case ",":
                    isKey = open.last == "{"
                    isField = false
                default:
                    isKey = false
                    isField = false
                }
            }
            return nil
        }

        /// Up to its end, or to the `\(` in it, which is then open.
        private mutating func string() {
            while position < scalars.count {
                let scalar = scalars[position]
                position += 1
                if scalar == "\"" { return }
                guard scalar == "\\", position < scalars.count else { continue }
                let escaped = scalars[position]
                position += 1
                if escaped == "(" {
                    open.append("\"")
                    return
                }
            }
            isBalanced = false
        }

        private mutating func word() -> String {
            let start = position
            while position < scalars.count, Self.isWordStart(scalars[position]) || ("0"..."9").contains(scalars[position]) {
                position += 1
            }
            return String(String.UnicodeScalarView(scalars[start..<position]))
        }

        private mutating func skipBlanks() {
            while position < scalars.count, [" ", "\t", "\n", "\r"].contains(scalars[position]) { position += 1 }
        }

        private static func isWordStart(_ scalar: Unicode.Scalar) -> Bool {
            ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "_"
        }
    }
}
