import RequestCollections

/// That a value is what it must be.
struct ScriptClaim: Hashable {
    var value: ScriptValue
    var matcher: Matcher

    init(_ value: ScriptValue, _ matcher: Matcher) {
        self.value = value
        self.matcher = matcher
    }
}

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
        case .equals(let value), .not(.equals(let value)):
            switch (value, type) {
            case (.string(let text), .string): !Template.isIn(text)
            case (.number, .number), (.boolean, .boolean), (.array, .array), (.object, .object): true
            default: false
            }
        case .compares, .range, .not(.compares), .not(.range): type == .number
        case .matches, .not(.matches): type == .string
        case .all(let matchers): matchers.contains { $0.implies(type) }
        case .any(let matchers): !matchers.isEmpty && matchers.allSatisfy { $0.implies(type) }
        default: false
        }
    }
}

/// `pm.expect(x).to.be.a("text")`, taken apart.
enum AssertionChain {
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

// MARK: The response itself

/// What a script says of the response itself: `pm.response.to.have.status(200)`.
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
    static func claimsOfResponse(_ links: Links, value: (ScriptNode) -> ScriptValue) -> [ScriptClaim]? {
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
