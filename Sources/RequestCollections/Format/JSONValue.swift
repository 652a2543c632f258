import NetworkLayer

/// A value of JSON that keeps the order of its members and the digits of its numbers.
package indirect enum JSONValue: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// As it is written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Hashable, Sendable {
        package var name: String
        package var value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }

        package static func == (left: Self, right: Self) -> Bool { left.isNamed(right.name) && left.value == right.value }

        func isNamed(_ name: String) -> Bool { self.name.hasBytes(of: name) }
    }

    /// Texts are the same when their bytes are (RFC 8259, section 8.3).
    package static func == (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.hasBytes(of: other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        case (.null, _), (.boolean, _), (.number, _), (.string, _), (.array, _), (.object, _): false
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral
{
    package init(integerLiteral value: Int64) { self = .number("\(value)") }

    package init(booleanLiteral value: Bool) { self = .boolean(value) }

    package init(stringLiteral text: String) { self = .string(text) }

    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self = .object(members.map { Member(name: $0.0, value: $0.1) })
    }
}

extension JSONValue {
    /// A YAML value in JSON.
    init(_ node: YAMLNode, in path: String) throws(CollectionProblem) {
        switch node.content {
        case .scalar(let text, .plain) where node.decoration?.tag == nil:
            switch PlainScalar(text) {
            case .null: self = .null
            case .boolean(let value): self = .boolean(value)
            case .number(let digits): self = .number(digits)
            case .text: self = .string(text)
            case .notFinite:
                throw CollectionProblem(
                    location: node.location(in: path), message: "JSON has no number `\(text)`; put it in quotes to send it as text")
            }
        case .scalar(let text, _):
            self = .string(text)
        case .sequence(let items, _):
            var values: [JSONValue] = []
            for item in items { values.append(try JSONValue(item, in: path)) }
            self = .array(values)
        case .mapping(let pairs, _):
            var members: [Member] = []
            for pair in pairs {
                guard let name = pair.key.text else { continue }
                members.append(Member(name: name, value: try JSONValue(pair.value, in: path)))
            }
            self = .object(members)
        }
    }

    /// - Parameters:
    ///   - pretty: two spaces a level, one member a line; otherwise no space at all.
    ///   - quote: makes a string of JSON out of a text.
    package func text(pretty: Bool, quote: (String) -> String = JSONText.quoted) -> String {
        var text = ""
        write(to: &text, pretty: pretty, level: 0, quote)
        return text
    }

    private func write(to text: inout String, pretty: Bool, level: Int, _ quote: (String) -> String) {
        switch self {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .number(let digits): text += digits
        case .string(let value): text += quote(value)
        case .array(let values) where values.isEmpty: text += "[]"
        case .object(let members) where members.isEmpty: text += "{}"
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                Self.separate(&text, index, pretty, level + 1)
                value.write(to: &text, pretty: pretty, level: level + 1, quote)
            }
            if pretty { Self.newLine(&text, level) }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                Self.separate(&text, index, pretty, level + 1)
                text += quote(member.name)
                text += pretty ? ": " : ":"
                member.value.write(to: &text, pretty: pretty, level: level + 1, quote)
            }
            if pretty { Self.newLine(&text, level) }
            text += "}"
        }
    }

    private static func separate(_ text: inout String, _ index: Int, _ pretty: Bool, _ level: Int) {
        if index > 0 { text += "," }
        if pretty { newLine(&text, level) }
    }

    private static func newLine(_ text: inout String, _ level: Int) {
        text += "\n"
        for _ in 0..<level { text += "  " }
    }
}
