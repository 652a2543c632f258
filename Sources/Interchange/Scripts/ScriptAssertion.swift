import RequestCollections

/// `pm.expect(x).to.be.a("text")`, taken apart.
struct AssertionChain {
    var links: [Link] = []

    struct Link: Hashable {
        var name: String
        /// `nil` for a word that isn't called.
        var arguments: [ScriptNode]?
    }

    /// Words that only make sentences (https://www.chaijs.com/api/bdd/).
    static let fillers: Set<String> = [
        "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same", "but", "does", "still",
    ]
}

/// What assertions claim, in the words of chai 4 and Postman's own. `nil` is what isn't understood as a whole, or can't be said exactly.
extension TestScript {
    typealias Links = [AssertionChain.Link]

    func assertion(_ node: ScriptNode) -> [ScriptClaim]? {
        var links: Links = []
        var node = node
        while true {
            if value(node) == .response { return Self.claimsOfResponse(links, value: value) }
            switch node {
            case .call(let callee, let arguments):
                if builtin(callee).map(Self.expects.contains) == true {
                    guard let subject = arguments.first else { return nil }
                    return claims(of: subject, links)
                }
                guard case .member(let inner, let name) = callee else { return nil }
                links.insert(.init(name: name, arguments: arguments), at: 0)
                node = inner
            case .member(let inner, let name):
                links.insert(.init(name: name, arguments: nil), at: 0)
                node = inner
            default: return nil
            }
        }
    }

    private func claims(of node: ScriptNode, _ links: Links) -> [ScriptClaim]? {
        if value(node) == .response { return Self.claimsOfResponse(links, value: value) }
        guard isCondition(node) else {
            var reader = AssertionReader(subject: value(node), script: self)
            return reader.read(links)
        }
        // `expect(a === 1).to.be.true` says what `a` is.
        let said = links.filter { !(AssertionChain.fillers.contains($0.name) && $0.arguments == nil) }
        guard said.count == 1, let word = said.first else { return nil }
        switch (word.name, word.arguments) {
        case ("true", nil): return claims(of: node, isNegated: false, isStrict: true)
        case ("ok", nil): return claims(of: node, isNegated: false, isStrict: false)
        case ("false", nil): return claims(of: node, isNegated: true, isStrict: true)
        case ("eql", let arguments?), ("equal", let arguments?), ("equals", let arguments?), ("eq", let arguments?):
            guard arguments.count == 1 else { return nil }
            switch value(arguments[0]) {
            case .literal(.boolean(let flag)): return claims(of: node, isNegated: !flag, isStrict: true)
            default: return nil
            }
        default: return nil
        }
    }

    // MARK: Conditions

    private func isCondition(_ node: ScriptNode) -> Bool {
        switch node {
        case .binary(let sign, _, _): sign != "+" && sign != "-"
        case .unary("!", _): true
        case .call: isTest(node)
        default: false
        }
    }

    /// Whether its value is true or false, whatever the response.
    private func isTest(_ node: ScriptNode) -> Bool {
        switch node {
        case .binary(let sign, let left, let right):
            if ["&&", "||"].contains(sign) { return isTest(left) && isTest(right) }
            return ["===", "!==", "==", "!=", "<", ">", "<=", ">="].contains(sign)
        case .unary("!", _): return true
        case .call(.member(let inner, let method), _):
            if case .hasHeader = value(node) { return true }
            return ["has", "includes"].contains(method) && value(inner) != .unknown
                || method == "isArray" && builtin(inner) == "Array"
        default: return false
        }
    }

