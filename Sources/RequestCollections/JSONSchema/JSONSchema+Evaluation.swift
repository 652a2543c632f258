import FoundationEssentials
import NetworkLayer

extension JSONSchema {
    /// What is wrong with a value; nothing when it fits.
    struct Violation: Hashable, Sendable {
        /// As jq writes it: `.items[0].price`; `.` for all of it.
        var path: String
        /// What stands there; `nil` when that doesn't matter.
        var found: JSONValue?
        /// `a number must be`; with nothing found, all of the sentence.
        var demand: String

        /// The member at its end.
        var name: String? {
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
            let name = path[path.index(after: end)...].filter { $0 != "\"" && $0 != "]" }
            return Int(name) == nil ? name : nil
        }
    }

    func violations(of value: JSONValue, _ context: inout MatchContext) -> [Violation] {
        guard let place = resources[root] else { return [] }
        var evaluation = SchemaEvaluation(self, context)
        let outcome = evaluation.evaluate(place, value, at: "")
        context = evaluation.context
        return outcome.violations
    }
}

/// One value against one schema.
struct SchemaEvaluation {
    private let schema: JSONSchema
    private(set) var context: MatchContext
    /// The resources on the way, the outermost first: what `$dynamicRef` looks through.
    private var scope: [String] = []
    private var depth = 0
    private var steps = 0

    private static let mostDepth = 256
    private static let mostSteps = 5_000_000

    init(_ schema: JSONSchema, _ context: MatchContext) {
        self.schema = schema
        self.context = context
    }

    /// What a schema finds wrong, and which members and items it has looked at.
    struct Outcome {
        var violations: [JSONSchema.Violation] = []
        var members: Set<String> = []
        var items: Set<Int> = []

        var isValid: Bool { violations.isEmpty }

        /// What was looked at by a schema that doesn't fit counts for nothing.
        mutating func take(_ other: Outcome) {
            violations += other.violations
            if other.isValid { see(other) }
        }

        mutating func see(_ other: Outcome) {
            members.formUnion(other.members)
            items.formUnion(other.items)
        }
    }

    private mutating func evaluate(_ schema: JSONValue, _ outer: String, _ value: JSONValue, at path: String) -> Outcome {
        let id = schema["$id"]?.string
        let base = id.map { String(JSONSchema.resolve($0, against: outer).prefix { $0 != "#" }) } ?? outer
        return evaluate(JSONSchema.Place(schema: schema, base: base), value, at: path)
    }

    mutating func evaluate(_ place: JSONSchema.Place, _ value: JSONValue, at path: String) -> Outcome {
        let (schema, base) = (place.schema, place.base)
        var outcome = Outcome()
        switch schema {
        case .boolean(false):
            outcome.violations = [.init(path: path, found: value, demand: "nothing may be")]
            return outcome
        case .object: break
        default: return outcome
        }
        steps += 1
        guard depth < Self.mostDepth, steps < Self.mostSteps else {
            let demand = depth < Self.mostDepth ? "the schema takes too long" : "the schema goes in circles here, or too deep"
            outcome.violations = [.init(path: path, found: nil, demand: demand)]
            return outcome
        }
        depth += 1
        let isEntered = scope.last != base
        if isEntered { scope.append(base) }
        defer {
            depth -= 1
            if isEntered { scope.removeLast() }
        }
        if let reference = schema["$ref"]?.string {
            outcome.take(evaluate(JSONSchema.resolve(reference, against: base), isDynamic: false, value, at: path))
            // Before 2019-09 nothing counts beside it.
            if self.schema.isOld { return outcome }
        }
        if let reference = schema["$dynamicRef"]?.string {
            outcome.take(evaluate(JSONSchema.resolve(reference, against: base), isDynamic: true, value, at: path))
        }
        if let complaint = Self.complaint(schema, value, path) { outcome.violations.append(complaint) }
        switch value {
        case .number(let digits): outcome.violations += SchemaNumber(digits).complaints(schema, value, path)
        case .string(let text): outcome.violations += strings(schema, text, value, path)
        case .array(let items): arrays(schema, base, items, path, &outcome)
        case .object(let members): objects(schema, base, members, path, &outcome)
        case .boolean, .null: break
        }
        applicators(schema, base, value, path, &outcome)
        rest(schema, base, value, path, &outcome)
        return outcome
    }

