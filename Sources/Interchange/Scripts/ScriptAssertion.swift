import RequestCollections

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
