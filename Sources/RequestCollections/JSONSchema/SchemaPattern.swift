/// Regular expressions of JSON Schema, which are ECMAScript's (ECMA-262 with the flag u), for Swift's engine.
enum SchemaPattern {
    /// The same where they differ: `$` is the end of the text alone, `\d` and `\w` are ASCII's.
    static func translated(_ pattern: String) -> String {
        var result = ""
        var isClass = false
        var scalars = pattern.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\\":
                guard let next = scalars.popFirst() else { return result + "\\" }
                switch next {
                case "d": result += isClass ? "0-9" : "[0-9]"
                case "D" where !isClass: result += "[^0-9]"
                case "w": result += isClass ? "A-Za-z0-9_" : "[A-Za-z0-9_]"
                case "W" where !isClass: result += "[^A-Za-z0-9_]"
                case "/", "-": result += isClass ? "\\\(next)" : next == "/" ? "/" : "\\-"
                default: result += "\\\(next)"
                }
            case "[":
                result += isClass ? "\\[" : "["
                isClass = true
            case "]":
                result += "]"
                isClass = false
            case "$" where !isClass: result += "\\z"
            case "^" where !isClass: result += "\\A"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
