/// A value of any kind, as a query writes it or as JSON has it: a caller makes this tree of its JSON.
package indirect enum GraphQLValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// Numbers keep the text that they were written with.
    case int(String)
    case float(String)
    /// What it says, without quotes and escapes.
    case string(String)
    case `enum`(String)
    case list([GraphQLValue])
    case object([Entry])
    /// Its name, without `$`.
    case variable(String)
    /// `{{…}}`, with its braces: a value of any type.
    case template(String)

    package struct Entry: Hashable, Sendable {
        package var name: String
        package var value: GraphQLValue

        package init(_ name: String, _ value: GraphQLValue) {
            self.name = name
            self.value = value
        }
    }

    /// The value of an object's entry; `nil`: this is no object, or has no such entry.
    package subscript(name: String) -> GraphQLValue? {
        guard case .object(let entries) = self else { return nil }
        return entries.first { $0.name == name }?.value
    }
}

extension GraphQLValue: CustomStringConvertible {
    /// As a query writes it.
    package var description: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .int(let text), .float(let text), .enum(let text), .template(let text): text
        case .string(let text): Self.quoted(text)
        case .list(let items): "[" + items.map(\.description).joined(separator: ", ") + "]"
        case .object(let entries): "{" + entries.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + "}"
        case .variable(let name): "$" + name
        }
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\0"..<" ", "\u{7F}"..<"\u{A0}":
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// A reference to a type, with its wrappers.
package indirect enum GraphQLType: Hashable, Sendable {
    case named(String)
    case list(GraphQLType)
    case nonNull(GraphQLType)

    /// The name inside all wrappers.
    package var name: String {
        switch self {
        case .named(let name): name
        case .list(let type), .nonNull(let type): type.name
        }
    }

    package var isNonNull: Bool {
        if case .nonNull = self { true } else { false }
    }

    /// Without `!` at its end.
    package var nullable: GraphQLType {
        if case .nonNull(let type) = self { type } else { self }
    }

    /// What a list holds; `nil`: it is no list.
    package var item: GraphQLType? {
        if case .list(let item) = nullable { item } else { nil }
    }
}

extension GraphQLType: CustomStringConvertible {
    /// `[String!]!`
    package var description: String {
        switch self {
        case .named(let name): name
        case .list(let item): "[\(item)]"
        case .nonNull(let type): "\(type)!"
        }
    }
}
