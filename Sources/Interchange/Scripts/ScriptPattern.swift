import RequestCollections

/// A regular expression of JavaScript that means the same here: what `\d`, `\w` and `$` find is named, and what means something else
/// (`\s`, `\b`, `.` alone, names, what looks ahead or behind) has none.
enum ScriptPattern {
    /// - Returns: `nil` for one that may mean something else.
    static func translated(_ pattern: String, flags: String) -> String? {
        guard ["", "i"].contains(flags), pattern.unicodeScalars.allSatisfy(\.isASCII) else { return nil }
        var reader = Reader(scalars: Array(pattern.unicodeScalars))
        guard reader.read(), (try? RegularExpression.compiled(reader.result)) != nil else { return nil }
        return reader.result
    }

    /// Whether it finds something in what a value that isn't there is as a text.
    static func findsNothing(_ pattern: String, ignoringCase: Bool) -> Bool {
        (try? RegularExpression.compiled(pattern, ignoringCase: ignoringCase).finds(in: "undefined")) == true
    }

    private struct Reader {
        let scalars: [Unicode.Scalar]
        var position = 0
        var result = ""

        private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

        private static let signs = Set("\\/.+*?()[]{}^$|-".unicodeScalars)

        mutating func read() -> Bool {
            while let scalar = next {
                position += 1
                switch scalar {
                case "\\": guard escape(inClass: false) else { return false }
                case "[": guard readClass() else { return false }
                case "{": guard readCount() else { return false }
                case "$": result += "\\z"
                case ".":
                    // JavaScript counts UTF-16 units, so a single `.` can't be translated; repeated, it makes no difference.
                    guard next == "*" || next == "+" else { return false }
                    result += "[^\\n\\r\\u2028\\u2029]"
                case "(":
                    result += "("
                    guard next == "?" else { continue }
                    guard position + 1 < scalars.count, scalars[position + 1] == ":" else { return false }
                    result += "?:"
                    position += 2
                case "}", "]": return false
                case " ", "#": result += "\\x{\(String(scalar.value, radix: 16))}"
                default: result.unicodeScalars.append(scalar)
                }
            }
            return true
        }

        private mutating func escape(inClass: Bool) -> Bool {
            guard let scalar = next else { return false }
            position += 1
            switch scalar {
            case "d": result += inClass ? "0-9" : "[0-9]"
            case "w": result += inClass ? "A-Za-z0-9_" : "[A-Za-z0-9_]"
            case "n", "r", "t": result += "\\\(scalar)"
            case "/", "-": result += inClass && scalar == "-" ? "\\-" : String(scalar)
            case "@", ":", ",", "_", "\"", "'", "=", "&", "%", "!", ";", "<", ">", "~", "`": return false
            default:
                guard Self.signs.contains(scalar) else { return false }
                result += "\\\(scalar)"
            }
            return true
        }

        private mutating func readClass() -> Bool {
            result += "["
            if next == "^" {
                // What a character isn't would be asked of half of one.
                return false
            }
            guard next != "]" else { return false }
            while let scalar = next {
                position += 1
                switch scalar {
                case "]":
                    result += "]"
                    return true
                case "\\": guard escape(inClass: true) else { return false }
                // These mean something there.
                case "[", "&", "~", "#", " ": result += "\\x{\(String(scalar.value, radix: 16))}"
                case "-":
                    let isRange = result.last != "[" && next != "]"
                    result += isRange ? "-" : "\\-"
                default: result.unicodeScalars.append(scalar)
                }
            }
            return false
        }

        /// `{2}`, `{2,}`, `{2,3}`; any other bracket is itself.
        private mutating func readCount() -> Bool {
            var count = "{"
            while let scalar = next, scalar == "," || ("0"..."9").contains(scalar) {
                count.unicodeScalars.append(scalar)
                position += 1
            }
            guard next == "}", count.wholeMatch(of: /\{[0-9]+(,[0-9]*)?/) != nil else { return false }
            position += 1
            result += count + "}"
            return true
        }
    }
}
