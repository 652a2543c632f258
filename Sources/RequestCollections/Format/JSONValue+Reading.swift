/// Documents that others wrote: what isn't there, or has another type, is `nil`.
extension JSONValue {
    /// Where several members have one name, the last one counts, as in JavaScript (ECMA-262, `JSON.parse`) and most other readers.
    package subscript(_ name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.isNamed(name) }?.value
    }

    /// An item by its number, from 0 or back from -1, or a member by its name.
    package func item(_ key: JSONValue?) -> JSONValue? {
        switch (self, key) {
        case (.array(let items), .number(let digits)?):
            guard let index = Int(digits) else { return nil }
            let place = index < 0 ? index + items.count : index
            return items.indices.contains(place) ? items[place] : nil
        case (.object, .string(let name)?): return self[name]
        default: return nil
        }
    }

    package var members: [Member] { if case .object(let members) = self { members } else { [] } }

    package var items: [JSONValue] { if case .array(let items) = self { items } else { [] } }

    package var string: String? { if case .string(let text) = self { text } else { nil } }

    /// A number without a fraction or an exponent.
    package var integer: Int? { if case .number(let digits) = self { Int(digits) } else { nil } }

    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

    package var isNull: Bool { self == .null }

    /// A text that says something.
    package var nonEmpty: String? {
        guard let text = scalar, !text.isEmpty else { return nil }
        return text
    }

    /// A text, number or boolean as text: many programs are free with their types.
    package var scalar: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .boolean(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }

    /// With each text as `change` makes it; the names of members, too, unless they are to stay.
    package func mapTexts(names: Bool = true, _ change: (String) -> String) -> JSONValue {
        switch self {
        case .null, .boolean, .number: self
        case .string(let text): .string(change(text))
        case .array(let values): .array(values.map { $0.mapTexts(names: names, change) })
        case .object(let members):
            .object(
                members.map {
                    Member(name: names ? change($0.name) : $0.name, value: $0.value.mapTexts(names: names, change))
                })
        }
    }
}
