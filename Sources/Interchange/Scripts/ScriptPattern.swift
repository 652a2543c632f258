import RequestCollections

/// A regular expression of JavaScript that means the same here: what `\d` and `\w` find is named, and what means something else (`\s`, `\b`,
/// names, what looks ahead or behind) has none.
enum ScriptPattern {
    /// - Returns: `nil` for one that may mean something else.
    static func translated(_ pattern: String, flags: String = "") -> String? {
        guard ["", "i"].contains(flags), pattern.unicodeScalars.allSatisfy(\.isASCII), !Template.isIn(pattern) else { return nil }
        var result = ""
        var isClass = false
        var rest = pattern.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\\":
                guard let escaped = rest.popFirst() else { return nil }
                switch escaped {
                case "d": result += isClass ? "0-9" : "[0-9]"
                case "w": result += isClass ? "A-Za-z0-9_" : "[A-Za-z0-9_]"
                case "n", "r", "t": result += "\\\(escaped)"
                case "/": result += "/"
                case _ where escaped.properties.isAlphabetic || ("0"..."9").contains(escaped): return nil
                default: result += "\\\(escaped)"
                }
            case "[" where isClass: result += "\\["
            case "[":
                isClass = true
                result += "["
                // What a character isn't would be asked of half of one; and there are none of nothing.
                if rest.first == "^" || rest.first == "]" { return nil }
            case "]":
                isClass = false
                result += "]"
            // JavaScript counts UTF-16 units, so a single `.` can't be translated; repeated, it makes no difference.
            case "." where !isClass:
                guard rest.first == "*" || rest.first == "+" else { return nil }
                result += "."
            case "(" where rest.first == "?" && !rest.dropFirst().starts(with: ":".unicodeScalars): return nil
            default: result.unicodeScalars.append(scalar)
            }
        }
        return (try? RegularExpression.compiled(result)) == nil ? nil : result
    }

    /// Whether it finds something in what a value that isn't there is as a text.
    static func findsNothing(_ pattern: String, ignoringCase: Bool) -> Bool {
        (try? RegularExpression.compiled(pattern, ignoringCase: ignoringCase).finds(in: "undefined")) == true
    }
}
