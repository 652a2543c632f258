import NetworkLayer

/// Schemas in schemas.
extension SchemaEvaluation {
    mutating func applicators(
        _ schema: JSONValue, _ base: String, _ value: JSONValue, _ path: String, _ outcome: inout Outcome
    ) {
        func alternatives(_ key: String) -> [Outcome]? {
            guard case .array(let alternatives)? = schema[key] else { return nil }
            return alternatives.enumerated().map { evaluate($1, base, value, at: path, by: key, .index($0)) }
        }
        func nearest(_ found: [Outcome], _ key: String) -> [JSONSchema.Violation] {
            let isOpenAPI = if case .openAPI = self.schema.kind { true } else { false }
            return Self.nearest(found, isOpenAPI ? Self.discriminated(value, by: schema, key) : nil, path)
        }
        for found in alternatives("allOf") ?? [] { outcome.merge(found) }
        if let found = alternatives("anyOf") {
            for found in found where found.isValid { outcome.see(found) }
            if !found.contains(where: \.isValid) { outcome.violations += nearest(found, "anyOf") }
        }
        if let found = alternatives("oneOf") {
            let fitting = found.filter(\.isValid)
            if fitting.count == 1 { outcome.see(fitting[0]) }
            if fitting.isEmpty { outcome.violations += nearest(found, "oneOf") }
            if fitting.count > 1 {
                let demand = "fits \(fitting.count) of \(found.count) alternatives, and must fit one alone"
                outcome.violations.append(.init(path: path, found: nil, demand: demand, key: "oneOf"))
            }
        }
        if let inner = schema["not"], evaluate(inner, base, value, at: path, by: "not").isValid {
            outcome.violations.append(.init(path: path, found: value, demand: "something else must be", key: "not"))
        }
        if let condition = schema["if"] {
            let found = evaluate(condition, base, value, at: path, by: "if")
            if found.isValid { outcome.see(found) }
            let branch = found.isValid ? "then" : "else"
            if let inner = schema[branch] { outcome.merge(evaluate(inner, base, value, at: path, by: branch)) }
        }
        guard case .object(let members) = value else { return }
        for dependent in (schema["dependentSchemas"] ?? .null).members + (schema["dependencies"] ?? .null).members
        where members.contains(where: { $0.isNamed(dependent.name) }) {
            outcome.merge(evaluate(dependent.value, base, value, at: path, by: "dependentSchemas", .key(dependent.name)))
        }
    }

    /// The errors of all of several alternatives would hide the one that was meant.
    ///
    /// - Parameter meant: the one that the value itself names, and by which member.
    private static func nearest(
        _ found: [Outcome], _ meant: (index: Int, member: String)?, _ path: String
    ) -> [JSONSchema.Violation] {
        guard let nearest = found.min(by: { $0.violations.count < $1.violations.count }) else { return [] }
        if found.count == 1 { return nearest.violations }
        let which = meant.map { "the one that `\($0.member)` names" } ?? "the nearest"
        let head = JSONSchema.Violation(
            path: path, found: nil, demand: "fits none of \(found.count) alternatives, of which \(which) says:")
        return [head] + (meant.map { found[$0.index] } ?? nearest).violations
    }

    /// The alternative that a member of the value names, as OpenAPI's `discriminator` has it. It decides about no value.
    private static func discriminated(
        _ value: JSONValue, by schema: JSONValue, _ key: String
    ) -> (index: Int, member: String)? {
        guard let discriminator = schema["discriminator"], let member = discriminator["propertyName"]?.string,
            let name = value[member]?.string, case .array(let alternatives)? = schema[key]
        else { return nil }
        let target = discriminator["mapping"]?[name]?.string ?? name
        let index = alternatives.firstIndex { alternative in
            alternative["$ref"]?.string.map { $0 == target || $0.hasSuffix("/" + target) } ?? false
        }
        return index.map { ($0, member) }
    }

    /// What no other word of the schema has looked at.
    mutating func rest(
        _ schema: JSONValue, _ base: String, _ value: JSONValue, _ path: String, _ outcome: inout Outcome
    ) {
        if let inner = schema["unevaluatedItems"], case .array(let items) = value {
            for (index, item) in items.enumerated() where !outcome.items.contains(index) {
                outcome.violations +=
                    evaluate(
                        inner, base, item, at: "\(path)[\(index)]", by: "unevaluatedItems"
                    ).violations
                outcome.items.insert(index)
            }
        }
        if let inner = schema["unevaluatedProperties"], case .object(let members) = value {
            for member in members where !outcome.members.contains(ExactText(member.name)) {
                let place = Self.path(path, member.name)
                if inner == .boolean(false) {
                    outcome.violations.append(
                        .init(path: place, found: nil, demand: Self.unknown, key: "unevaluatedProperties"))
                } else {
                    outcome.violations +=
                        evaluate(inner, base, member.value, at: place, by: "unevaluatedProperties").violations
                }
                outcome.members.insert(ExactText(member.name))
            }
        }
    }
}