    private mutating func evaluate(_ uri: String, isDynamic: Bool, _ value: JSONValue, at path: String) -> Outcome {
        guard var place = schema.place(of: uri) else { return Outcome() }
        if isDynamic, let mark = uri.firstIndex(of: "#") {
            let name = uri[mark...]
            // Where the name that is found first can be replaced, the outermost one of that name counts.
            if schema.dynamicAnchors["\(place.base)\(name)"] != nil,
                let outermost = scope.compactMap({ schema.dynamicAnchors["\($0)\(name)"] }).first
            {
                place = outermost
            }
        }
        return evaluate(place, value, at: path)
    }

    // MARK: Any value

    private static func complaint(_ schema: JSONValue, _ value: JSONValue, _ path: String) -> JSONSchema.Violation? {
        if let type = schema["type"] {
            let names = type.string.map { [$0] } ?? type.items.compactMap(\.string)
            if !names.contains(where: { isType($0, value) }) {
                let wanted = names.map(article).joined(separator: " or ")
                return .init(path: path, found: value, demand: "\(wanted) must be")
            }
        }
        if let wanted = schema["const"], !Matcher.isSame(wanted, value, .json) {
            return .init(path: path, found: value, demand: "\(wanted.typed) must be")
        }
        if case .array(let allowed)? = schema["enum"], !allowed.contains(where: { Matcher.isSame($0, value, .json) }) {
            let list = allowed.prefix(6).map { $0.text(pretty: false) }.joined(separator: ", ") + (allowed.count > 6 ? ", …" : "")
            return .init(path: path, found: value, demand: "one of \(list) must be")
        }
        return nil
    }

    private static let articles = [
        "null": "null", "string": "a text", "array": "a list", "object": "a map", "integer": "a whole number", "number": "a number",
        "boolean": "a boolean",
    ]

    private static func article(_ type: String) -> String { articles[type] ?? type }

    private static func isType(_ name: String, _ value: JSONValue) -> Bool {
        switch (name, value) {
        case ("null", .null), ("boolean", .boolean), ("string", .string), ("array", .array), ("object", .object),
            ("number", .number):
            true
        case ("integer", .number(let digits)): ExactNumber(digits)?.isWhole ?? false
        default: false
        }
    }

    private mutating func strings(
        _ schema: JSONValue, _ text: String, _ value: JSONValue, _ path: String
    ) -> [JSONSchema.Violation] {
        var found: [JSONSchema.Violation] = []
        let length = text.unicodeScalars.count
        if let least = count(schema["minLength"]), length < least {
            found.append(.init(path: path, found: value, demand: "at least \(least) characters must be"))
        }
        if let most = count(schema["maxLength"]), length > most {
            found.append(.init(path: path, found: value, demand: "at most \(most) characters may be"))
        }
        if let pattern = schema["pattern"]?.string, !finds(pattern, in: text) {
            found.append(.init(path: path, found: value, demand: "/\(pattern)/ must find something"))
        }
        return found
    }

    private mutating func finds(_ pattern: String, in text: String) -> Bool {
        context.finds(SchemaPattern.translated(pattern), ignoringCase: false, in: text)
    }

    private func count(_ value: JSONValue?) -> Int? {
        guard case .number(let digits)? = value, let number = Double(digits), number < 1e15 else { return nil }
        return Int(number)
    }

    // MARK: Lists