    /// What holds when a condition does.
    ///
    /// - Parameters:
    ///   - isNegated: when it doesn't.
    ///   - isStrict: when it is `true` and not just something.
    func claims(of condition: ScriptNode, isNegated: Bool, isStrict: Bool) -> [ScriptClaim]? {
        switch condition {
        case .unary("!", let inner): return claims(of: inner, isNegated: !isNegated, isStrict: false)
        case .binary("&&", let left, let right):
            guard !isNegated, let one = claims(of: left, isNegated: false, isStrict: false),
                let two = claims(of: right, isNegated: false, isStrict: isStrict)
            else { return nil }
            return one + two
        case .binary("||", let left, let right):
            guard !isNegated, !isStrict || isTest(left), let one = claims(of: left, isNegated: false, isStrict: isStrict),
                let two = claims(of: right, isNegated: false, isStrict: isStrict), one.count == 1, two.count == 1,
                one[0].value == two[0].value
            else { return nil }
            let choices = one[0].matcher.choices + two[0].matcher.choices
            return [ScriptClaim(one[0].value, Matcher.any(choices))]
        case .binary(let sign, let left, let right): return comparison(left, sign, right, isNegated: isNegated)
        case .call(let callee, let arguments) where isTest(condition):
            return test(callee, arguments, of: condition, isNegated: isNegated)
        default:
            let value = value(condition)
            guard !isNegated else { return nil }
            switch value {
            case .json: return [ScriptClaim(value, isStrict ? .equals(.boolean(true)) : .isTruthy)]
            case .header where !isStrict: return [ScriptClaim(value, .not(.empty))]
            default: return nil
            }
        }
    }

    private func test(
        _ callee: ScriptNode, _ arguments: [ScriptNode], of condition: ScriptNode, isNegated: Bool
    ) -> [ScriptClaim]? {
        if case .hasHeader(let name) = value(condition) {
            return [ScriptClaim(.header(name), isNegated ? .missing : .exists)]
        }
        guard arguments.count == 1, case .member(let inner, let method) = callee else { return nil }
        if method == "isArray" {
            guard !isNegated, case .json = value(arguments[0]) else { return nil }
            return [ScriptClaim(value(arguments[0]), .type(.array))]
        }
        guard method == "includes" || value(inner) == .body else { return nil }
        var reader = AssertionReader(subject: value(inner), script: self)
        reader.isNegated = isNegated
        return reader.read([.init(name: "include", arguments: arguments)])
    }

    private static let comparisons: [String: (Matcher.Comparison, Matcher.Comparison)] = [
        "<": (.less, .greater), ">": (.greater, .less), "<=": (.atMost, .atLeast), ">=": (.atLeast, .atMost),
    ]

    private func comparison(_ left: ScriptNode, _ sign: String, _ right: ScriptNode, isNegated: Bool) -> [ScriptClaim]? {
        let (a, b) = (value(left), value(right))
        let isSwapped = !a.isSubject && b.isSubject
        let (subject, other) = isSwapped ? (b, a) : (a, b)
        var reader = AssertionReader(subject: subject, script: self)
        reader.isNegated = isNegated != sign.hasPrefix("!")
        switch sign {
        case "===", "!==": return reader.claims(equal: other)
        case "==", "!=":
            // Null and undefined are one to it, and a text of JSON may be a number.
            if other == .undefined || other == .literal(.null) {
                guard case .json = subject, reader.isNegated else { return nil }
                return [ScriptClaim(subject, .exists)]
            }
            if subject.path != nil, !subject.isType, !isNumber(subject) { return nil }
            return reader.claims(equal: other)
        default:
            guard let (straight, swapped) = Self.comparisons[sign], subject.path == nil || isNumber(subject) else { return nil }
            return reader.claims(isSwapped ? swapped : straight, other)
        }
    }

    private func isNumber(_ value: ScriptValue) -> Bool {
        switch value {
        case .length: true
        case .json: isKnown(value, to: .number)
        default: false
        }
    }
}

extension Matcher {
    fileprivate var choices: [Matcher] { if case .any(let matchers) = self { matchers } else { [self] } }
}

/// Reads what stands behind `expect(…)`.
private struct AssertionReader {
    var subject: ScriptValue
    let script: TestScript
    var isNegated = false
    private var isDeep = false
    /// `include.keys`
    private var isPartial = false
    private var isAny = false
    private var found: [ScriptClaim] = []

    init(subject: ScriptValue, script: TestScript) {
        self.subject = subject
        self.script = script
    }

