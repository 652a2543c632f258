import Base
import NetworkLayer

/// One value against one schema.
struct SchemaEvaluation {
    let schema: JSONSchema
    private(set) var context: MatchContext
    /// The resources on the way, the outermost first: what `$dynamicRef` looks through.
    private var scope: [String] = []
    private var depth = 0
    private var steps = 0
    /// The schemas on the way.
    private var trail: [Step]

    enum Step {
        /// Where a reference leads.
        case uri(String)
        case key(String)
        case index(Int)
    }

    private static let mostDepth = 256
    private static let mostSteps = 5_000_000

    /// - Parameter uri: of the schema that is begun with.
    init(_ schema: JSONSchema, _ context: MatchContext, at uri: String) {
        self.schema = schema
        self.context = context
        trail = [.uri(uri)]
    }

    /// Where the schema stands that is being looked at.
    private var rule: String {
        let start = trail.lastIndex { if case .uri = $0 { true } else { false } } ?? 0
        return trail[start...].reduce(into: "") { rule, step in
            switch step {
            case .uri(let uri): rule = uri.contains("#") ? uri : uri + "#"
            case .key(let key): rule += "/" + JSONPointer.escaped(key)
            case .index(let index): rule += "/\(index)"
            }
        }
    }

    /// What a schema finds wrong, and which members and items it has looked at.
    struct Outcome {
        var violations: [JSONSchema.Violation] = []
        var members: Set<ExactText> = []
        var items: Set<Int> = []

        var isValid: Bool { violations.isEmpty }

        /// What was looked at by a schema that doesn't fit counts for nothing.
        mutating func merge(_ other: Outcome) {
            violations += other.violations
            if other.isValid { see(other) }
        }

        mutating func see(_ other: Outcome) {
            members.formUnion(other.members)
            items.formUnion(other.items)
        }
    }

    mutating func evaluate(
        _ schema: JSONValue, _ outer: String, _ value: JSONValue, at path: String, by key: String, _ step: Step? = nil
    ) -> Outcome {
        trail.append(.key(key))
        if let step { trail.append(step) }
        defer { trail.removeLast(step == nil ? 1 : 2) }
        let id = schema["$id"]?.string
        let base = id.map { String(JSONSchema.resolve($0, against: outer).prefix { $0 != "#" }) } ?? outer
        return evaluate(JSONSchema.Place(schema: schema, base: base), value, at: path)
    }