    private mutating func arrays(
        _ schema: JSONValue, _ base: String, _ items: [JSONValue], _ path: String, _ outcome: inout Outcome
    ) {
        let value = JSONValue.array(items)
        func complain(_ demand: String, at place: String = path, _ found: JSONValue? = value) {
            outcome.violations.append(.init(path: place, found: found, demand: demand))
        }
        if let least = count(schema["minItems"]), items.count < least {
            complain("has \(items.count) items, and must have at least \(least)", nil)
        }
        if let most = count(schema["maxItems"]), items.count > most {
            complain("has \(items.count) items, and may have at most \(most)", nil)
        }
        if schema["uniqueItems"] == .boolean(true), let twice = Self.twice(items) {
            complain("is there before, and each item may be there once", at: "\(path)[\(twice)]", nil)
        }
        // The older way: a list of schemas below `items`, and `additionalItems` for the rest.
        var first: [JSONValue] = schema["prefixItems"]?.items ?? []
        var rest = schema["items"]
        if case .array(let list)? = rest { (first, rest) = (list, schema["additionalItems"]) }
        for (index, item) in items.enumerated() {
            guard let inner = index < first.count ? first[index] : rest else { continue }
            let found = evaluate(inner, base, item, at: "\(path)[\(index)]")
            outcome.violations += found.violations
            outcome.items.insert(index)
        }
        guard let wanted = schema["contains"] else { return }
        var fitting: [Int] = []
        for (index, item) in items.enumerated() where evaluate(wanted, base, item, at: path).isValid { fitting.append(index) }
        outcome.items.formUnion(fitting)
        let least = count(schema["minContains"]) ?? 1
        if fitting.count < least {
            complain("has \(fitting.count) items that fit `contains`, and must have at least \(least)", nil)
        }
        if let most = count(schema["maxContains"]), fitting.count > most {
            complain("has \(fitting.count) items that fit `contains`, and may have at most \(most)", nil)
        }
    }

    /// The first item that equals one before it. A server may send a hundred thousand, so each isn't compared with all.
    private static func twice(_ items: [JSONValue]) -> Int? {
        // By bytes: Swift takes `e` with an accent behind it for `é`.
        var known: Set<[UInt8]> = []
        return items.firstIndex { !known.insert(Array(text($0).utf8)).inserted }
    }