    mutating func read(_ links: [AssertionChain.Link]) -> [ScriptClaim]? {
        for link in links {
            guard let arguments = link.arguments else {
                guard read(word: link.name) else { return nil }
                continue
            }
            guard let claims = claims(link.name, arguments.map(script.value)) else { return nil }
            found += claims
        }
        return found.isEmpty ? nil : found
    }

    /// One that isn't called.
    private mutating func read(word: String) -> Bool {
        if AssertionChain.fillers.contains(word) { return true }
        switch word {
        case "not": isNegated = true
        case "deep": isDeep = true
        case "all": isAny = false
        case "any": isAny = true
        case "include", "contain", "includes", "contains": isPartial = true
        case "own": break
        case "length", "lengthOf":
            guard case .json(let path) = subject, isKnown(.array) else { return false }
            subject = .length(path)
        default:
            guard let claim = state(word) else { return false }
            found.append(claim)
        }
        return true
    }

    // MARK: What is known

    /// From this assertion, or others.
    private func isKnown(_ type: Matcher.ValueType, _ value: ScriptValue? = nil) -> Bool {
        let value = value ?? subject
        return found.contains { $0.value == value && $0.matcher.implies(type) } || script.isKnown(value, to: type)
    }

    private var isKnownToBeThere: Bool {
        found.contains { $0.value == subject && ($0.matcher == .isDefined || $0.matcher.impliesPresence) }
            || script.isKnownToBeThere(subject)
    }

    // MARK: Words

    private func state(_ word: String) -> ScriptClaim? {
        switch (subject, word, isNegated) {
        case (.json, "true", false), (.json, "false", false): return claim(.equals(.boolean(word == "true")))
        case (.json, "null", false): return claim(.type(.null))
        case (.json, "null", true): return isKnownToBeThere ? claim(.exists) : nil
        case (.json, "undefined", true): return claim(.isDefined)
        case (.json, "exist", false): return claim(.exists)
        case (.json, "ok", false): return claim(.isTruthy)
        case (.json, "empty", _), (.body, "empty", _), (.header, "empty", _): return claim(isNegated ? .not(.empty) : .empty)
        case (.header, "exist", false), (.header, "undefined", true): return claim(.exists)
        case (.header, "exist", true), (.header, "undefined", false): return claim(.missing)
        case (.header, "ok", false), (.body, "ok", false): return claim(.not(.empty))
        case (.hasHeader(let name), "true", false), (.hasHeader(let name), "ok", false): return ScriptClaim(.header(name), .exists)
        case (.hasHeader(let name), "false", false): return ScriptClaim(.header(name), .missing)
        default: return nil
        }
    }

    private func claim(_ matcher: Matcher) -> ScriptClaim { ScriptClaim(subject, matcher) }

    private mutating func claims(_ word: String, _ arguments: [ScriptValue]) -> [ScriptClaim]? {
        switch word {
        case "property", "ownProperty", "haveOwnProperty": return property(arguments)
        case "keys", "key": return keys(arguments)
        case "within":
            guard arguments.count >= 2, let low = operand(arguments[0]), let high = operand(arguments[1]) else { return nil }
            return compared(.range(low, high))
        case "above", "gt", "greaterThan": return arguments.first.flatMap { claims(.greater, $0) }
        case "below", "lt", "lessThan": return arguments.first.flatMap { claims(.less, $0) }
        case "least", "gte": return arguments.first.flatMap { claims(.atLeast, $0) }
        case "most", "lte": return arguments.first.flatMap { claims(.atMost, $0) }
        default: break
        }
        guard let first = arguments.first, arguments.count == 1 else { return nil }
        switch word {
        case "eql": return claims(equal: first, isDeep: true)
        case "equal", "equals", "eq": return claims(equal: first, isDeep: isDeep)
        case "a", "an": return type(first)
        case "include", "contain", "includes", "contains": return isDeep ? nil : contains(first)
        case "string": return contains(first, onlyTexts: true)
        case "match", "matches": return matches(first)
        case "oneOf": return isPartial || isDeep ? nil : oneOf(first, of: subject)
        case "length", "lengthOf":
            guard case .json(let path) = subject, isKnown(.array), case .literal(.number(let digits)) = first else { return nil }
            let matcher = Matcher.equals(.number(digits))
            return [ScriptClaim(.length(path), isNegated ? .not(matcher) : matcher)]
        default: return nil
        }
    }

