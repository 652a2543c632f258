import RequestCollections

extension Matcher {
    /// A member that is there, if only null.
    static let isDefined = Matcher.any([.exists, .type(.null)])

    /// A text or a list: what looks for a part of anything else fails in chai.
    static let isTextOrList = Matcher.any([.type(.string), .type(.array)])

    /// What JavaScript takes for true: neither false nor 0 nor "" nor null.
    static let isTruthy = Matcher.any([
        .equals(.boolean(true)), .not(.equals(.number("0"))), .not(.equals(.string(""))), .type(.object), .type(.array),
    ])

    /// Whether it holds for nothing that is missing or null.
    var impliesPresence: Bool {
        switch self {
        case .exists, .compares, .range, .matches, .contains, .startsWith, .endsWith, .empty, .length, .statusClass, .each, .some:
            true
        case .equals(let value): value != .null
        case .type(let type): type != .null
        case .all(let matchers): matchers.contains(where: \.impliesPresence)
        case .any(let matchers): !matchers.isEmpty && matchers.allSatisfy(\.impliesPresence)
        // Where a value has no type, "not" says nothing.
        case .not(.equals(let value)): value != .null
        case .not(.empty), .not(.length), .not(.compares), .not(.range), .not(.matches), .not(.contains): true
        case .not, .missing, .schema: false
        }
    }

    /// Whether what it holds for has that type.
    func implies(_ type: ValueType) -> Bool {
        switch self {
        case .type(let own): own == type
        case .equals(.string(let text)), .not(.equals(.string(let text))): type == .string && !Template.isIn(text)
        case .equals(let value), .not(.equals(let value)): value.type == type
        case .compares, .range, .not(.compares), .not(.range): type == .number
        case .matches, .not(.matches): type == .string
        case .all(let matchers): matchers.contains { $0.implies(type) }
        case .any(let matchers): !matchers.isEmpty && matchers.allSatisfy { $0.implies(type) }
        default: false
        }
    }

    fileprivate var choices: [Matcher] { if case .any(let matchers) = self { matchers } else { [self] } }
}