    /// The same for values that are equal: numbers by their value, members in the order of their names.
    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .array(let items): return "[\(items.map(text).joined(separator: ","))]"
        case .object(let members):
            let texts = members.map { "\(JSONValue.string($0.name).text(pretty: false)):\(text($0.value))" }
            return "{\(texts.sorted().joined(separator: ","))}"
        case .number(let digits): return ExactNumber(digits)?.canonical ?? digits
        case .null, .boolean, .string: return value.text(pretty: false)
        }
    }

    // MARK: Maps

    private mutating func objects(
        _ schema: JSONValue, _ base: String, _ members: [JSONValue.Member], _ path: String, _ outcome: inout Outcome
    ) {
        let names = Set(members.map(\.name))
        func complain(_ demand: String, at place: String = path) {
            outcome.violations.append(.init(path: place, found: nil, demand: demand))
        }
        if let least = count(schema["minProperties"]), names.count < least {
            complain("has \(names.count) members, and must have at least \(least)")
        }
        if let most = count(schema["maxProperties"]), names.count > most {
            complain("has \(names.count) members, and may have at most \(most)")
        }
        for name in schema["required"]?.items.compactMap(\.string) ?? [] where !names.contains(name) {
            complain("is missing, and is required", at: Self.path(path, name))
        }
        for dependent in (schema["dependentRequired"] ?? .null).members + (schema["dependencies"] ?? .null).members
        where names.contains(dependent.name) {
            for name in dependent.value.items.compactMap(\.string) where !names.contains(name) {
                complain("is missing, and is required where \(Self.path(path, dependent.name)) is", at: Self.path(path, name))
            }
        }
        for member in members {
            let place = Self.path(path, member.name)
            var isKnown = false
            if let inner = schema["properties"]?.members.last(where: { $0.name == member.name }) {
                isKnown = true
                outcome.violations += evaluate(inner.value, base, member.value, at: place).violations
            }
            for pattern in schema["patternProperties"]?.members ?? [] where finds(pattern.name, in: member.name) {
                isKnown = true
                outcome.violations += evaluate(pattern.value, base, member.value, at: place).violations
            }
            if !isKnown, let inner = schema["additionalProperties"] {
                isKnown = true
                if inner == .boolean(false) {
                    complain(Self.unknown, at: place)
                } else {
                    outcome.violations += evaluate(inner, base, member.value, at: place).violations
                }
            }
            if isKnown { outcome.members.insert(member.name) }
            if let inner = schema["propertyNames"], !evaluate(inner, base, .string(member.name), at: place).isValid {
                complain("is no name that a member may have", at: place)
            }
        }
    }

    private static let unknown = "is there, and the schema knows no such member"

    private static func path(_ path: String, _ name: String) -> String {
        let isPlain = name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
        return path + (isPlain ? ".\(name)" : "[\(JSONValue.string(name).text(pretty: false))]")
    }

    // MARK: Schemas in schemas

    private mutating func applicators(
        _ schema: JSONValue, _ base: String, _ value: JSONValue, _ path: String, _ outcome: inout Outcome
    ) {
        for inner in schema["allOf"]?.items ?? [] { outcome.take(evaluate(inner, base, value, at: path)) }
        if case .array(let alternatives)? = schema["anyOf"] {
            let found = alternatives.map { evaluate($0, base, value, at: path) }
            for found in found where found.isValid { outcome.see(found) }
            if !found.contains(where: \.isValid) { outcome.violations += Self.nearest(found, path) }
        }
        if case .array(let alternatives)? = schema["oneOf"] {
            let found = alternatives.map { evaluate($0, base, value, at: path) }
            let fitting = found.filter(\.isValid)
            if fitting.count == 1 { outcome.see(fitting[0]) }
            if fitting.isEmpty { outcome.violations += Self.nearest(found, path) }
            if fitting.count > 1 {
                let demand = "fits \(fitting.count) of \(found.count) alternatives, and must fit one alone"
                outcome.violations.append(.init(path: path, found: nil, demand: demand))
            }
        }
        if let inner = schema["not"], evaluate(inner, base, value, at: path).isValid {
            outcome.violations.append(.init(path: path, found: value, demand: "something else must be"))
        }
        if let condition = schema["if"] {
            let found = evaluate(condition, base, value, at: path)
            if found.isValid { outcome.see(found) }
            if let inner = schema[found.isValid ? "then" : "else"] { outcome.take(evaluate(inner, base, value, at: path)) }
        }
        guard case .object(let members) = value else { return }
        for dependent in (schema["dependentSchemas"] ?? .null).members + (schema["dependencies"] ?? .null).members
        where members.contains(where: { $0.name == dependent.name }) {
            outcome.take(evaluate(dependent.value, base, value, at: path))
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
    private mutating func rest(
        _ schema: JSONValue, _ base: String, _ value: JSONValue, _ path: String, _ outcome: inout Outcome
    ) {
        if let inner = schema["unevaluatedItems"], case .array(let items) = value {
            for (index, item) in items.enumerated() where !outcome.items.contains(index) {
                outcome.violations += evaluate(inner, base, item, at: "\(path)[\(index)]").violations
                outcome.items.insert(index)
            }
        }
        if let inner = schema["unevaluatedProperties"], case .object(let members) = value {
            for member in members where !outcome.members.contains(member.name) {
                let place = Self.path(path, member.name)
                if inner == .boolean(false) {
                    outcome.violations.append(.init(path: place, found: nil, demand: Self.unknown))
                } else {
                    outcome.violations += evaluate(inner, base, member.value, at: place).violations
                }
                outcome.members.insert(member.name)
            }
        }
    }
}
