package import RequestCollections

/// Holds a value against a JSON Schema: the few keywords that our schemas use, and a failure for any other.
package struct SchemaValidator {
    private let root: JSONValue

    package init(root: JSONValue) {
        self.root = root
    }

    package func accepts(_ value: JSONValue) -> Bool { accepts(value, root) }

    private func accepts(_ value: JSONValue, _ schema: JSONValue) -> Bool {
        guard case .object(let members) = schema else { preconditionFailure("a schema is a map") }
        return members.allSatisfy { keyword in
            switch keyword.name {
            case "$schema", "title", "description", "$defs", "then", "else", "patternProperties", "additionalProperties": true
            case "$ref": accepts(value, definition(keyword.value.plainText))
            case "type": (keyword.value.elements ?? [keyword.value]).contains { isType($0.plainText, value) }
            case "enum": keyword.value.elements?.contains(value) ?? false
            case "pattern": matches(keyword.value.plainText, value)
            case "minimum": number(value).map { $0 >= number(keyword.value) ?? 0 } ?? true
            case "maximum": number(value).map { $0 <= number(keyword.value) ?? 0 } ?? true
            case "minLength":
                if case .string(let text) = value { Double(text.count) >= number(keyword.value) ?? 0 } else { true }
            case "minProperties": value.names.map { Double($0.count) >= number(keyword.value) ?? 0 } ?? true
            case "maxProperties": value.names.map { Double($0.count) <= number(keyword.value) ?? 0 } ?? true
            case "propertyNames": value.names?.allSatisfy { accepts(.string($0), keyword.value) } ?? true
            case "oneOf": keyword.value.elements?.count { accepts(value, $0) } == 1
            case "allOf": keyword.value.elements?.allSatisfy { accepts(value, $0) } ?? false
            case "not": !accepts(value, keyword.value)
            case "minItems": value.elements.map { Double($0.count) >= number(keyword.value) ?? 0 } ?? true
            case "items": value.elements?.allSatisfy { accepts($0, keyword.value) } ?? true
            case "required":
                value.names.map { names in keyword.value.elements?.allSatisfy { names.contains($0.plainText) } ?? false } ?? true
            case "anyOf": keyword.value.elements?.contains { accepts(value, $0) } ?? false
            case "properties": acceptsMembers(value, keyword.value, of: schema)
            case "if":
                (accepts(value, keyword.value) ? schema["then"] : schema["else"]).map { accepts(value, $0) } ?? true
            default: preconditionFailure("the keyword \(keyword.name) is new to this validator")
            }
        } && (schema["properties"] != nil || acceptsMembers(value, .object([]), of: schema))
    }

    /// A member has its schema by name and by each pattern that its name matches; the others are what has neither.
    private func acceptsMembers(_ value: JSONValue, _ properties: JSONValue, of schema: JSONValue) -> Bool {
        guard case .object(let members) = value else { return true }
        var patterns: [JSONValue.Member] = []
        if case .object(let members) = schema["patternProperties"] { patterns = members }
        return members.allSatisfy { member in
            let named = properties[member.name].map { [$0] } ?? []
            let schemas = named + patterns.filter { matches($0.name, .string(member.name)) }.map(\.value)
            if !schemas.isEmpty { return schemas.allSatisfy { accepts(member.value, $0) } }
            guard let others = schema["additionalProperties"] else { return true }
            return others == .boolean(false) ? false : accepts(member.value, others)
        }
    }

    private func definition(_ path: String) -> JSONValue {
        root["$defs"]?[String(path.dropFirst("#/$defs/".count))] ?? .null
    }

    private func isType(_ type: String, _ value: JSONValue) -> Bool {
        switch (type, value) {
        case ("string", .string), ("boolean", .boolean), ("null", .null), ("array", .array), ("object", .object),
            ("number", .number):
            true
        case ("integer", .number(let digits)): Int(digits) != nil
        default: false
        }
    }

    private func matches(_ pattern: String, _ value: JSONValue) -> Bool {
        guard case .string(let text) = value, let regex = try? Regex(pattern) else { return true }
        return text.firstMatch(of: regex) != nil
    }

    private func number(_ value: JSONValue) -> Double? {
        if case .number(let digits) = value { Double(digits) } else { nil }
    }
}

extension JSONValue {
    /// `nil`: it is no list.
    package var elements: [JSONValue]? {
        if case .array(let items) = self { items } else { nil }
    }

    package var names: [String]? {
        if case .object(let members) = self { members.map(\.name) } else { nil }
    }
}
