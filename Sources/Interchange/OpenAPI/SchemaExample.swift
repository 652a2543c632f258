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
        guard !parts.isEmpty else { return ofType(schema, depth: depth) }
        let value = merged(parts, with: schema, depth: depth)
        let base = all.map { references.resolve($0) }.first { $0["discriminator"] != nil }
        return base.flatMap { base in stack.last.map { discriminated(value, by: base, as: $0) } }
            ?? discriminated(value, by: schema, as: options(schema).first?["$ref"]?.string)
    }

    private mutating func firstOption(_ schema: JSONValue, depth: Int) -> JSONValue? {
        for option in options(schema) {
            if let value = value(option, depth: depth + 1) { return discriminated(value, by: schema, as: option["$ref"]?.string) }
        }
        return nil
    }

    private func options(_ schema: JSONValue) -> [JSONValue] {
        ["oneOf", "anyOf"].flatMap { references[schema, $0]?.items ?? [] }.filter {
            references.resolve($0)["type"]?.string != "null"
        }
    }

    /// With the name by which a server tells the options apart (OpenAPI 3.1, section 4.8.25): that of the mapping, or the schema's.
    private func discriminated(_ value: JSONValue?, by schema: JSONValue, as reference: String?) -> JSONValue? {
        guard let property = references[schema, "discriminator", "propertyName"]?.string, let reference,
            case .object(var members)? = value
        else { return value }
        let own = reference.split(separator: "/").last.map(String.init) ?? reference
        let mapped = references[schema, "discriminator", "mapping"]?.members.first { [reference, own].contains($0.value.string) }
        let name = JSONValue.Member(name: property, value: .string(mapped?.name ?? own))
        guard let index = members.firstIndex(where: { $0.name == property }) else { return .object([name] + members) }
        if members[index].value == .string("string") { members[index] = name }
        return .object(members)
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
            return .array(Self.items(item, of: schema, each: references[schema, "items"] ?? .null))
        case "integer", "number": return Self.number(schema, isInteger: type == "integer")
        case "boolean": return .boolean(true)
        case "null": return .null
        case "string": return .string(Self.text(schema))
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

    // MARK: Within bounds

    private static func double(_ value: JSONValue?) -> Double? {
        if case .number(let digits)? = value { Double(digits) } else { nil }
    }

    /// The smallest, else the largest, else 0; with a step, a multiple of it.
    private static func number(_ schema: JSONValue, isInteger: Bool) -> JSONValue {
        // In OpenAPI 3.0 what excludes a bound is true or false.
        let isOpen = (low: schema["exclusiveMinimum"]?.boolean == true, high: schema["exclusiveMaximum"]?.boolean == true)
        let above = double(schema["exclusiveMinimum"]) ?? (isOpen.low ? double(schema["minimum"]) : nil)
        let below = double(schema["exclusiveMaximum"]) ?? (isOpen.high ? double(schema["maximum"]) : nil)
        guard above != nil || below != nil || schema["multipleOf"] != nil else {
            for key in ["minimum", "maximum"] {
                if case .number(let digits)? = schema[key] { return .number(digits) }
            }
            return .number("0")
        }
        let step = double(schema["multipleOf"]) ?? (isInteger ? 1 : 0)
        var value = 0.0
        if let low = [above, double(schema["minimum"])].compactMap(\.self).max() {
            value = step > 0 ? (low / step).rounded(.up) * step : low
            if let above, value <= above { value = step > 0 ? value + step : below.map { (above + $0) / 2 } ?? above + 1 }
        } else if let high = [below, double(schema["maximum"])].compactMap(\.self).min(), high <= 0 || below == nil {
            value = step > 0 ? (high / step).rounded(.down) * step : high
            if let below, value >= below { value -= step > 0 ? step : 1 }
        }
        return .number(value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)")
    }

    /// As many as there must be; different ones where no two may be the same.
    private static func items(_ item: JSONValue, of schema: JSONValue, each: JSONValue) -> [JSONValue] {
        let count = min(Int(double(schema["minItems"]) ?? 1), Int(double(schema["maxItems"]) ?? 100), 100)
        return (0..<max(count, schema["maxItems"] == .number("0") ? 0 : 1)).map { index in
            guard index > 0, schema["uniqueItems"]?.boolean == true else { return item }
            if let choices = each["enum"]?.items { return index < choices.count ? choices[index] : item }
            switch item {
            case .number(let digits):
                return Int(digits).map { .number("\($0 + index * Int(double(each["multipleOf"]) ?? 1))") } ?? item
            case .string(let text) where each["pattern"] == nil: return .string("\(text)\(index + 1)")
            default: return item
            }
        }
    }

    /// Of the form and length that are asked for.
    private static func text(_ schema: JSONValue) -> String {
        let (least, most) = (Int(double(schema["minLength"]) ?? 0), Int(double(schema["maxLength"]) ?? 10_000))
        if let pattern = schema["pattern"]?.string, let text = PatternSample.text(pattern, least: least) { return text }
        let plain = text(format: schema["format"]?.string)
        let repeated = String(repeating: plain, count: min(least, 10_000) / plain.count + 1)
        return String(repeated.prefix(max(0, min(most, max(least, plain.count)))))
    }

    /// RFC 3339 and others, by the registry of formats (https://spec.openapis.org/registry/format/).
    private static func text(format: String?) -> String {
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
