import Base
import NetworkLayer
import RequestCollections

/// What stands behind the query of a line of `[Asserts]`.
struct HurlPredicate {
    /// The value that it is about; it may need a step.
    var value: HurlValue
    private(set) var matcher = Matcher.exists
    private let translate: (String) -> TemplateText

    /// - Parameters:
    ///   - tokens: all that is left of the line.
    ///   - translate: makes templates ours.
    init(
        _ tokens: ArraySlice<HurlToken>, of value: HurlValue, _ translate: @escaping (String) -> TemplateText
    ) throws(HurlProblem) {
        self.value = value
        self.translate = translate
        var tokens = tokens
        var isNegated = false
        while tokens.first == .word("not") {
            tokens.removeFirst()
            isNegated.toggle()
        }
        guard case .word(let name)? = tokens.popFirst() else { throw HurlProblem("it says nothing about the value") }
        matcher = try matcher(Self.names[name] ?? name, tokens.first, isNegated)
        // Where there is none, the line fails whatever it says.
        if value.isInteger, isNegated || !value.steps.isEmpty { matcher = .all([.type(.integer), matcher]) }
        guard tokens.count <= 1 else { throw HurlProblem("there is more in it than is understood") }
    }

    /// The longer names of earlier versions.
    private static let names = [
        "equals": "==", "notEquals": "!=", "greaterThan": ">", "greaterThanOrEquals": ">=", "lessThan": "<",
        "lessThanOrEquals": "<=", "includes": "contains", "countEquals": "count",
    ]

    private mutating func matcher(_ name: String, _ token: HurlToken?, _ isNegated: Bool) throws(HurlProblem) -> Matcher {
        if value.isCount { return try count(name, token, isNegated) }
        if let days = value.days { return try self.days(days, name, token, isNegated) }
        if case .cookieAttribute(_, let attribute) = value.subject, attribute == .secure || attribute == .httpOnly, name == "exists"
        {
            return .equals(.boolean(!isNegated))
        }
        switch name {
        case "exists": return exists(isNegated)
        case "isEmpty" where isXPath:
            toCount()
            return isNegated ? .compares(.greater, .init("0")) : .equals(.number("0"))
        case "isEmpty" where value.subject == .redirects: return negated(.equals(.number("0")), isNegated)
        case "isEmpty" where value.isBytes: return .length(negated(.equals(.number("0")), isNegated))
        case "isEmpty": return negated(.empty, isNegated)
        case "==": return try equal(token, isNegated)
        case "!=": return try equal(token, !isNegated)
        case ">", ">=", "<", "<=":
            guard let sign = Matcher.Comparison(rawValue: name) else { break }
            if case .text(let text)? = token, text.prefixMatch(of: /\d{4}-\d\d-\d\d/) == nil, text.firstRange(of: "{{") == nil,
                value.compareText(name, text, isNegated: isNegated)
            {
                return .equals(.boolean(true))
            }
            return negated(.compares(sign, try operand(token)), isNegated)
        case "contains", "startsWith", "endsWith", "matches": return negated(try part(name, token), isNegated)
        default: return negated(try type(name), isNegated)
        }
        throw HurlProblem("there is no predicate `\(name)`")
    }

    private func negated(_ matcher: Matcher, _ isNegated: Bool) -> Matcher { isNegated ? .not(matcher) : matcher }

    private var isXPath: Bool { if case .filter(let filter) = value.subject { filter.hasPrefix("xpath:") } else { false } }

    private var isJSON: Bool {
        if case .filter(let filter) = value.subject { !filter.hasPrefix("xpath:") && !filter.hasPrefix("/") } else { false }
    }

    /// A null is there, as a member with that value.
    private func exists(_ isNegated: Bool) -> Matcher {
        guard isJSON else { return isNegated ? .missing : .exists }
        return negated(.isDefined, isNegated)
    }

    // MARK: Numbers of things, and days

    private mutating func toCount() {
        if case .filter(let filter) = value.subject { value.subject = .filter("xpath:count(\(filter.dropFirst("xpath:".count)))") }
    }

