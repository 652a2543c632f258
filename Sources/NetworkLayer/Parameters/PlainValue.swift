/// A value of no type in particular: what JSON can say. Parameters of endpoints and the dictionary form of metrics are made of it.
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

    /// As the encoders of ``URLCoding`` and of JSON take it.
    var loose: Any? {
        switch self {
        case .null: nil
        case .boolean(let value): value
        case .integer(let value): value
        case .number(let value): value
        case .text(let value): value
        case .list(let values): values.map(\.loose)
        case .object(let values): values.mapValues(\.loose)
        }
    }

    /// The value of an object's key; `nil` for another key, and for a value that is no object.
    public subscript(key: String) -> PlainValue? {
        guard case .object(let values) = self else { return nil }
        return values[key]
    }

    /// A list's value, from 0; `nil` beyond its ends, and for a value that is no list.
    public subscript(index: Int) -> PlainValue? {
        guard case .list(let values) = self, values.indices.contains(index) else { return nil }
        return values[index]
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

extension PlainValue: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        if let values = try? decoder.container(keyedBy: Name.self) {
            self = .object(
                try Dictionary(
                    uniqueKeysWithValues: values.allKeys.map { ($0.stringValue, try values.decode(PlainValue.self, forKey: $0)) }))
        } else if var values = try? decoder.unkeyedContainer() {
            var list: [PlainValue] = []
            while !values.isAtEnd { list.append(try values.decode(PlainValue.self)) }
            self = .list(list)
        } else {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let boolean = try? value.decode(Bool.self) {
                self = .boolean(boolean)
            } else if let integer = try? value.decode(Int64.self) {
                self = .integer(integer)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try value.decode(String.self))
            }
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .list(let values): try container.encode(values)
        case .object(let values): try container.encode(values)
        }
    }
}