    private mutating func property(_ arguments: [ScriptValue]) -> [ScriptClaim]? {
        guard !isNegated, !arguments.isEmpty, case .json(let path) = subject, case .literal(.string(let name)) = arguments[0],
            case .json = TestScript.part(name, of: path)
        else { return nil }
        subject = TestScript.part(name, of: path)
        guard arguments.count > 1 else { return [claim(.isDefined)] }
        // A value that isn't there has no value.
        return claims(equal: arguments[1], isDeep: isDeep)
    }

    private func keys(_ arguments: [ScriptValue]) -> [ScriptClaim]? {
        guard !isNegated, !isAny, case .json(let path) = subject else { return nil }
        var names: [String] = []
        for argument in arguments {
            switch argument {
            case .literal(.string(let name)): names.append(name)
            case .literal(.array(let values)) where arguments.count == 1:
                names = values.compactMap(\.string)
                guard names.count == values.count else { return nil }
            default: return nil
            }
        }
        guard !names.isEmpty, Set(names).count == names.count else { return nil }
        guard !isPartial else {
            let parts = names.map { TestScript.part($0, of: path) }
            return parts.contains(.unknown) ? nil : parts.map { ScriptClaim($0, .isDefined) }
        }
        let sorted = names.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
        return [ScriptClaim(.keys(path), .equals(.array(sorted.map { .string(TemplateText($0).text) })))]
    }

    // MARK: Comparisons

    func claims(equal value: ScriptValue, isDeep: Bool = false) -> [ScriptClaim]? {
        // The two may stand the wrong way around.
        if !subject.isSubject, value.isSubject {
            var turned = self
            turned.subject = value
            return turned.claims(equal: subject, isDeep: isDeep)
        }
        func claims(_ matcher: Matcher) -> [ScriptClaim] { [claim(isNegated ? .not(matcher) : matcher)] }
        switch (subject, value) {
        case (.typeOf(let inner), .literal(.string(let name))):
            guard !isNegated else { return name == "undefined" ? [ScriptClaim(inner, .isDefined)] : nil }
            return typeOf(name, inner)
        case (.json, .literal(.null)):
            if isNegated { return isKnownToBeThere ? [claim(.exists)] : nil }
            return [claim(.type(.null))]
        case (.json, .undefined): return isNegated ? [claim(.isDefined)] : nil
        case (.json, .literal(let literal)):
            if !literal.isScalar, !isDeep { return nil }
            guard !isNegated || literal.type.map({ isKnown($0) }) == true, let json = value.json else { return nil }
            return claims(.equals(json))
        case (.json, .text(let text)): return isNegated ? nil : [claim(.equals(.string(text)))]
        case (.status, .literal(.number)): return value.json.map { claims(.equals($0)) }
        case (.length(let path), .literal(.number(let digits))):
            return isList(path, zero: digits == "0") ? claims(.equals(.number(digits))) : nil
        case (.body, .literal(.string)), (.header, .literal(.string)): return value.json.map { claims(.equals($0)) }
        case (.body, .text), (.header, .text): return isNegated ? nil : value.json.map { claims(.equals($0)) }
        case (.header, .undefined): return [claim(isNegated ? .exists : .missing)]
        case (.hasHeader(let name), .literal(.boolean(let flag))):
            return isNegated ? nil : [ScriptClaim(.header(name), flag ? .exists : .missing)]
        default: return nil
        }
    }

    /// The length of a list; of a text JavaScript counts other things, but none is none.
    private func isList(_ path: [ScriptValue.Step], zero: Bool) -> Bool {
        isKnown(.array, .json(path)) || zero && isKnown(.string, .json(path))
    }

