/// A value of JSON to be written: objects keep the order of their members.
enum JSONValue: Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case string(String)
    case array([JSONValue])
    case object([Member])

    struct Member: Hashable {
        var name: String
        var value: JSONValue
    }

    /// On one line, without spaces. Besides what JSON demands, everything that a terminal could obey is escaped.
    var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// Two spaces a level, one member a line.
    var prettyText: String {
        var text = ""
        writePretty(to: &text, level: 0)
        return text
    }

    private func writePretty(to text: inout String, level: Int) {
        func line(_ level: Int) { text += "\n" + String(repeating: "  ", count: level) }
        switch self {
        case .array(let values) where !values.isEmpty:
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                line(level + 1)
                value.writePretty(to: &text, level: level + 1)
            }
            line(level)
            text += "]"
        case .object(let members) where !members.isEmpty:
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                line(level + 1)
                Self.quote(member.name, to: &text)
                text += ": "
                member.value.writePretty(to: &text, level: level + 1)
            }
            line(level)
            text += "}"
        default: write(to: &text)
        }
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .string(let value): Self.quote(value, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                Self.quote(member.name, to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }

    private static func quote(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar.value {
            case 0x22: text += "\\\""
            case 0x5C: text += "\\\\"
            case 0x0A: text += "\\n"
            case 0x0D: text += "\\r"
            case 0x09: text += "\\t"
            case 0...0x1F, 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }

    /// An object of the members that have a value.
    static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }
}
