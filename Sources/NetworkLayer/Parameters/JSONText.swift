/// Loose values as JSON (RFC 8259), compact, with sorted keys: `{"a":1,"b":[true,null]}`.
package enum JSONText {
    static func of(_ dictionary: [String: Any?], at path: String) throws(URLCodingError) -> String {
        var members: [String] = []
        for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) {
            members.append(quoted(key) + ":" + (try text(of: value, at: path + "." + key)))
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func text(of value: Any?, at path: String) throws(URLCodingError) -> String {
        switch value {
        case nil: return "null"
        case let text as String: return quoted(text)
        case let isTrue as Bool: return isTrue ? "true" : "false"
        case let dictionary as [String: Any?]: return try of(dictionary, at: path)
        case let elements as [Any?]:
            var texts: [String] = []
            for element in elements { texts.append(try text(of: element, at: path)) }
            return "[" + texts.joined(separator: ",") + "]"
        case let number as any BinaryInteger: return "\(number)"
        case let number as Double where number.isFinite: return "\(number)"
        case let number as Float where number.isFinite: return "\(number)"
        default: throw .unsupported(value, at: path)
        }
    }

    /// A string, quotes included. Only what JSON demands is escaped (section 7).
    package static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20:
                let hex = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
