import Base

extension PlainProgram {
    /// Nobody but jq knows what comes of it.
    struct Unsure: Error {}

    static func value(of function: Function, _ value: JSONValue) throws(Unsure) -> JSONValue {
        switch function {
        case .min: return try ordered(value, by: []).first?.item ?? .null
        case .max: return try ordered(value, by: []).last?.item ?? .null
        case .sort: return .array(try ordered(value, by: []).map { $0.item })
        case .unique:
            return .array(
                try ordered(value, by: []).reduce(into: []) { items, next in
                    if items.last != next.item { items.append(next.item) }
                })
        case .reverse:
            guard case .array(let items) = value else { throw Unsure() }
            return .array(items.reversed())
        case .downcase, .upcase:
            guard case .string(let text) = value else { throw Unsure() }
            let first: ClosedRange<UInt8> = function == .upcase ? 0x61...0x7A : 0x41...0x5A
            return .string(String(decoding: text.utf8.map { first.contains($0) ? $0 ^ 0x20 : $0 }, as: UTF8.self))
        case .toText:
            switch value {
            case .string: return value
            case .number, .boolean, .null:
                guard value.isPlain else { throw Unsure() }
                return .string(value.text(pretty: false))
            case .array, .object: throw Unsure()
            }
        case .toNumber:
            switch value {
            case .number: return value
            case .string(let text):
                guard case .number(let digits)? = JSONParser.parse(text), digits == text, JSONValue.number(digits).isPlain else {
                    throw Unsure()
                }
                return .number(digits)
            default: throw Unsure()
            }
        }
    }

    static func texts(in value: JSONValue) throws(Unsure) -> [String] {
        guard case .array(let items) = value else { throw Unsure() }
        var texts: [String] = []
        for item in items {
            guard case .string(let text) = item else { throw Unsure() }
            texts.append(text)
        }
        return texts
    }

    /// The items of a list in the order of their keys, those that are alike in their own: of numbers, or of texts.
    ///
    /// - Parameter key: what is compared of each item; empty: the item.
    static func ordered(_ value: JSONValue, by key: [Stage]) throws(Unsure) -> [(key: JSONValue, item: JSONValue)] {
        guard case .array(let items) = value else { throw Unsure() }
        var keyed: [(key: JSONValue, item: JSONValue)] = []
        for item in items {
            let found = key.isEmpty ? [item] : try values(of: key[...], in: item)
            guard found.count == 1, found[0].isPlain else { throw Unsure() }
            keyed.append((found[0], item))
        }
        if keyed.allSatisfy({ if case .number = $0.key { true } else { false } }) {
            return keyed.sorted { (Double($0.key.plainText) ?? 0) < (Double($1.key.plainText) ?? 0) }
        }
        guard keyed.allSatisfy({ if case .string = $0.key { true } else { false } }) else { throw Unsure() }
        return keyed.sorted { $0.key.plainText.utf8.lexicographicallyPrecedes($1.key.plainText.utf8) }
    }
}
