import RequestCollections

/// Makes up a value that a schema describes: its examples and defaults where it has some, else the simplest of its type.
struct SchemaExample {
    private let references: OpenAPIReferences
    /// The references that are being followed, to find circles.
    private var stack: [String] = []
    private var budget = 0
    private var levels = 0
    private var side = Side.requests
    /// Whether an example of the document is in the last value.
    private(set) var hasStated = false

    /// Whether the last value has fewer levels than its schema, which has too many values.
    private(set) var isCut = false

    /// The side that sets the values: some may be set only by the server.
    enum Side {
        case requests, responses
    }

    private enum Limits {
        /// Levels of schemas within schemas. Where they would give too many values, an example has fewer levels, but all values on those.
        static let depths = [10, 6, 4, 3, 2, 1]
        /// Values of one example.
        static let values = 2000
    }

    init(_ references: OpenAPIReferences) {
        self.references = references
    }

    mutating func value(_ schema: JSONValue, of side: Side = .requests) -> JSONValue {
        self.side = side
        hasStated = false
        isCut = false
        for depth in Limits.depths {
            levels = depth
            budget = Limits.values
            stack = []
            let value = value(schema, depth: 0)
            if budget > 0 { return value ?? .null }
            isCut = true
        }
        return .null
    }

    /// - Returns: `nil` where the schema comes back to itself, or is too large.
    private mutating func value(_ given: JSONValue, depth: Int) -> JSONValue? {
        guard depth <= levels else { return nil }
        budget -= 1
        guard budget > 0 else { return nil }
        var schema = given
        if let reference = given["$ref"]?.string {
            guard !stack.contains(reference) else { return nil }
            schema = references.resolve(given)
            stack.append(reference)
        }
        defer { if given["$ref"]?.string != nil { stack.removeLast() } }
        if let stated = Self.stated(schema) {
            if schema["example"] != nil || schema["examples"] != nil { hasStated = true }
            // In YAML a text of digits needs quotes that people forget.
            if schema["type"]?.string == "string", let text = stated.scalar { return .string(text) }
            return stated
        }
        let all = references[schema, "allOf"]?.items ?? []
        guard !all.isEmpty || schema["properties"] != nil else {
            return firstOption(schema, depth: depth) ?? ofType(schema, depth: depth)
        }
        // An option adds to the schema's own properties.
        let parts = all + options(schema).prefix(1)
        return parts.isEmpty ? ofType(schema, depth: depth) : merged(parts, with: schema, depth: depth)
    }

    private mutating func firstOption(_ schema: JSONValue, depth: Int) -> JSONValue? {
        for option in options(schema) {
            if let value = value(option, depth: depth + 1) { return value }
        }
        return nil
    }

    private func options(_ schema: JSONValue) -> [JSONValue] {
        ["oneOf", "anyOf"].flatMap { references[schema, $0]?.items ?? [] }.filter {
            references.resolve($0)["type"]?.string != "null"
        }
    }

    /// What the schema itself says.
    static func stated(_ schema: JSONValue) -> JSONValue? {
        if let example = schema["example"] ?? schema["x-example"] { return example }
        if let first = schema["examples"]?.items.first { return first }
        return schema["const"] ?? schema["default"] ?? schema["enum"]?.items.first
    }

    private mutating func merged(_ all: [JSONValue], with schema: JSONValue, depth: Int) -> JSONValue? {
        var members: [JSONValue.Member] = []
        var other: JSONValue?
        func add(_ value: JSONValue?) {
            guard case .object(let more)? = value else {
                if let value { other = other ?? value }
                return
            }
            for member in more {
                if let index = members.firstIndex(where: { $0.name == member.name }) {
                    members[index] = member
                } else {
                    members.append(member)
                }
            }
        }
        for part in all { add(value(part, depth: depth + 1)) }
        if schema["properties"] != nil { add(ofType(schema, depth: depth)) }
        return members.isEmpty ? other : .object(members)
    }

    private mutating func ofType(_ schema: JSONValue, depth: Int) -> JSONValue? {
        let type = schema["type"]?.string ?? schema["type"]?.items.compactMap(\.string).first { $0 != "null" }
        switch type {
        case "object": return object(schema, depth: depth)
        case "array":
            guard let item = schema["items"].flatMap({ value($0, depth: depth + 1) }) else { return .array([]) }
            return .array([item])
        case "integer", "number":
            for key in ["minimum", "maximum"] {
                if case .number(let digits)? = schema[key] { return .number(digits) }
            }
            return .number("0")
        case "boolean": return .boolean(true)
        case "null": return .null
        case "string": return .string(Self.text(schema["format"]?.string))
        default:
            if schema["properties"] != nil { return object(schema, depth: depth) }
            return schema["items"] == nil
                ? .object([]) : ofType(.object(schema.members + [.init(name: "type", value: .string("array"))]), depth: depth)
        }
    }

    private mutating func object(_ schema: JSONValue, depth: Int) -> JSONValue {
        var members: [JSONValue.Member] = []
        for property in references[schema, "properties"]?.members ?? [] {
            let resolved = references.resolve(property.value)
            if resolved[side == .requests ? "readOnly" : "writeOnly"]?.boolean == true { continue }
            if let value = value(property.value, depth: depth + 1) { members.append(.init(name: property.name, value: value)) }
        }
        return .object(members)
    }

    /// RFC 3339 and others, by the registry of formats (https://spec.openapis.org/registry/format/).
    private static func text(_ format: String?) -> String {
        switch format {
        case "date-time": "2026-01-31T12:00:00Z"
        case "date": "2026-01-31"
        case "time": "12:00:00Z"
        case "duration": "PT1H"
        case "uuid": "00000000-0000-4000-8000-000000000000"
        case "email": "user@example.com"
        case "uri", "url": "https://example.com"
        case "hostname": "example.com"
        case "ipv4": "192.0.2.1"
        case "ipv6": "2001:db8::1"
        case "byte": "dGV4dA=="
        default: "string"
        }
    }
}