    func claims(_ sign: Matcher.Comparison, _ value: ScriptValue) -> [ScriptClaim]? {
        if !subject.isSubject, value.isSubject {
            var turned = self
            turned.subject = value
            let signs: [Matcher.Comparison: Matcher.Comparison] = [
                .less: .greater, .greater: .less, .atLeast: .atMost, .atMost: .atLeast,
            ]
            // What the number is compared with must be one: chai asks both.
            return signs[sign].flatMap { turned.claims($0, subject) }
        }
        return operand(value).flatMap { compared(.compares(sign, $0)) }
    }

    private func compared(_ matcher: Matcher) -> [ScriptClaim]? {
        switch subject {
        case .json, .status, .time, .size: break
        case .length(let path):
            let isZero = matcher == .compares(.greater, .init("0"))
            guard isList(path, zero: isZero) else { return nil }
        default: return nil
        }
        return [claim(isNegated ? .not(matcher) : matcher)]
    }

    private func operand(_ value: ScriptValue) -> Matcher.Operand? {
        guard case .literal(.number(let digits)) = value else { return nil }
        return Matcher.Operand(subject == .time ? "\(digits)ms" : digits)
    }

    // MARK: Types and parts

    private func type(_ value: ScriptValue) -> [ScriptClaim]? {
        guard case .json = subject, case .literal(.string(let name)) = value else { return nil }
        guard let type = Matcher.ValueType(rawValue: name.lowercased()), !type.isAboutMore, type != .integer else { return nil }
        guard isNegated else { return [claim(.type(type))] }
        return isKnownToBeThere ? [claim(.not(.type(type)))] : nil
    }

    private func typeOf(_ name: String, _ value: ScriptValue) -> [ScriptClaim]? {
        guard case .json = value else { return nil }
        switch name {
        case "string", "number", "boolean": return Matcher.ValueType(rawValue: name).map { [ScriptClaim(value, .type($0))] }
        case "object": return [ScriptClaim(value, .any([.type(.object), .type(.array), .type(.null)]))]
        default: return nil
        }
    }

    private func contains(_ part: ScriptValue, onlyTexts: Bool = false) -> [ScriptClaim]? {
        // `expect([200, 201]).to.include(code)`
        if !onlyTexts, !subject.isSubject, part.isSubject { return oneOf(subject, of: part) }
        switch part {
        case .literal(.string(let text)): if text.isEmpty { return nil }
        case .literal(.number): if onlyTexts || subject.path == nil { return nil }
        case .text: break
        default: return nil
        }
        guard let json = part.json else { return nil }
        let contains = Matcher.contains(json)
        switch subject {
        case .body: return [claim(isNegated ? .not(contains) : contains)]
        case .header: return isNegated ? nil : [claim(contains)]
        case .json:
            let isText = isKnown(.string)
            if isNegated { return isText ? [claim(.not(contains))] : nil }
            if isText || !onlyTexts && isKnown(.array) { return [claim(contains)] }
            return [claim(.all([onlyTexts ? .type(.string) : .isTextOrList, contains]))]
        default: return nil
        }
    }

    private func matches(_ pattern: ScriptValue) -> [ScriptClaim]? {
        guard case .regex(let pattern, let ignoringCase) = pattern else { return nil }
        let matcher = Matcher.matches((ignoringCase ? "(?i)" : "") + pattern, ignoringCase: false)
        switch subject {
        case .body: break
        case .json: guard isKnown(.string) else { return nil }
        case .header: guard !isNegated, !ScriptPattern.findsNothing(pattern, ignoringCase: ignoringCase) else { return nil }
        default: return nil
        }
        return [claim(isNegated ? .not(matcher) : matcher)]
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
        // Not of what may be missing, or of another type.
        guard !isNegated || subject == .status || subject == .body else { return nil }
        return [ScriptClaim(subject, isNegated ? .not(.any(matchers)) : .any(matchers))]
    }
}

