import RequestCollections

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