    mutating func evaluate(_ place: JSONSchema.Place, _ value: JSONValue, at path: String) -> Outcome {
        let (schema, base) = (place.schema, place.base)
        var outcome = Outcome()
        switch schema {
        case .boolean(false):
            outcome.violations = [.init(path: path, found: value, demand: "nothing may be", rule: rule)]
            return outcome
        case .object: break
        default: return outcome
        }
        steps += 1
        guard depth < Self.mostDepth, steps < Self.mostSteps else {
            let demand = depth < Self.mostDepth ? "the schema takes too long" : "the schema goes in circles here, or too deep"
            outcome.violations = [.init(path: path, found: nil, demand: demand, rule: rule)]
            return outcome
        }
        depth += 1
        let isEntered = scope.last != base
        if isEntered { scope.append(base) }
        defer {
            depth -= 1
            if isEntered { scope.removeLast() }
        }
        // OpenAPI 3.0 has no type of its own for it. What `enum` allows is all that is allowed.
        if value == .null, self.schema.kind == .openAPI(isThreeZero: true), schema["$ref"] == nil,
            schema["nullable"] == .boolean(true), schema["enum"]?.items.contains(.null) ?? true
        {
            return outcome
        }
        if let reference = schema["$ref"]?.string {
            outcome.merge(evaluate(JSONSchema.resolve(reference, against: base), isDynamic: false, value, at: path))
            // In drafts before 2019-09, everything beside a `$ref` is ignored.
            if self.schema.isOld { return outcome }
        }
        if let reference = schema["$dynamicRef"]?.string {
            outcome.merge(evaluate(JSONSchema.resolve(reference, against: base), isDynamic: true, value, at: path))
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
        for index in outcome.violations.indices where outcome.violations[index].rule == nil {
            let key = outcome.violations[index].key.map { "/" + JSONPointer.escaped($0) } ?? ""
            outcome.violations[index].rule = rule + key
        }
        return outcome
    }

    private mutating func evaluate(_ uri: String, isDynamic: Bool, _ value: JSONValue, at path: String) -> Outcome {
        guard var place = schema.place(of: uri) else {
            let demand = "`\(uri.suffix(from: uri.firstIndex(of: "#") ?? uri.startIndex))` names a schema that isn't there"
            return Outcome(violations: [.init(path: path, found: nil, demand: demand, key: isDynamic ? "$dynamicRef" : "$ref")])
        }
        trail.append(.uri(uri))
        defer { trail.removeLast() }
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
                return .init(path: path, found: value, demand: "\(wanted) must be", key: "type")
            }
        }
        if let wanted = schema["const"], !Matcher.isSame(wanted, value, .json) {
            return .init(path: path, found: value, demand: "\(wanted.typed) must be", key: "const")
        }
        if case .array(let allowed)? = schema["enum"], !allowed.contains(where: { Matcher.isSame($0, value, .json) }) {
            let list = allowed.prefix(6).map { $0.text(pretty: false) }.joined(separator: ", ") + (allowed.count > 6 ? ", …" : "")
            return .init(path: path, found: value, demand: "one of \(list) must be", key: "enum")
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
            found.append(.init(path: path, found: value, demand: "at least \(least) characters must be", key: "minLength"))
        }
        if let most = count(schema["maxLength"]), length > most {
            found.append(.init(path: path, found: value, demand: "at most \(most) characters may be", key: "maxLength"))
        }
        if let pattern = schema["pattern"]?.string, !finds(pattern, in: text) {
            found.append(
                Self.complaint(aboutPattern: pattern, path)
                    ?? .init(path: path, found: value, demand: "/\(pattern)/ must find something", key: "pattern"))
        }
        return found
    }

    /// What is wrong with the schema itself, where it was not looked at before: in a contract only what an answer comes to counts.
    private static func complaint(aboutPattern pattern: String, _ path: String) -> JSONSchema.Violation? {
        do throws(MatcherError) {
            try MatcherText.check(pattern: pattern, .ecmaScript)
            return nil
        } catch {
            return .init(
                path: path, demand: "can't be judged: the schema's `\(pattern)` isn't a regular expression", key: "pattern")
        }
    }

    private mutating func finds(_ pattern: String, in text: String) -> Bool {
        context.finds(pattern, .ecmaScript, in: text)
    }

    private func count(_ value: JSONValue?) -> Int? {
        guard case .number(let digits)? = value, let number = Double(digits), number < 1e15 else { return nil }
        return Int(number)
    }

    // MARK: Lists

    private mutating func arrays(
        _ schema: JSONValue, _ base: String, _ items: [JSONValue], _ path: String, _ outcome: inout Outcome
    ) {
        func complain(_ key: String, _ demand: String, at place: String = path) {
            outcome.violations.append(.init(path: place, found: nil, demand: demand, key: key))
        }
        if let least = count(schema["minItems"]), items.count < least {
            complain("minItems", "has \(items.count) items, and must have at least \(least)")
        }
        if let most = count(schema["maxItems"]), items.count > most {
            complain("maxItems", "has \(items.count) items, and may have at most \(most)")
        }
        if schema["uniqueItems"] == .boolean(true), let twice = Self.twice(items) {
            complain("uniqueItems", "is there before, and each item may be there once", at: "\(path)[\(twice)]")
        }
        // The older way: a list of schemas below `items`, and `additionalItems` for the rest.
        var first: [JSONValue] = schema["prefixItems"]?.items ?? []
        var rest = schema["items"]
        var (firstKey, restKey) = ("prefixItems", "items")
        if case .array(let list)? = rest {
            (first, rest) = (list, schema["additionalItems"])
            (firstKey, restKey) = ("items", "additionalItems")
        }
        for (index, item) in items.enumerated() {
            let isFirst = index < first.count
            guard let inner = isFirst ? first[index] : rest else { continue }
            let found = evaluate(
                inner, base, item, at: "\(path)[\(index)]", by: isFirst ? firstKey : restKey, isFirst ? .index(index) : nil)
            outcome.violations += found.violations
            outcome.items.insert(index)
        }
        guard let wanted = schema["contains"] else { return }
        var fitting: [Int] = []
        for (index, item) in items.enumerated()
        where evaluate(wanted, base, item, at: path, by: "contains").isValid { fitting.append(index) }
        outcome.items.formUnion(fitting)
        let least = count(schema["minContains"]) ?? 1
        if fitting.count < least {
            complain("contains", "has \(fitting.count) items that fit `contains`, and must have at least \(least)")
        }
        if let most = count(schema["maxContains"]), fitting.count > most {
            complain("maxContains", "has \(fitting.count) items that fit `contains`, and may have at most \(most)")
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
        // Names are compared by their bytes.
        let names = Set(members.map { Array($0.name.utf8) })
        func complain(_ key: String, _ demand: String, at place: String = path) {
            outcome.violations.append(.init(path: place, found: nil, demand: demand, key: key))
        }
        if let least = count(schema["minProperties"]), names.count < least {
            complain("minProperties", "has \(names.count) members, and must have at least \(least)")
        }
        if let most = count(schema["maxProperties"]), names.count > most {
            complain("maxProperties", "has \(names.count) members, and may have at most \(most)")
        }
        for name in schema["required"]?.items.compactMap(\.string) ?? []
        where !names.contains(Array(name.utf8)) && !isForRequestsAlone(name, of: schema, base) {
            complain("required", "is missing, and is required", at: Self.path(path, name))
        }
        for dependent in (schema["dependentRequired"] ?? .null).members + (schema["dependencies"] ?? .null).members
        where names.contains(Array(dependent.name.utf8)) {
            for name in dependent.value.items.compactMap(\.string) where !names.contains(Array(name.utf8)) {
                complain(
                    "dependentRequired", "is missing, and is required where \(Self.path(path, dependent.name)) is",
                    at: Self.path(path, name))
            }
        }
        for member in members {
            let place = Self.path(path, member.name)
            var isKnown = false
            if let inner = schema["properties"]?.members.last(where: { $0.isNamed(member.name) }) {
                isKnown = true
                outcome.violations +=
                    evaluate(
                        inner.value, base, member.value, at: place, by: "properties", .key(member.name)
                    ).violations
            }
            for pattern in schema["patternProperties"]?.members ?? [] where finds(pattern.name, in: member.name) {
                isKnown = true
                outcome.violations +=
                    evaluate(
                        pattern.value, base, member.value, at: place, by: "patternProperties", .key(pattern.name)
                    ).violations
            }
            if !isKnown, let inner = schema["additionalProperties"] {
                isKnown = true
                if inner == .boolean(false) {
                    complain("additionalProperties", Self.unknown, at: place)
                } else {
                    outcome.violations +=
                        evaluate(inner, base, member.value, at: place, by: "additionalProperties").violations
                }
            }
            if isKnown { outcome.members.insert(ExactText(member.name)) }
            if let inner = schema["propertyNames"],
                !evaluate(inner, base, .string(member.name), at: place, by: "propertyNames").isValid
            {
                complain("propertyNames", "is no name that a member may have", at: place)
            }
        }
    }

    /// In OpenAPI what is for requests alone is no part of an answer, whatever `required` says.
    private func isForRequestsAlone(_ name: String, of schema: JSONValue, _ base: String) -> Bool {
        guard self.schema.kind != .schema, var property = schema["properties"]?[name] else { return false }
        if let reference = property["$ref"]?.string {
            property = self.schema.place(of: JSONSchema.resolve(reference, against: base))?.schema ?? property
        }
        return property["writeOnly"] == .boolean(true)
    }

    static let unknown = "is there, and the schema knows no such member"

    static func path(_ path: String, _ name: String) -> String {
        let isPlain = JSONPathParser.isIdentifier(name)
        return path + (isPlain ? ".\(name)" : "[\(JSONValue.string(name).text(pretty: false))]")
    }
}