extension JSONValue {
    fileprivate var isScalar: Bool {
        switch self {
        case .null, .boolean, .number, .string: true
        case .array, .object: false
        }
    }

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

extension ScriptValue {
    fileprivate var isType: Bool { if case .typeOf = self { true } else { false } }
}

// MARK: Of the response

extension TestScript {
    private static let states: [String: Matcher] = [
        "ok": .equals(.number("200")), "success": .statusClass(2), "info": .statusClass(1), "redirection": .statusClass(3),
        "clientError": .statusClass(4), "serverError": .statusClass(5), "error": .any([.statusClass(4), .statusClass(5)]),
        "accepted": .equals(.number("202")), "withoutContent": .equals(.number("204")), "badRequest": .equals(.number("400")),
        "unauthorized": .equals(.number("401")), "forbidden": .equals(.number("403")), "notFound": .equals(.number("404")),
        "rateLimited": .equals(.number("429")),
    ]

    /// The reasons of RFC 9110 that scripts name instead of numbers.
    private static let reasons = [
        "OK": 200, "Created": 201, "Accepted": 202, "No Content": 204, "Not Modified": 304, "Bad Request": 400, "Unauthorized": 401,
        "Forbidden": 403, "Not Found": 404, "Method Not Allowed": 405, "Conflict": 409, "Internal Server Error": 500,
    ]

    /// `pm.response.to.have.status(200)`, `pm.response.to.be.json`.
    fileprivate static func claimsOfResponse(_ links: Links, value: (ScriptNode) -> ScriptValue) -> [ScriptClaim]? {
        var found: [ScriptClaim] = []
        var isNegated = false
        guard links.first?.name == "to" || links.first?.name == "not" else { return nil }
        for link in links {
            if AssertionChain.fillers.contains(link.name), link.arguments == nil { continue }
            if link.name == "not", link.arguments == nil {
                isNegated = true
            } else if link.arguments == nil, let matcher = states[link.name] {
                found.append(ScriptClaim(.status, isNegated ? .not(matcher) : matcher))
            } else {
                guard let claim = claim(link.name, link.arguments?.map(value), isNegated) else { return nil }
                found.append(claim)
            }
        }
        return found.isEmpty ? nil : found
    }

    private static func claim(_ word: String, _ arguments: [ScriptValue]?, _ isNegated: Bool) -> ScriptClaim? {
        func claim(_ value: ScriptValue, _ matcher: Matcher) -> ScriptClaim {
            ScriptClaim(value, isNegated ? .not(matcher) : matcher)
        }
        guard let arguments else {
            switch word {
            case "json": return isNegated ? nil : ScriptClaim(.json([]), .isDefined)
            case "withBody": return ScriptClaim(.body, isNegated ? .empty : .not(.empty))
            default: return nil
            }
        }
        switch (word, arguments.first) {
        case ("status", .literal(.number(let digits))?): return claim(.status, .equals(.number(digits)))
        case ("status", .literal(.string(let reason))?): return reasons[reason].map { claim(.status, .equals(.number("\($0)"))) }
        case ("header", .literal(.string(let name))?):
            if arguments.count == 1 { return ScriptClaim(.header(name), isNegated ? .missing : .exists) }
            guard !isNegated, case .literal(.string) = arguments[1] else { return nil }
            return arguments[1].json.map { ScriptClaim(.header(name), .equals($0)) }
        case ("body", nil): return ScriptClaim(.body, isNegated ? .empty : .not(.empty))
        case ("body", .literal(.string)?): return arguments[0].json.map { claim(.body, .equals($0)) }
        case ("body", .regex(let pattern, let ignoringCase)?):
            return claim(.body, .matches((ignoringCase ? "(?i)" : "") + pattern, ignoringCase: false))
        case ("jsonBody", nil): return isNegated ? nil : ScriptClaim(.json([]), .isDefined)
        case ("jsonBody", .literal(.string(let name))?):
            // More than a name is a path there, or a name with dots in it.
            guard !isNegated, name.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil else { return nil }
            let part = part(name, of: [])
            guard case .json = part else { return nil }
            guard arguments.count > 1 else { return ScriptClaim(part, .isDefined) }
            guard case .literal(let literal) = arguments[1] else { return nil }
            return literal == .null ? ScriptClaim(part, .type(.null)) : arguments[1].json.map { ScriptClaim(part, .equals($0)) }
        default: return nil
        }
    }
}
