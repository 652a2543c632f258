import NetworkLayer

/// The format as a JSON Schema (draft 2020-12), for editors: made from the tables that the reader uses, so it can't say anything else.
///
/// One schema for every file of a collection: a whole one, `_collection.yaml`, `_folder.yaml`, and a request that has a file of its own.
/// It says which keys there are, what each does and what it takes. What the reader also checks, such as whether a template names a
/// variable that there is, no schema can say.
package struct CollectionSchema {
    private var definitions: [JSONValue.Member] = []
    private var names: [ObjectIdentifier: String] = [:]

    /// Pretty-printed, with a line break at its end.
    package static func text() -> String {
        var schema = CollectionSchema()
        return schema.root().text(pretty: true) + "\n"
    }

    private mutating func root() -> JSONValue {
        let collection = reference(.collection)
        let request = reference(.request)
        let folder = reference(.folder)
        let methods = FormatTable.methods.map { Self.object([("required", .array([.string($0)]))]) }
        let isRequest = methods + [Self.object([("required", .array([.string("url")]))])]
        return Self.object([
            ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
            ("title", .string("Turnstone collection")),
            ("if", Self.object([("required", .array([.string("turnstone")]))])),
            ("then", collection),
            (
                "else",
                Self.object([
                    ("if", Self.object([("anyOf", .array(isRequest))])), ("then", request), ("else", folder),
                ])
            ),
            ("$defs", .object(definitions)),
        ])
    }

    /// Where a table's definition stands. It is made when it is first asked for; tables may lead back to themselves.
    private mutating func reference(_ table: FormatTable) -> JSONValue {
        let name = names[ObjectIdentifier(table)] ?? define(table)
        return Self.object([("$ref", .string("#/$defs/\(name)"))])
    }

    private mutating func define(_ table: FormatTable) -> String {
        let words = table.subject.split(separator: " ").filter { $0 != "a" && $0 != "an" }
        var name = words.joined(separator: "-")
        while definitions.contains(where: { $0.name == name }) { name += "-2" }
        names[ObjectIdentifier(table)] = name
        let place = definitions.count
        definitions.append(.init(name: name, value: .null))
        let properties = table.keys.map { key in
            JSONValue.Member(name: key.name, value: described(schema(key.takes), key.doc))
        }
        var members: [(String, JSONValue)] = [
            ("type", .string("object")), ("properties", .object(properties)), ("additionalProperties", .boolean(false)),
        ]
        if table === FormatTable.collection { members.append(("required", .array([.string("turnstone")]))) }
        definitions[place].value = Self.object(members)
        return name
    }

    private func described(_ schema: JSONValue, _ doc: String) -> JSONValue {
        guard case .object(let members) = schema else { return schema }
        return .object([.init(name: "description", value: .string(doc))] + members)
    }

    // MARK: Shapes

    private mutating func schema(_ shape: FormatShape) -> JSONValue {
        switch shape {
        case .text, .prose: return Self.scalar
        case .integer: return Self.type("integer")
        case .boolean: return Self.type("boolean")
        case .timeout: return Self.pattern("^(never|\(Self.duration))$")
        case .duration: return Self.pattern("^\(Self.duration)$")
        case .durationRange: return Self.pattern("^\(Self.duration)(\\.\\.\(Self.duration))?$")
        case .number: return Self.type("number")
        case .count(let range):
            return Self.object([
                ("type", .string("integer")), ("minimum", .number("\(range.lowerBound)")),
                ("maximum", .number("\(range.upperBound)")),
            ])
        case .retryTrigger:
            let kinds = RetryCondition.Kind.allCases.map(\.rawValue).joined(separator: "|")
            return Self.object([
                ("type", .array([.string("integer"), .string("string")])), ("minimum", .number("100")), ("maximum", .number("599")),
                ("pattern", .string("^([1-5][0-9][0-9]|[1-5][xX][xX]|\(kinds))$")),
            ])
        case .byteCount:
            return Self.object([
                ("type", .array([.string("integer"), .string("string")])), ("minimum", .number("0")),
                ("pattern", .string("^[0-9]+ *(GiB|MiB|KiB|GB|MB|KB|B)?$")),
            ])
        case .oneOf(let names): return Self.object([("enum", .array(names.flatMap(Self.spellings)))])
        case .rows: return map(of: rowValue(.row))
        case .parts: return map(of: rowValue(.part))
        case .list(let shape): return Self.object([("type", .string("array")), ("items", schema(shape))])
        case .named(let shape): return map(of: schema(shape))
        case .keys(let table): return reference(table)
        case .either(let shapes): return Self.object([("anyOf", .array(shapes.map { schema($0) }))])
        case .nodes:
            let node = Self.object([
                ("if", Self.object([("required", .array([.string("requests")]))])), ("then", reference(.folder)),
                ("else", reference(.request)),
            ])
            return map(of: node)
        case .matcher: return matcher()
        case .bodyMatcher: return Self.object([("anyOf", .array([matcher(), map(of: matcher())]))])
        case .anything: return Self.object([])
        }
    }

    /// A value, a list of values, or its long form.
    private mutating func rowValue(_ table: FormatTable) -> JSONValue {
        let one: [JSONValue] = [Self.scalar, Self.type("null"), reference(table)]
        return Self.object([
            (
                "anyOf",
                .array(
                    one + [
                        Self.object([("type", .string("array")), ("items", Self.object([("anyOf", .array(one))]))])
                    ])
            )
        ])
    }

    private mutating func matcher() -> JSONValue {
        let name = "expected-value"
        if !definitions.contains(where: { $0.name == name }) {
            let place = definitions.count
            definitions.append(.init(name: name, value: .null))
            let itself = Self.object([("$ref", .string("#/$defs/\(name)"))])
            definitions[place].value = Self.object([
                (
                    "anyOf",
                    .array([
                        Self.scalar, Self.type("null"),
                        Self.object([("type", .string("array")), ("minItems", .number("1")), ("items", itself)]),
                        reference(.matcher),
                    ])
                )
            ])
        }
        return Self.object([("$ref", .string("#/$defs/\(name)"))])
    }

    private func map(of value: JSONValue) -> JSONValue {
        Self.object([("type", .string("object")), ("additionalProperties", value)])
    }

    // MARK: JSON

    private static let duration = "[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)"
    private static let scalar = object([("type", .array([.string("string"), .string("number"), .string("boolean")]))])

    private static func type(_ name: String) -> JSONValue { object([("type", .string(name))]) }

    private static func pattern(_ pattern: String) -> JSONValue {
        object([("type", .string("string")), ("pattern", .string(pattern))])
    }

    /// Without quotes `1.1` is a number in YAML.
    private static func spellings(_ name: String) -> [JSONValue] {
        switch PlainScalar(name) {
        case .null: [.null]
        case .number(let digits): [.string(name), .number(digits)]
        default: [.string(name)]
        }
    }

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.map { .init(name: $0.0, value: $0.1) })
    }
}
