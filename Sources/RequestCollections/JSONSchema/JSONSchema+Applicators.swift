/// Schemas in schemas.
extension SchemaEvaluation {
    mutating func applicators(
        _ schema: JSONValue, _ base: String, _ value: JSONValue, _ path: String, _ outcome: inout Outcome
    ) {
        func alternatives(_ key: String) -> [Outcome]? {
            guard case .array(let alternatives)? = schema[key] else { return nil }
            return alternatives.enumerated().map { evaluate($1, base, value, at: path, by: key, .index($0)) }
        }
        for found in alternatives("allOf") ?? [] { outcome.take(found) }
        if let found = alternatives("anyOf") {
            for found in found where found.isValid { outcome.see(found) }
            if !found.contains(where: \.isValid) { outcome.violations += Self.nearest(found, path) }
        }
        if let found = alternatives("oneOf") {
            let fitting = found.filter(\.isValid)
            if fitting.count == 1 { outcome.see(fitting[0]) }
            if fitting.isEmpty { outcome.violations += Self.nearest(found, path) }
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
            if let inner = schema[branch] { outcome.take(evaluate(inner, base, value, at: path, by: branch)) }
        }
        guard case .object(let members) = value else { return }
        for dependent in (schema["dependentSchemas"] ?? .null).members + (schema["dependencies"] ?? .null).members
        where members.contains(where: { $0.name == dependent.name }) {
            outcome.take(evaluate(dependent.value, base, value, at: path, by: "dependentSchemas", .key(dependent.name)))
        }
    }

    /// Of several alternatives the errors of all would hide the one that was meant.
    private static func nearest(_ found: [Outcome], _ path: String) -> [JSONSchema.Violation] {
        guard let nearest = found.min(by: { $0.violations.count < $1.violations.count }) else { return [] }
        if found.count == 1 { return nearest.violations }
        let head = JSONSchema.Violation(
            path: path, found: nil, demand: "fits none of \(found.count) alternatives, of which the nearest says:")
        return [head] + nearest.violations
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
            for member in members where !outcome.members.contains(member.name) {
                let place = Self.path(path, member.name)
                if inner == .boolean(false) {
                    outcome.violations.append(
                        .init(path: place, found: nil, demand: Self.unknown, key: "unevaluatedProperties"))
                } else {
                    outcome.violations +=
                        evaluate(inner, base, member.value, at: place, by: "unevaluatedProperties").violations
                }
                outcome.members.insert(member.name)
            }
        }
    }
}
