import RequestCollections

/// `pm.expect(x).to.be.a("text")`, taken apart.
struct AssertionChain {
    /// What stands in `expect(…)`; `nil`: the chain begins at ``root``, as in `pm.response.to.have.status(200)`.
    var subject: ScriptNode?
    var root: ScriptNode
    var links: [Link] = []

    struct Link: Hashable {
        var name: String
        /// `nil` for a word that isn't called.
        var arguments: [ScriptNode]?
    }

    init?(_ node: ScriptNode) {
        var node = node
        while true {
            switch node {
            case .call(let callee, let arguments)
            where ["pm.expect", "insomnia.expect", "expect", "chai.expect"].contains(TestScript.path(callee) ?? ""):
                guard let first = arguments.first else { return nil }
                subject = first
                root = callee
                return
            case .call(.member(let inner, let name), let arguments):
                links.insert(Link(name: name, arguments: arguments), at: 0)
                node = inner
            case .member(let inner, let name) where name == "response" || name == "body":
                root = .member(inner, name)
                return
            case .member(let inner, let name):
                links.insert(Link(name: name, arguments: nil), at: 0)
                node = inner
            case .name:
                root = node
                return
            default: return nil
            }
        }
    }

    /// Words that only make sentences (https://www.chaijs.com/api/bdd/).
    static func isFiller(_ word: String) -> Bool {
        [
            "to", "be", "been", "is", "that", "which", "and", "has", "have", "with", "at", "of", "same", "deep", "but", "does",
            "still", "own",
        ]
        .contains(word)
    }
}

/// What assertions become.
enum ScriptAssertion {
    typealias Links = [AssertionChain.Link]

    /// - Returns: `nil` for what isn't understood as a whole.
    static func of(_ subject: ScriptValue, _ links: Links, value: (ScriptNode) -> ScriptValue) -> [ExpectationDefinition]? {
        var subject = subject
        var found: [ExpectationDefinition] = []
        var isNegated = false
        var flags: Set<String> = []
        for link in links {
            if AssertionChain.isFiller(link.name), link.arguments == nil { continue }
            if link.name == "not", link.arguments == nil {
                isNegated = true
                continue
            }
            let arguments = link.arguments?.map(value)
            func add(_ matcher: Matcher?, to other: ScriptValue? = nil) -> Bool {
                guard let matcher, let expectation = (other ?? subject).expectation(isNegated ? .not(matcher) : matcher) else {
                    return false
                }
                found.append(expectation)
                return true
            }
            if ["property", "ownProperty", "haveOwnProperty", "hasOwnProperty"].contains(link.name) {
                guard case .json(let path) = subject, case .literal(.string(let name))? = arguments?.first else { return nil }
                subject = .json(path + [.name(name)])
                let matcher = arguments.flatMap { $0.count > 1 ? equal(to: $0[1], for: subject) : .exists }
                guard add(matcher) else { return nil }
            } else if ["eql", "equal", "equals", "eq"].contains(link.name), let other = arguments?.first {
                // The two may stand the wrong way around.
                if !subject.isSubject, other.isSubject {
                    guard add(equal(to: subject, for: other), to: other) else { return nil }
                } else {
                    guard add(equal(to: other, for: subject)) else { return nil }
                }
            } else if ["all", "any", "include", "includes", "contain", "contains"].contains(link.name), link.arguments == nil {
                flags.insert(link.name)
            } else if ["keys", "key"].contains(link.name) {
                guard let names = arguments.flatMap(keys), let matcher = keys(names, flags), case .json(let path) = subject else {
                    return nil
                }
                let filter = ExpectationSubject.filter("\(ScriptValue.filter(path)) | keys")
                found.append(ExpectationDefinition(filter, isNegated ? .not(matcher) : matcher, location: .none))
            } else {
                guard add(matcher(link.name, arguments, for: subject)) else { return nil }
            }
        }
        return found.isEmpty ? nil : found
    }

