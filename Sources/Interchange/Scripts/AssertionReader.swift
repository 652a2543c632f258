import RequestCollections

/// Reads what stands behind `expect(…)`.
struct AssertionReader {
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
        // This doesn't hold for a value that may be missing or of another type.
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