    private mutating func count(_ name: String, _ token: HurlToken?, _ isNegated: Bool) throws(HurlProblem) -> Matcher {
        let matcher: Matcher
        switch name {
        case "==", "!=":
            guard case .number(let digits)? = token else { throw HurlProblem("a number of things is compared with a number") }
            matcher = negated(.equals(.number(digits)), isNegated != (name == "!="))
        case ">", ">=", "<", "<=":
            guard case .number(let digits)? = token, let sign = Matcher.Comparison(rawValue: name) else {
                throw HurlProblem("a number of things is compared with a number")
            }
            matcher = negated(.compares(sign, .init(digits)), isNegated)
        default: throw HurlProblem("a number of things is compared with a number")
        }
        if value.subject == .redirects { return matcher }
        if value.isBytes, value.steps.isEmpty {
            value.subject = .size
            return matcher
        }
        guard isXPath, value.steps.isEmpty else { return .length(matcher) }
        toCount()
        return matcher
    }

    /// Days are whole ones: more than 15 are 16 at least.
    private func days(
        _ days: HurlValue.Days, _ name: String, _ token: HurlToken?, _ isNegated: Bool
    ) throws(HurlProblem) -> Matcher {
        guard case .number(let digits)? = token, let count = Int(digits), abs(count) < 1_000_000 else {
            throw HurlProblem("days are compared with a number")
        }
        func bound(_ count: Int) -> Matcher.Operand {
            let later = (days == .after) == (count >= 0)
            return .init("now \(later ? "+" : "-") \(abs(count))d")
        }
        let isAtLeast = days == .after ? Matcher.Comparison.atLeast : .atMost
        let isBelow = days == .after ? Matcher.Comparison.less : .greater
        let matcher: Matcher
        switch name {
        case ">": matcher = .compares(isAtLeast, bound(count + 1))
        case ">=": matcher = .compares(isAtLeast, bound(count))
        case "<": matcher = .compares(isBelow, bound(count))
        case "<=": matcher = .compares(isBelow, bound(count + 1))
        case "==": matcher = .all([.compares(isAtLeast, bound(count)), .compares(isBelow, bound(count + 1))])
        default: throw HurlProblem("days are compared with a number")
        }
        return negated(matcher, isNegated)
    }

    // MARK: Values

    private mutating func equal(_ token: HurlToken?, _ isNegated: Bool) throws(HurlProblem) -> Matcher {
        if case .bytes(let bytes)? = token {
            toHexadecimal()
            return negated(.equals(.string(HurlText.hexadecimal(bytes))), isNegated)
        }
        if case .httpVersion = value.subject, value.steps.count == 1 { value.steps = [] }
        let json = try self.json(token)
        if json == .null { return isNegated ? .exists : .type(.null) }
        if case .time = value.subject, case .number(let digits) = json {
            return negated(.equals(.string("\(digits)ms")), isNegated)
        }
        if case .cookieAttribute(_, .maxAge) = value.subject {
            return negated(.equals(.string("\(json.plain)s")), isNegated)
        }
        if case .cookieAttribute(_, .expires) = value.subject {
            return negated(.compares(.equal, .init(try date(json.plain))), isNegated)
        }
        if case .tls("valid-from") = value.subject { return negated(.compares(.equal, .init(json.plain)), isNegated) }
        if case .tls("valid-until") = value.subject { return negated(.compares(.equal, .init(json.plain)), isNegated) }
        return negated(.equals(json), isNegated)
    }

    /// A text that `dateFormat` is to make of a date is that date, if all of it is in the text.
    private mutating func date(_ text: String) throws(HurlProblem) -> String {
        guard case .date(let form)? = value.steps.last else { return text }
        let zone = " GMT"
        let isKnown = value.steps.count == 1 && ["%a, %d %b %Y %H:%M:%S", "%a, %d %b %Y %H:%M:%S GMT"].contains(form)
        let whole = form.hasSuffix(zone) ? text : text + zone
        guard isKnown, let date = HTTPDate.parse(whole), HTTPDate.string(from: date) == whole else {
            throw HurlProblem("a cookie's end is compared as a date, and `\(text)` isn't one as `%a, %d %b %Y %H:%M:%S` writes it")
        }
        value.steps = []
        return whole
    }

    private mutating func toHexadecimal() {
        guard value.isBytes, value.steps.last != .word(.hex) else { return }
        if !value.isDigest { value.steps.append(.word(.hex)) }
    }

