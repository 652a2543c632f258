import NetworkLayer
import RequestCollections

/// Values as Python writes them.
enum PythonText {
    /// A text in double quotes.
    static func string(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// - Parameter isFormat: for an f-string, in which braces are doubled.
    static func escaped(_ text: String, isFormat: Bool = false) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            case "\r": escaped += "\\r"
            case "\t": escaped += "\\t"
            case "{" where isFormat: escaped += "{{"
            case "}" where isFormat: escaped += "}}"
            default:
                // What a terminal or an editor would obey isn't written as it is.
                switch scalar.value {
                case 0..<0x20, 0x7F..<0xA0: escaped += "\\x" + hexadecimal(scalar.value, 2)
                case 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: escaped += "\\u" + hexadecimal(scalar.value, 4)
                default: escaped.unicodeScalars.append(scalar)
                }
            }
        }
        return escaped
    }

    /// On one line, for a comment.
    static func comment(_ text: String) -> String {
        escaped(text).replacing(scalars: "\\\"", with: "\"").replacing(scalars: "\\\\", with: "\\")
    }

    private static func hexadecimal(_ value: UInt32, _ count: Int) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    /// A name for a method or class out of any text: `orders/create` is `orders_create`, `7-up` is `_7_up`.
    static func identifier(_ text: String) -> String {
        var name = ""
        for scalar in text.unicodeScalars {
            let isPart = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
            if isPart {
                name.unicodeScalars.append(scalar)
            } else if !name.hasSuffix("_") {
                name += "_"
            }
        }
        while name.hasSuffix("_") { name.removeLast() }
        while name.hasPrefix("_") { name.removeFirst() }
        if name.isEmpty { return "request" }
        if name.first?.isNumber == true || taken.contains(name) { return "_" + name }
        return name
    }

    /// Python's keywords, and what a user of Locust or its class has already.
    private static let taken: Set<String> = [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
        "else",
        "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass",
        "raise",
        "return", "try", "while", "with", "yield", "abstract", "client", "client_queue", "config_properties", "context",
        "environment",
        "fixed_count", "full_name", "fullname", "greenlet", "group", "host", "json", "max_wait", "min_wait", "on_start", "on_stop",
        "pool_manager", "run", "start", "stop", "tasks", "values", "wait", "wait_function", "wait_time", "weight",
    ]
}
