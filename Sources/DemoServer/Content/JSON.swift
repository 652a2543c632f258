/// A JSON value whose members keep their order.
indirect enum JSON: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Int)
    case string(String)
    case array([JSON])
    case object([Member])

    struct Member: Hashable, Sendable {
        var name: String
        var value: JSON
    }

    /// Members in the order of their first occurrence; a name that occurs more than once has a list.
    static func grouped(_ fields: [Field]) -> JSON {
        var values: [String: [String]] = [:]
        var names: [String] = []
        for field in fields {
            if values[field.name] == nil { names.append(field.name) }
            values[field.name, default: []].append(field.value)
        }
        return .object(
            names.map { name in
                let values = values[name] ?? []
                return Member(name: name, value: values.count == 1 ? .string(values[0]) : .array(values.map(JSON.string)))
            })
    }

    /// With two spaces, and a line feed at the end.
    var text: String {
        var text = ""
        write(to: &text, indentation: "")
        return text + "\n"
    }

    /// In one line.
    var line: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let value): String(value)
        case .string(let value): Self.quoted(value)
        case .array(let elements): "[" + elements.map(\.line).joined(separator: ",") + "]"
        case .object(let members): "{" + members.map { "\(Self.quoted($0.name)):\($0.value.line)" }.joined(separator: ",") + "}"
        }
    }

    /// The value of a member; `nil`: there is none of that name.
    subscript(_ name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    private func write(to text: inout String, indentation: String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let value): text += String(value)
        case .string(let value): text += Self.quoted(value)
        case .array([]): text += "[]"
        case .object([]): text += "{}"
        case .array(let elements):
            let inner = indentation + "  "
            text += "["
            for (index, element) in elements.enumerated() {
                text += index == 0 ? "\n" + inner : ",\n" + inner
                element.write(to: &text, indentation: inner)
            }
            text += "\n" + indentation + "]"
        case .object(let members):
            let inner = indentation + "  "
            text += "{"
            for (index, member) in members.enumerated() {
                text += (index == 0 ? "\n" : ",\n") + inner + Self.quoted(member.name) + ": "
                member.value.write(to: &text, indentation: inner)
            }
            text += "\n" + indentation + "}"
        }
    }

    /// A JSON string, quotes included (RFC 8259, section 7).
    static func quoted(_ value: String) -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<" ", "\u{7F}": text += "\\u00" + Hexadecimal.text([UInt8(scalar.value)])
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(nilLiteral: ()) { self = .null }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member(name: $0.0, value: $0.1) })
    }
}

extension JSON: Decodable {
    /// Members come in any order, and numbers with a point are texts.
    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Name.self) {
            self = .object(
                try members.allKeys.map { Member(name: $0.stringValue, value: try members.decode(JSON.self, forKey: $0)) })
            return
        }
        if var elements = try? decoder.unkeyedContainer() {
            var values: [JSON] = []
            while !elements.isAtEnd { values.append(try elements.decode(JSON.self)) }
            self = .array(values)
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else if let number = try? value.decode(Double.self) {
            self = .string("\(number)")
        } else {
            self = .string(try value.decode(String.self))
        }
    }

    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