    private func json(_ token: HurlToken?) throws(HurlProblem) -> JSONValue {
        switch token {
        case .text(let text)?: return .string(translate(text).text)
        case .template(let inside)?: return .string(translate("{{\(inside)}}").text)
        case .number(let digits)?: return .number(digits)
        case .word("true")?: return .boolean(true)
        case .word("false")?: return .boolean(false)
        case .word("null")?: return .null
        case .file(let path)? where path.firstRange(of: "{{") == nil: return .string("{{file(\(JSONText.quoted(path)))}}")
        default: throw HurlProblem("what the value is compared with isn't understood")
        }
    }

    private func operand(_ token: HurlToken?) throws(HurlProblem) -> Matcher.Operand {
        switch token {
        case .number(let digits)?:
            if case .time = value.subject { return .init("\(digits)ms") }
            if case .cookieAttribute(_, .maxAge) = value.subject { return .init("\(digits)s") }
            return .init(digits)
        case .template(let inside)?: return .init(translate("{{\(inside)}}").text)
        case .text(let text)? where text.prefixMatch(of: /\d{4}-\d\d-\d\d/) != nil: return .init(text)
        case .text?: throw HurlProblem("texts aren't compared by their order here")
        default: throw HurlProblem("what the value is compared with isn't understood")
        }
    }

    private mutating func part(_ name: String, _ token: HurlToken?) throws(HurlProblem) -> Matcher {
        if case .bytes(let bytes)? = token {
            toHexadecimal()
            let digits = HurlText.hexadecimal(bytes)
            switch name {
            case "startsWith": return .startsWith(digits)
            case "endsWith": return .endsWith(digits)
            default: return .matches("^(..)*\(digits)", ignoringCase: false)
            }
        }
        switch (name, token) {
        case ("matches", .regex(let pattern)?): return .matches(pattern, ignoringCase: false)
        case ("matches", .text(let pattern)?): return .matches(translate(pattern).text, ignoringCase: false)
        case ("startsWith", .text(let text)?): return .startsWith(translate(text).text)
        case ("endsWith", .text(let text)?): return .endsWith(translate(text).text)
        case ("contains", _): return .contains(try json(token))
        case ("startsWith", .template(let inside)?): return .startsWith(translate("{{\(inside)}}").text)
        case ("endsWith", .template(let inside)?): return .endsWith(translate("{{\(inside)}}").text)
        default: throw HurlProblem("what the value is compared with isn't understood")
        }
    }

    // MARK: Types

    private mutating func type(_ name: String) throws(HurlProblem) -> Matcher {
        if case .header = value.subject, value.steps.isEmpty, name == "isCollection" || name == "isList" {
            value.steps = [.word(.count)]
            return .compares(.greater, .init("1"))
        }
        let types: [String: Matcher] = [
            "isInteger": .type(.integer), "isNumber": .type(.number), "isBoolean": .type(.boolean), "isString": .type(.string),
            "isFloat": .all([.type(.number), .not(.type(.integer))]), "isCollection": .any([.type(.array), .type(.object)]),
            "isList": .type(.array), "isObject": .type(.object), "isDate": .type(.date), "isIsoDate": .type(.date),
            "isIpv4": .type(.ipv4), "isIpv6": .type(.ipv6), "isUuid": .type(.uuid),
        ]
        guard let type = types[name] else { throw HurlProblem("there is no predicate `\(name)`") }
        if value.hasTypes { return type }
        // What isn't JSON is a text, or a number where it is one.
        switch (name, value.subject) {
        case ("isString", .header), ("isString", .cookie), ("isString", .body), ("isString", .url), ("isString", .address),
            ("isInteger", .status), ("isNumber", .status), ("isInteger", .time), ("isNumber", .time):
            return .exists
        case ("isIpv4", .address): return .matches("^[0-9.]+$", ignoringCase: false)
        case ("isIpv6", .address): return .matches(":", ignoringCase: false)
        default: throw HurlProblem("`\(name)` is for values of JSON")
        }
    }
}

extension JSONValue {
    fileprivate var plain: String {
        switch self {
        case .string(let text): text
        case .number(let digits): digits
        default: text(pretty: false)
        }
    }
}
