/// Regular expressions of JSON Schema, which are ECMAScript's (ECMA-262 with the flag u), for PCRE2 without Unicode's classes.
enum SchemaPattern {
    /// The same where the two differ: what ends a line, what a blank is, how characters and properties are named.
    static func translated(_ pattern: String) -> String {
        var result = ""
        var isClass = false
        var scalars = pattern.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\\": result += escape(&scalars, isClass)
            case "[":
                // Nothing in a class begins another one, or a name of POSIX.
                result += isClass ? "\\[" : "["
                isClass = true
            case "]":
                result += "]"
                isClass = false
            case "." where !isClass: result += "[^\\n\\r\\x{2028}\\x{2029}]"
            case "^" where !isClass: result += "\\A"
            case "$" where !isClass: result += "\\z"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static let blanks = "\\t-\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}"

    private static func escape(_ rest: inout Substring.UnicodeScalarView, _ isClass: Bool) -> String {
        guard let scalar = rest.popFirst() else { return "\\" }
        switch scalar {
        case "s": return isClass ? blanks : "[\(blanks)]"
        case "S" where !isClass: return "[^\(blanks)]"
        case "u": return character(&rest).map { "\\x{\(String($0, radix: 16))}" } ?? "\\u"
        case "v": return "\\x0b"
        case "0": return "\\x00"
        case "p", "P":
            guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return "\\\(scalar)" }
            let name = String(rest[..<end].dropFirst())
            rest = rest[end...].dropFirst()
            // `Script=Greek` is `Greek` in every version.
            let value = name.split(separator: "=").last.map(String.init) ?? name
            return "\\\(scalar){\(categories[value] ?? value)}"
        default: return "\\\(scalar)"
        }
    }

    /// `\u00e9`, `\u{1f511}`, or two halves of a pair.
    private static func character(_ rest: inout Substring.UnicodeScalarView) -> UInt32? {
        if rest.first == "{", let end = rest.firstIndex(of: "}") {
            defer { rest = rest[end...].dropFirst() }
            return UInt32(String(rest[..<end].dropFirst()), radix: 16)
        }
        func unit(_ digits: Substring.UnicodeScalarView) -> UInt32? {
            digits.count == 4 ? UInt32(String(digits), radix: 16) : nil
        }
        guard let first = unit(rest.prefix(4)) else { return nil }
        rest = rest.dropFirst(4)
        guard 0xD800...0xDBFF ~= first, rest.starts(with: "\\u".unicodeScalars), let second = unit(rest.dropFirst(2).prefix(4)),
            0xDC00...0xDFFF ~= second
        else { return first }
        rest = rest.dropFirst(6)
        return 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
    }

    /// ECMAScript's long names of general categories.
    private static let categories: [String: String] = [
        "Letter": "L", "Cased_Letter": "L&", "LC": "L&", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
        "Titlecase_Letter": "Lt",
        "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Combining_Mark": "M", "Nonspacing_Mark": "Mn",
        "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl",
        "Other_Number": "No", "Punctuation": "P", "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd",
        "Open_Punctuation": "Ps", "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf",
        "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc", "Modifier_Symbol": "Sk",
        "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs", "Line_Separator": "Zl", "Paragraph_Separator": "Zp",
        "Other": "C", "Control": "Cc", "cntrl": "Cc", "Format": "Cf", "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
    ]
}