extension JSONValue {
    fileprivate var type: Matcher.ValueType? {
        switch self {
        case .null: nil
        case .boolean: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}

// MARK: Conditions

/// `nil` is what can't be said exactly.
extension TestScript {
    /// What holds when a condition does.
    ///
    /// - Parameters:
    ///   - isNegated: when it doesn't.
    ///   - isStrict: when it is `true` and not just something.
    func claims(of condition: ScriptValue, isNegated: Bool = false, isStrict: Bool = false) -> [ScriptClaim]? {
        switch condition {
        case .not(let inner): return claims(of: inner, isNegated: !isNegated)
        case .binary("&&", let left, let right):
            guard !isNegated, let one = claims(of: left), let two = claims(of: right, isStrict: isStrict) else { return nil }
            return one + two
        case .binary("||", let left, let right):
            guard !isNegated, !isStrict || left.isTest, let one = claims(of: left, isStrict: isStrict),
                let two = claims(of: right, isStrict: isStrict), one.count == 1, two.count == 1, one[0].value == two[0].value
            else { return nil }
            return [ScriptClaim(one[0].value, .any(one[0].matcher.choices + two[0].matcher.choices))]
        case .binary(let sign, let left, let right): return comparison(left, sign, right, isNegated)
        case .hasHeader(let name): return [ScriptClaim(.header(name), isNegated ? .missing : .exists)]
        case .isArray(.json(let path)) where !isNegated: return [ScriptClaim(.json(path), .type(.array))]
        case .contains(let inner, let part):
            var reader = ScriptAssertion(subject: inner, script: self, isNegated: isNegated)
            return reader.read([.init(name: "include", arguments: [part])])
        case .json where !isNegated: return [ScriptClaim(condition, isStrict ? .equals(.boolean(true)) : .isTruthy)]
        case .header where !isNegated && !isStrict: return [ScriptClaim(condition, .not(.empty))]
        default: return nil
        }
    }

    private func comparison(
        _ left: ScriptValue, _ sign: String, _ right: ScriptValue, _ isNegated: Bool
    ) -> [ScriptClaim]? {
        let (subject, other) = !left.isSubject && right.isSubject ? (right, left) : (left, right)
        let isNumber = if case .length = subject { true } else { isKnown(subject, to: .number) }
        var reader = ScriptAssertion(subject: subject, script: self, isNegated: isNegated != sign.hasPrefix("!"))
        switch sign {
        case "===", "!==": return reader.claims(equal: other)
        case "==", "!=":
            // Null and undefined are one to it, and a text of JSON may be a number.
            if other == .undefined || other == .literal(.null) {
                guard case .json = subject, reader.isNegated else { return nil }
                return [ScriptClaim(subject, .exists)]
            }
            if case .typeOf = subject { return reader.claims(equal: other) }
            return subject.path == nil || isNumber ? reader.claims(equal: other) : nil
        default:
            guard let comparison = Matcher.Comparison(rawValue: sign), subject.path == nil || isNumber else { return nil }
            reader.subject = left
            return reader.claims(comparison, right)
        }
    }

    /// What `expect(…)` claims, in the words of chai 4 and Postman's own.
    func claims(of subject: ScriptValue, _ links: [ScriptValue.Link]) -> [ScriptClaim]? {
        var isCondition = subject.isTest
        if case .binary = subject { isCondition = true }
        guard isCondition else {
            var reader = ScriptAssertion(subject: subject, script: self)
            return reader.read(links)
        }
        // `expect(a === 1).to.be.true` says what `a` is.
        let said = links.filter { !(ScriptAssertion.fillers.contains($0.name) && $0.arguments == nil) }
        guard said.count == 1, let word = said.first else { return nil }
        switch (word.name, word.arguments) {
        case ("true", nil): return claims(of: subject, isStrict: true)
        case ("ok", nil): return claims(of: subject)
        case ("false", nil): return claims(of: subject, isNegated: true, isStrict: true)
        case ("eql", let arguments?), ("equal", let arguments?), ("equals", let arguments?), ("eq", let arguments?):
            guard arguments.count == 1, case .literal(.boolean(let flag)) = arguments[0] else { return nil }
            return claims(of: subject, isNegated: !flag, isStrict: true)
        default: return nil
        }
    }
}

// MARK: Assertions

/// Reads what stands behind `expect(…)` (https://www.chaijs.com/api/bdd/) and `pm.response`.
struct ScriptAssertion {
    var subject: ScriptValue
    let script: TestScript
    var isNegated = false
    private var isDeep = false
    /// `include.keys`
    private var isPartial = false
    private var isAny = false
    private var found: [ScriptClaim] = []

    init(subject: ScriptValue, script: TestScript, isNegated: Bool = false) {
        self.subject = subject
        self.script = script
        self.isNegated = isNegated
    }

    /// Words that only make sentences.
    static let fillers: Set<String> = [
        "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same", "but", "does", "still",
    ]

    mutating func read(_ links: [ScriptValue.Link]) -> [ScriptClaim]? {
        for link in links {
            if link.name == "not", link.arguments == nil {
                isNegated = true
            } else if let arguments = link.arguments {
                guard let claims = subject.isResponse ? ofResponse(link.name, arguments) : claims(link.name, arguments) else {
                    return nil
                }
                found += claims
            } else if !Self.fillers.contains(link.name) {
                guard subject.isResponse ? readOfResponse(link.name) : read(word: link.name) else { return nil }
            }
        }
        return found.isEmpty ? nil : found
    }

    /// One that isn't called.
    private mutating func read(word: String) -> Bool {
        switch word {
        case "deep": isDeep = true
        case "all": isAny = false
        case "any": isAny = true
        case "include", "contain", "includes", "contains": isPartial = true
        case "own": break
        case "length", "lengthOf":
            guard case .json(let path) = subject, isKnown(.array) else { return false }
            subject = .length(path)
        default:
            guard let matcher = state(word) else { return false }
            found.append(claim(matcher))
        }
        return true
    }

    /// From this assertion, or others.
    private func isKnown(_ type: Matcher.ValueType, _ value: ScriptValue? = nil) -> Bool {
        let value = value ?? subject
        return found.contains { $0.value == value && $0.matcher.implies(type) } || script.isKnown(value, to: type)
    }

    private var isKnownToBeThere: Bool {
        found.contains { $0.value == subject && ($0.matcher == .isDefined || $0.matcher.impliesPresence) }
            || script.isKnownToBeThere(subject)
    }

    private func claim(_ matcher: Matcher) -> ScriptClaim { ScriptClaim(subject, matcher) }

    /// Where "not" has one meaning, whatever the value.
    private func signed(_ matcher: Matcher, _ value: ScriptValue? = nil) -> [ScriptClaim] {
        [ScriptClaim(value ?? subject, isNegated ? .not(matcher) : matcher)]
    }

    private func state(_ word: String) -> Matcher? {
        switch (subject, word, isNegated) {
        case (.json, "true", false), (.json, "false", false): .equals(.boolean(word == "true"))
        case (.json, "null", false): .type(.null)
        case (.json, "null", true): isKnownToBeThere ? .exists : nil
        case (.json, "undefined", true): .isDefined
        case (.json, "exist", false), (.header, "exist", false), (.header, "undefined", true): .exists
        case (.header, "exist", true), (.header, "undefined", false): .missing
        case (.json, "ok", false): .isTruthy
        case (.header, "ok", false), (.body, "ok", false): .not(.empty)
        case (.json, "empty", _), (.body, "empty", _), (.header, "empty", _): isNegated ? .not(.empty) : .empty
        default: nil
        }
    }

    // MARK: The response itself

    private static let states: [String: Matcher] = [
        "ok": .equals(200), "success": .statusClass(2), "info": .statusClass(1), "redirection": .statusClass(3),
        "clientError": .statusClass(4), "serverError": .statusClass(5), "error": .any([.statusClass(4), .statusClass(5)]),
        "accepted": .equals(202), "withoutContent": .equals(204), "badRequest": .equals(400), "unauthorized": .equals(401),
        "forbidden": .equals(403), "notFound": .equals(404), "rateLimited": .equals(429),
    ]

    /// The reasons of RFC 9110 that scripts name instead of numbers.
    private static let reasons: [String: JSONValue] = [
        "OK": 200, "Created": 201, "Accepted": 202, "No Content": 204, "Not Modified": 304, "Bad Request": 400, "Unauthorized": 401,
        "Forbidden": 403, "Not Found": 404, "Method Not Allowed": 405, "Conflict": 409, "Internal Server Error": 500,
    ]

    /// `pm.response.to.be.json`
    private mutating func readOfResponse(_ word: String) -> Bool {
        if let matcher = Self.states[word] {
            found += signed(matcher, .status)
        } else if word == "withBody" {
            found += ofResponse("body", []) ?? []
        } else if word == "json", !isNegated {
            found.append(ScriptClaim(.json([]), .isDefined))
        } else {
            return false
        }
        return true
    }

    /// `pm.response.to.have.status(200)`
    private func ofResponse(_ word: String, _ arguments: [ScriptValue]) -> [ScriptClaim]? {
        switch (word, arguments.first) {
        case ("status", .literal(.number(let digits))?): return signed(.equals(.number(digits)), .status)
        case ("status", .literal(.string(let reason))?): return Self.reasons[reason].map { signed(.equals($0), .status) }
        case ("header", .literal(.string(let name))?):
            if arguments.count == 1 { return [ScriptClaim(.header(name), isNegated ? .missing : .exists)] }
            guard !isNegated, arguments[1].name != nil else { return nil }
            return arguments[1].json.map { [ScriptClaim(.header(name), .equals($0))] }
        case ("body", nil): return [ScriptClaim(.body, isNegated ? .empty : .not(.empty))]
        case ("body", .literal(.string)?): return arguments[0].json.map { signed(.equals($0), .body) }
        case ("body", .regex(let pattern, let ignoringCase)?): return signed(Self.matcher(pattern, ignoringCase), .body)
        case ("jsonBody", nil): return isNegated ? nil : [ScriptClaim(.json([]), .isDefined)]
        case ("jsonBody", .literal(.string(let name))?):
            // More than a name is a path there, or a name with dots in it.
            guard !isNegated, name.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil else { return nil }
            let part = ScriptValue.part(name, of: [])
            guard case .json = part else { return nil }
            guard arguments.count > 1 else { return [ScriptClaim(part, .isDefined)] }
            guard case .literal(let literal) = arguments[1] else { return nil }
            return literal == .null
                ? [ScriptClaim(part, .type(.null))] : arguments[1].json.map { [ScriptClaim(part, .equals($0))] }
        default: return nil
        }
    }

    private static func matcher(_ pattern: String, _ ignoringCase: Bool) -> Matcher {
        .matches((ignoringCase ? "(?i)" : "") + pattern, ignoringCase: false)
    }

    // MARK: Words with arguments

    private static let comparisons: [String: Matcher.Comparison] = [
        "above": .greater, "gt": .greater, "greaterThan": .greater, "below": .less, "lt": .less, "lessThan": .less,
        "least": .atLeast, "gte": .atLeast, "most": .atMost, "lte": .atMost,
    ]

    private mutating func claims(_ word: String, _ arguments: [ScriptValue]) -> [ScriptClaim]? {
        guard let first = arguments.first else { return nil }
        if let comparison = Self.comparisons[word] { return claims(comparison, first) }
        switch word {
        case "property", "ownProperty", "haveOwnProperty":
            guard !isNegated, case .json(let path) = subject, let name = first.name else { return nil }
            subject = ScriptValue.part(name, of: path)
            guard case .json = subject else { return nil }
            // A value that isn't there has no value.
            return arguments.count > 1 ? claims(equal: arguments[1], isDeep: isDeep) : [claim(.isDefined)]
        case "keys", "key": return keys(arguments)
        case "within":
            guard arguments.count >= 2, let low = operand(first), let high = operand(arguments[1]) else { return nil }
            return compared(.range(low, high))
        case _ where arguments.count != 1: return nil
        case "eql": return claims(equal: first, isDeep: true)
        case "equal", "equals", "eq": return claims(equal: first, isDeep: isDeep)
        case "a", "an":
            guard case .json = subject, let type = first.name.flatMap({ Matcher.ValueType(rawValue: $0.lowercased()) }),
                !type.isAboutMore, type != .integer, !isNegated || isKnownToBeThere
            else { return nil }
            return signed(.type(type))
        case "include", "contain", "includes", "contains": return isDeep ? nil : contains(first)
        case "string": return contains(first, onlyTexts: true)
        case "match", "matches":
            guard case .regex(let pattern, let ignoringCase) = first else { return nil }
            switch subject {
            case .body: break
            case .json: guard isKnown(.string) else { return nil }
            case .header: guard !isNegated, !ScriptPattern.findsNothing(pattern, ignoringCase: ignoringCase) else { return nil }
            default: return nil
            }
            return signed(Self.matcher(pattern, ignoringCase))
        case "oneOf": return isPartial || isDeep ? nil : oneOf(first, of: subject)
        case "length", "lengthOf":
            guard case .json(let path) = subject, isKnown(.array), case .literal(.number(let digits)) = first else { return nil }
            return signed(.equals(.number(digits)), .length(path))
        default: return nil
        }
    }

    private func keys(_ arguments: [ScriptValue]) -> [ScriptClaim]? {
        guard !isNegated, !isAny, case .json(let path) = subject else { return nil }
        var items = arguments
        if items.count == 1, case .literal(.array(let list)) = items[0] { items = list.map(ScriptValue.literal) }
        let names = items.compactMap(\.name)
        guard names.count == items.count, !names.isEmpty, Set(names).count == names.count else { return nil }
        guard !isPartial else {
            let parts = names.map { ScriptValue.part($0, of: path) }
            return parts.contains(.unknown) ? nil : parts.map { ScriptClaim($0, .isDefined) }
        }
        let sorted = names.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
        return [ScriptClaim(.keys(path), .equals(.array(sorted.map { .string(TemplateText($0).text) })))]
    }

    // MARK: Comparisons

    /// The two may stand the wrong way around.
    private func turned(_ value: ScriptValue) -> Self? {
        guard !subject.isSubject, value.isSubject else { return nil }
        var turned = self
        turned.subject = value
        return turned
    }

    func claims(equal value: ScriptValue, isDeep: Bool = false) -> [ScriptClaim]? {
        if let turned = turned(value) { return turned.claims(equal: subject, isDeep: isDeep) }
        switch (subject, value) {
        case (.typeOf(let inner), .literal(.string("undefined"))): return isNegated ? [ScriptClaim(inner, .isDefined)] : nil
        case (.typeOf(.json(let path)), .literal(.string(let name))) where !isNegated:
            switch name {
            case "string", "number", "boolean":
                return Matcher.ValueType(rawValue: name).map { [ScriptClaim(.json(path), .type($0))] }
            case "object": return [ScriptClaim(.json(path), .any([.type(.object), .type(.array), .type(.null)]))]
            default: return nil
            }
        case (.json, .literal(.null)):
            if isNegated { return isKnownToBeThere ? [claim(.exists)] : nil }
            return [claim(.type(.null))]
        case (.json, .undefined): return isNegated ? [claim(.isDefined)] : nil
        case (.json, .literal(let literal)):
            let isScalar = literal.scalar != nil
            guard isScalar || isDeep, !isNegated || literal.type.map({ isKnown($0) }) == true else { return nil }
            return value.json.map { signed(.equals($0)) }
        case (.status, .literal(.number)), (.body, .literal(.string)), (.header, .literal(.string)):
            return value.json.map { signed(.equals($0)) }
        case (.json, .text), (.body, .text), (.header, .text): return isNegated ? nil : value.json.map { [claim(.equals($0))] }
        case (.length(let path), .literal(.number(let digits))):
            return isList(path, zero: digits == "0") ? signed(.equals(.number(digits))) : nil
        case (.header, .undefined): return [claim(isNegated ? .exists : .missing)]
        default: return nil
        }
    }

    /// The length of a list; of a text JavaScript counts other things, but none is none.
    private func isList(_ path: [ScriptValue.Step], zero: Bool) -> Bool {
        isKnown(.array, .json(path)) || zero && isKnown(.string, .json(path))
    }

    func claims(_ comparison: Matcher.Comparison, _ value: ScriptValue) -> [ScriptClaim]? {
        if let turned = turned(value) {
            let signs: [Matcher.Comparison: Matcher.Comparison] = [
                .less: .greater, .greater: .less, .atLeast: .atMost, .atMost: .atLeast,
            ]
            // What the number is compared with must be one: chai asks both.
            return signs[comparison].flatMap { turned.claims($0, subject) }
        }
        return operand(value).flatMap { compared(.compares(comparison, $0)) }
    }

    private func compared(_ matcher: Matcher) -> [ScriptClaim]? {
        switch subject {
        case .json, .status, .time, .size: signed(matcher)
        case .length(let path): isList(path, zero: matcher == .compares(.greater, .init("0"))) ? signed(matcher) : nil
        default: nil
        }
    }

    private func operand(_ value: ScriptValue) -> Matcher.Operand? {
        guard case .literal(.number(let digits)) = value else { return nil }
        return Matcher.Operand(subject == .time ? "\(digits)ms" : digits)
    }

    // MARK: Parts

    private func contains(_ part: ScriptValue, onlyTexts: Bool = false) -> [ScriptClaim]? {
        // `expect([200, 201]).to.include(code)`
        if !onlyTexts, !subject.isSubject, part.isSubject { return oneOf(subject, of: part) }
        switch part {
        case .literal(.string(let text)): if text.isEmpty { return nil }
        case .literal(.number): if onlyTexts || subject.path == nil { return nil }
        case .text: break
        default: return nil
        }
        guard let contains = part.json.map(Matcher.contains) else { return nil }
        switch subject {
        case .body: return signed(contains)
        case .header: return isNegated ? nil : [claim(contains)]
        case .json:
            let isText = isKnown(.string)
            if isNegated { return isText ? signed(contains) : nil }
            if isText || !onlyTexts && isKnown(.array) { return [claim(contains)] }
            return [claim(.all([onlyTexts ? .type(.string) : .isTextOrList, contains]))]
        default: return nil
        }
    }

    private func oneOf(_ values: ScriptValue, of subject: ScriptValue) -> [ScriptClaim]? {
        guard case .literal(.array(let items)) = values, !items.isEmpty else { return nil }
        var matchers: [Matcher] = []
        for item in items {
            switch (subject, item) {
            case (.json, .null): matchers.append(.type(.null))
            case (.json, .string), (.json, .number), (.json, .boolean), (.body, .string), (.header, .string), (.status, .number):
                guard let json = ScriptValue.literal(item).json else { return nil }
                matchers.append(.equals(json))
            default: return nil
            }
        }
        // This doesn't hold for a value that may be missing or of another type.
        guard !isNegated || subject == .status || subject == .body else { return nil }
        return signed(.any(matchers), subject)
    }
}