    /// The names that `keys("a", "b")`, `keys(["a", "b"])` and `keys({ a: 1 })` are about; `nil` where one isn't known.
    private static func keys(_ arguments: [ScriptValue]) -> [String]? {
        var names: [String] = []
        for argument in arguments {
            switch argument {
            case .literal(.string(let name)): names.append(name)
            case .literal(.array(let items)) where items.allSatisfy { $0.string != nil }: names += items.compactMap(\.string)
            case .literal(.object(let members)): names += members.map(\.name)
            default: return nil
            }
        }
        return names.isEmpty ? nil : names
    }

    /// Of all keys of an object, as jq's `keys` sorts them: those names and no others, unless some of them are enough, or it includes them.
    private static func keys(_ names: [String], _ flags: Set<String>) -> Matcher? {
        let names = Set(names).sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
        let contained = names.map { Matcher.contains(.string($0)) }
        if flags.contains("any") { return contained.count == 1 ? contained[0] : .any(contained) }
        if flags.isDisjoint(with: ["include", "includes", "contain", "contains"]) {
            return .equals(.array(names.map(JSONValue.string)))
        }
        return contained.count == 1 ? contained[0] : .all(contained)
    }

    /// What JavaScript takes for true: of JSON neither false nor 0 nor "" nor null; of anything else what is there.
    static func truthy(_ subject: ScriptValue) -> Matcher {
        guard case .filter? = subject.expectation(.exists)?.subject else { return .exists }
        return .any([
            .equals(.boolean(true)), .not(.equals(.number("0"))), .not(.equals(.string(""))), .type(.object), .type(.array),
        ])
    }

    private static func matcher(_ word: String, _ arguments: [ScriptValue]?, for subject: ScriptValue) -> Matcher? {
        let first = arguments?.first
        switch (word, first) {
        case ("true", nil), ("false", nil): return .equals(.boolean(word == "true"))
        case ("null", nil), ("undefined", nil): return .missing
        case ("exist", nil): return .exists
        case ("ok", nil): return truthy(subject)
        case ("empty", nil): return .empty
        case ("a", .literal(.string(let name))?), ("an", .literal(.string(let name))?): return type(name)
        case ("include", let value?), ("contain", let value?), ("includes", let value?), ("contains", let value?),
            ("string", let value?):
            return value.json.map(Matcher.contains)
        case ("match", .regex(let pattern, let ignoringCase)?), ("matches", .regex(let pattern, let ignoringCase)?):
            return .matches((ignoringCase ? "(?i)" : "") + pattern, ignoringCase: false)
        case ("oneOf", .literal(.array(let values))?): return .any(values.map { Matcher.equals($0) })
        case ("length", .literal(.number(let digits))?), ("lengthOf", .literal(.number(let digits))?):
            return .length(.equals(.number(digits)))
        case ("above", let value?), ("gt", let value?), ("greaterThan", let value?):
            return comparison(.greater, value, for: subject)
        case ("below", let value?), ("lt", let value?), ("lessThan", let value?): return comparison(.less, value, for: subject)
        case ("least", let value?), ("gte", let value?): return comparison(.atLeast, value, for: subject)
        case ("most", let value?), ("lte", let value?): return comparison(.atMost, value, for: subject)
        case ("within", let low?):
            guard let arguments, arguments.count == 2, let low = operand(low, for: subject),
                let high = operand(arguments[1], for: subject)
            else { return nil }
            return .range(low, high)
        default: return nil
        }
    }

    private static func type(_ name: String) -> Matcher? {
        Matcher.ValueType(rawValue: name.lowercased()).map { $0 == .null ? .missing : .type($0) }
            ?? (name == "undefined" ? .missing : nil)
    }

    private static func operand(_ value: ScriptValue, for subject: ScriptValue) -> Matcher.Operand? {
        guard case .literal(.number(let digits)) = value else { return nil }
        return Matcher.Operand(subject == .time ? "\(digits)ms" : digits)
    }

    private static func comparison(_ sign: Matcher.Comparison, _ value: ScriptValue, for subject: ScriptValue) -> Matcher? {
        operand(value, for: subject).map { .compares(sign, $0) }
    }

    static func equal(to value: ScriptValue, for subject: ScriptValue) -> Matcher? {
        switch value {
        case .undefined, .literal(.null): return .missing
        case .literal(.string(let name)) where subject.isType: return type(name)
        default: return value.json.map { Matcher.equals($0) }
        }
    }

