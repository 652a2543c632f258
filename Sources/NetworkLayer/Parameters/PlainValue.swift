/// A value of no type in particular, as JSON knows them: what parameters of endpoints are made of.
///
///     let parameters: [String: PlainValue] = ["q": "turnstone", "page": 2, "exact": true, "tags": ["a", "b"]]
public enum PlainValue: Sendable, Hashable {
    /// `null`: nothing.
    case null
    /// `true` or `false`.
    case boolean(Bool)
    /// A number without a fraction, as far as 64 bits go.
    case integer(Int64)
    /// Any other number.
    case number(Double)
    /// A string.
    case text(String)
    /// An array.
    case list([PlainValue])
    /// Values by their names, in no order.
    case object([String: PlainValue])

    /// As compact JSON (RFC 8259), keys sorted: `{"a":1,"b":[true,null]}`; `nil` for an infinite number.
    var json: String? {
        func joined(_ texts: [String?]) -> String? {
            texts.contains(nil) ? nil : texts.compactMap(\.self).joined(separator: ",")
        }
        return switch self {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): value.isFinite ? "\(value)" : nil
        case .text(let value): JSONText.quoted(value)
        case .list(let values): joined(values.map(\.json)).map { "[\($0)]" }
        case .object(let values):
            joined(values.sorted { $0.key < $1.key }.map { name, value in value.json.map { "\(JSONText.quoted(name)):\($0)" } })
                .map { "{\($0)}" }
        }
    }
}

extension PlainValue: URLEncodable {
    /// None for `null`, one for each element of a list, and the JSON of an object.
    public var urlTexts: [String] {
        switch self {
        case .null: []
        case .boolean(let value): value.urlTexts
        case .integer(let value): value.urlTexts
        case .number(let value): value.urlTexts
        case .text(let value): [value]
        case .list(let values): values.urlTexts
        case .object: [json].compactMap(\.self)
        }
    }
}

extension PlainValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringInterpolation, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(stringLiteral value: String) { self = .text(value) }
    public init(arrayLiteral elements: PlainValue...) { self = .list(elements) }

    /// Where a key is given twice, the last value counts.
    public init(dictionaryLiteral elements: (String, PlainValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}

/// Texts as JSON has them (RFC 8259).
package enum JSONText {
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
