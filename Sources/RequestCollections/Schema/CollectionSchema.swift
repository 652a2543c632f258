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
        // Only files of directories have an `order`.
        let collection = Self.object([
            ("if", Self.object([("required", .array([.string("order")]))])), ("then", reference(.collectionFile)),
            ("else", reference(.collection)),
        ])
        let request = reference(.request)
        let folder = reference(.folderFile)
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
        for rule in table.rules { members += Self.members(rule, of: table) }
        if table === FormatTable.request { members += Self.oneMethod }
        if table.takesOthers { members.append(("patternProperties", Self.object([("^x-", Self.object([]))]))) }
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
        case .name: return Self.type("string")
        case .steps:
            let step = Self.type("string")
            return Self.object([("anyOf", .array([step, Self.object([("type", .string("array")), ("items", step)])]))])
        case .captureSource: return Self.pattern(CaptureSource.schemaPattern)
        case .notEmpty(let shape):
            guard case .object(let members) = schema(shape) else { return schema(shape) }
            return .object(members + ["minLength", "minItems"].map { .init(name: $0, value: .number("1")) })
        case .variables(let shape):
            return Self.object([
                ("type", .string("object")), ("propertyNames", Self.object([("pattern", .string(Self.name))])),
                ("additionalProperties", schema(shape)),
            ])
        case .conditions:
            let variables = schema(.variables(.matcher(.json)))
            let any = Self.object([("type", .string("array")), ("minItems", .number("1")), ("items", variables)])
            guard case .object(let members) = variables else { return variables }
            let either = Self.object([("anyOf", .array([schema(.matcher(.json)), any]))])
            return .object(members + [.init(name: "properties", value: Self.object([("any", either)]))])
        case .loop(let table):
            guard let items = table["in"], case .object(let members) = schema(.variables(items.takes)) else {
                return reference(table)
            }
            let short = JSONValue.object(members + ["minProperties", "maxProperties"].map { .init(name: $0, value: .number("1")) })
            let one = Self.object([("anyOf", .array([short, reference(table)]))])
            let list = Self.object([("type", .string("array")), ("minItems", .number("1")), ("items", one)])
            return Self.object([("anyOf", .array([one, list]))])
        case .environmentVariable: return Self.pattern("^[A-Za-z_][A-Za-z0-9_]*$")
        case .integer: return Self.type("integer")
        case .boolean: return Self.type("boolean")
        case .timeout: return Self.pattern("^(never|\(Self.timeout))$")
        case .duration: return Self.pattern("^\(Self.duration)$")
        case .durationRange: return Self.pattern("^\(Self.duration)(\\.\\.\(Self.duration))?$")
        case .ports:
            return Self.object([
                ("type", .array([.string("integer"), .string("string")])), ("minimum", .number("1")), ("maximum", .number("65535")),
                ("pattern", .string("^[0-9]+(-[0-9]+)?$")),
            ])
        case .number(let range):
            return Self.object([
                ("type", .string("number")), ("minimum", .number(NumberText.format(range.lowerBound))),
                ("maximum", .number(NumberText.format(range.upperBound))),
            ])
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
        case .matcher(let kind): return matcher(kind)
        case .bodyMatcher:
            // A map of matchers has one in it; a map without any name would be both.
            return Self.object([("anyOf", .array([matcher(.text), map(of: matcher(.json))])), ("minProperties", .number("1"))])
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

    /// Schemas don't see quotes, so a text in quotes may be what it may be without them.
    private mutating func matcher(_ kind: MatcherKind) -> JSONValue {
        let name = kind == .json ? "expected-value" : "expected-\(kind)"
        if !definitions.contains(where: { $0.name == name }) {
            let place = definitions.count
            definitions.append(.init(name: name, value: .null))
            let itself = Self.object([("$ref", .string("#/$defs/\(name)"))])
            definitions[place].value = Self.object([
                (
                    "anyOf",
                    .array([
                        Self.value(of: kind), Self.type("null"),
                        Self.object([("type", .string("array")), ("minItems", .number("1")), ("items", itself)]),
                        reference(kind == .json ? .matcher : .plainMatcher),
                    ])
                )
            ])
        }
        return Self.object([("$ref", .string("#/$defs/\(name)"))])
    }

    private static func value(of kind: MatcherKind) -> JSONValue {
        let quantity: String
        switch kind {
        case .text, .json: return scalar
        case .failure:
            let kinds = FailureKind.allCases.map(\.rawValue).joined(separator: "|")
            return Self.pattern("^ *(exists|missing|empty|\(kinds)|/.*/i?|.*[. ].*|.*\\{\\{.*) *$")
        case .status: quantity = "(\(number)|[1-5][xX][xX])"
        case .number: quantity = number
        case .duration: quantity = duration
        case .bytes: quantity = "(\(number)|[0-9]+ *(GiB|MiB|KiB|GB|MB|KB|B))"
        }
        let operand = "(\(quantity)|.*\\{\\{.*)"
        let words = "exists|missing|empty|(not|contains|starts with|ends with|length) .*"
        let pattern = "^ *(\(words)|(<=|>=|==|!=|<|>)? *\(operand)|\(quantity)\\.\\.\(quantity)|/.*/i?) *$"
        return object([
            ("type", .array((kind == .duration ? [] : [.string("number")]) + [.string("string")])), ("pattern", .string(pattern)),
        ])
    }

    // MARK: Rules

    private static func members(_ rule: FormatRule, of table: FormatTable) -> [(String, JSONValue)] {
        switch rule {
        case .required(let names): [("required", strings(names))]
        case .exactlyOne(let names): [("oneOf", .array(names.map { object([("required", strings([$0]))]) }))]
        case .atMostOne(let names): [("not", object([("required", strings(names))]))]
        case .notEmpty: [("minProperties", .number("1"))]
        case .requiredBy(let key, let names):
            [
                (
                    "allOf",
                    .array(
                        names.sorted { $0.key ?? "" < $1.key ?? "" }.map { value, names in
                            let has = object([("required", strings([key]))])
                            let isValue = value.map { value in
                                object([
                                    ("properties", object([(key, object([("enum", strings([value]))]))])),
                                    ("required", strings([key])),
                                ])
                            }
                            return object([
                                ("if", isValue ?? object([("not", has)])), ("then", object([("required", strings(names))])),
                            ])
                        })
                )
            ]
        }
    }

    /// A method with its URL, or `method` and `url`. `query` is a method when it is a text.
    private static let oneMethod: [(String, JSONValue)] = {
        let methods = FormatTable.methods.map { method in
            var members: [(String, JSONValue)] = [
                ("required", strings([method])),
                ("not", object([("anyOf", .array(["method", "url"].map { object([("required", strings([$0]))]) }))])),
            ]
            if method == "query" { members.append(("properties", object([(method, type("string"))]))) }
            return object(members)
        }
        return [("oneOf", .array(methods + [object([("required", strings(["method", "url"]))])]))]
    }()

    private static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    private func map(of value: JSONValue) -> JSONValue {
        Self.object([("type", .string("object")), ("additionalProperties", value)])
    }

    // MARK: JSON

    private static let duration = "[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)"
    private static let number = "[-+]?[0-9.]+([eE][-+]?[0-9]+)?"
    /// A duration of more than nothing.
    private static let timeout = "(0*[1-9][0-9]*(\\.[0-9]+)?|0+\\.[0-9]*[1-9][0-9]*)(ms|s|m|h|d)"
    /// What a variable may be called.
    private static let name = "^[A-Za-z_\\u0080-\\uFFFF][A-Za-z0-9_.\\-\\u0080-\\uFFFF]*$"
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