    /// - Parameter isSwapped: the subject stands behind the sign.
    static func matcher(_ sign: String, _ other: ScriptValue, isSwapped: Bool, for subject: ScriptValue) -> Matcher? {
        let signs: [String: (Matcher.Comparison, Matcher.Comparison)] = [
            "<": (.less, .greater), ">": (.greater, .less), "<=": (.atMost, .atLeast), ">=": (.atLeast, .atMost),
        ]
        switch sign {
        case "===", "==": return equal(to: other, for: subject)
        case "!==", "!=":
            let matcher = equal(to: other, for: subject)
            return matcher == .missing ? .exists : matcher.map { .not($0) }
        default: return signs[sign].flatMap { comparison(isSwapped ? $0.1 : $0.0, other, for: subject) }
        }
    }

    // MARK: Of the response

    private static let states: [String: Matcher] = [
        "ok": .statusClass(2), "success": .statusClass(2), "info": .statusClass(1), "redirection": .statusClass(3),
        "clientError": .statusClass(4), "serverError": .statusClass(5),
        "error": .compares(.atLeast, Matcher.Operand("400")), "accepted": .equals(.number("202")),
        "badRequest": .equals(.number("400")), "unauthorized": .equals(.number("401")), "forbidden": .equals(.number("403")),
        "notFound": .equals(.number("404")), "rateLimited": .equals(.number("429")),
    ]

    /// The reasons of RFC 9110 that scripts name instead of numbers.
    private static let reasons = [
        "OK": 200, "Created": 201, "Accepted": 202, "No Content": 204, "Not Modified": 304, "Bad Request": 400, "Unauthorized": 401,
        "Forbidden": 403, "Not Found": 404, "Method Not Allowed": 405, "Conflict": 409, "Internal Server Error": 500,
    ]

    /// `pm.response.to.have.status(200)`, `pm.response.to.be.json`.
    static func ofResponse(_ links: Links, value: (ScriptNode) -> ScriptValue) -> [ExpectationDefinition]? {
        var found: [ExpectationDefinition] = []
        var isNegated = false
        for link in links {
            if AssertionChain.isFiller(link.name), link.arguments == nil { continue }
            if link.name == "not", link.arguments == nil {
                isNegated = true
                continue
            }
            guard let (subject, matcher) = expectation(link, value) else { return nil }
            found.append(ExpectationDefinition(subject, isNegated ? .not(matcher) : matcher, location: .none))
        }
        return found.isEmpty ? nil : found
    }

    private static func expectation(
        _ link: AssertionChain.Link, _ value: (ScriptNode) -> ScriptValue
    ) -> (ExpectationSubject, Matcher)? {
        let arguments = link.arguments?.map(value) ?? []
        if arguments.isEmpty, let matcher = states[link.name] { return (.status, matcher) }
        switch (link.name, arguments.first) {
        case ("json", nil): return (.header("content-type"), .matches("json", ignoringCase: false))
        case ("withBody", nil), ("body", nil): return (.body, .not(.empty))
        case ("status", .literal(.number(let digits))?): return (.status, .equals(.number(digits)))
        case ("status", .literal(.string(let reason))?):
            return reasons[reason].map { (.status, .equals(.number("\($0)"))) }
        case ("header", .literal(.string(let name))?):
            guard arguments.count > 1 else { return (.header(name.lowercased()), .exists) }
            return arguments[1].json.map { (.header(name.lowercased()), .equals($0)) }
        case ("body", let text?): return text.json.map { (.body, .equals($0)) }
        case ("jsonBody", nil): return (.filter("."), .exists)
        case ("jsonBody", .literal(.string(let name))?):
            let filter = ScriptValue.filter(name.split(separator: ".").map { .name(String($0)) })
            guard arguments.count > 1 else { return (.filter(filter), .exists) }
            return arguments[1].json.map { (.filter(filter), .equals($0)) }
        default: return nil
        }
    }
}

extension ScriptValue {
    fileprivate var isType: Bool { if case .typeOf = self { true } else { false } }
}
