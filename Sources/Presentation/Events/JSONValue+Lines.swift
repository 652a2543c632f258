import NetworkLayer
import RequestCollections

extension JSONValue {
    /// On one line, without spaces. Besides what JSON demands, everything that a terminal could obey is escaped.
    var line: String { text(pretty: false, quote: Self.quotedForTerminals) }

    static func integer(_ value: Int64) -> JSONValue { .number("\(value)") }

    /// An object of the members that have a value.
    static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    private static func quotedForTerminals(_ value: String) -> String {
        JSONText.quoted(value).unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.value {
            case 0x7F...0x9F, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
