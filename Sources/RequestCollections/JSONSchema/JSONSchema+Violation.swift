extension JSONSchema {
    /// What is wrong with a value; nothing when it fits.
    struct Violation: Hashable, Sendable {
        /// As jq writes it: `.items[0].price`; `.` for all of it.
        var path: String
        /// What stands there; `nil` when that doesn't matter.
        var found: JSONValue?
        /// `a number must be`; with nothing found, all of the sentence.
        var demand: String
        /// The key of the schema that demands it; `nil`: all of the schema.
        var key: String?
        /// Where the schema stands: a URI with a JSON Pointer, and ``key`` at its end.
        var rule: String?

        /// The member at its end.
        var name: String? {
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
            let name = path[path.index(after: end)...].filter { $0 != "\"" && $0 != "]" }
            return Int(name) == nil ? name : nil
        }
    }

    func violations(of value: JSONValue, _ context: inout MatchContext) -> [Violation] {
        guard let place = resources[root] else { return [] }
        return violations(of: value, at: place, named: "\(root)#", &context)
    }

    /// - Parameters:
    ///   - place: of the schema.
    ///   - uri: the same, with its JSON Pointer.
    func violations(of value: JSONValue, at place: Place, named uri: String, _ context: inout MatchContext) -> [Violation] {
        var evaluation = SchemaEvaluation(self, context, at: uri)
        let outcome = evaluation.evaluate(place, value, at: "")
        context = evaluation.context
        return outcome.violations
    }
}
