import NetworkLayer
import RequestCollections

/// Writes what a response must be as a script's claims, which ``TestScript`` reads: only what it reads as the same again is written.
struct ClaimWriter {
    enum Style: Hashable {
        /// The language of JetBrains' HTTP Client: `response.body.id === 1`, for `client.assert`.
        case condition
        /// Bruno's language: `expect(res.body.id).to.equal(1)`.
        case chai
    }

    let style: Style

    /// A statement; `nil` for what a script can't say exactly.
    func statement(_ expectation: ExpectationDefinition) -> String? {
        guard expectation.steps.isEmpty, let subject = subject(expectation.subject) else { return nil }
        let candidates =
            switch style {
            case .condition: conditions(expectation.matcher, on: subject, expectation.subject).map { "client.assert(\($0));" }
            case .chai: chai(expectation.matcher, isNegated: false).map { "expect(\(subject)).to.\($0);" }
            }
        return candidates.first { Self.says($0, expectation) }
    }

    /// Whether a script says this, and nothing else.
    private static func says(_ text: String, _ expectation: ExpectationDefinition) -> Bool {
        let script = TestScript(text)
        guard script.rest.isEmpty, script.captures.isEmpty, script.expectations.count == 1 else { return false }
        let read = script.expectations[0]
        // The names of fields are one in any case.
        var subject = expectation.subject
        if case .header(let name) = subject { subject = .header(name.lowercased()) }
        return read.subject == subject && read.matcher.plain == expectation.matcher.plain
    }

    /// A row of Bruno's assertions; `nil` for what none says exactly.
    func row(_ expectation: ExpectationDefinition) -> (expression: String, operator: String, value: String)? {
        guard expectation.steps.isEmpty, let expression = subject(expectation.subject) else { return nil }
        return rows(expectation.matcher).lazy.map { (expression, $0.0, $0.1) }.first { row in
            let text = row.2.isEmpty ? row.1 : "\(row.1) \(row.2)"
            guard let script = BrunoAssertion.script(BrunoFile.Row(name: row.0, value: text)) else { return false }
            return Self.says(script, expectation)
        }
    }

    private func rows(_ matcher: Matcher) -> [(String, String)] {
        func word(_ value: JSONValue) -> String? {
            switch value {
            case .string(let text):
                if let template = try? Template(text), case .variable(let name)? = template.onlyExpression?.expression {
                    return "{{\(name)}}"
                }
                let isPlain = text.wholeMatch(of: /[A-Za-z][A-Za-z0-9_\/.;=+-]*( [A-Za-z0-9_\/.;=+-]+)*/) != nil
                let isOther = ["true", "false", "null", "undefined"].contains(text)
                guard !Template.isIn(text), !text.contains(where: \.isNewline) else { return nil }
                return isPlain && !isOther ? text : "\"\(text)\""
            case .number(let digits): return digits
            case .boolean(let flag): return "\(flag)"
            case .null, .array, .object: return nil
            }
        }
        func number(_ operand: Matcher.Operand) -> String? {
            Self.number(operand, DurationText.parse(operand.text) == nil ? .status : .time("total"))
        }
        switch matcher {
        case .equals(let value): return word(value).map { [("eq", $0)] } ?? []
        case .not(.equals(let value)): return word(value).map { [("neq", $0)] } ?? []
        case .compares(let comparison, let operand):
            let words: [Matcher.Comparison: String] = [.greater: "gt", .less: "lt", .atLeast: "gte", .atMost: "lte", .equal: "eq"]
            guard let operation = words[comparison], let digits = number(operand) else { return [] }
            return [(operation, digits)]
        case .range(let low, let high):
            guard let low = number(low), let high = number(high) else { return [] }
            return [("between", "\(low), \(high)")]
        case .statusClass(let digit): return [("between", "\(digit)00, \(digit)99")]
        case .matches(let pattern, false): return [("matches", pattern)]
        case .contains(let value): return word(value).map { [("contains", $0)] } ?? []
        case .startsWith(let text): return [("startsWith", text)]
        case .endsWith(let text): return [("endsWith", text)]
        case .empty: return [("isEmpty", "")]
        case .not(.empty): return [("isNotEmpty", "")]
        case .type(.null): return [("isNull", "")]
        case .type(.number): return [("isNumber", "")]
        case .type(.string): return [("isString", "")]
        case .type(.boolean): return [("isBoolean", "")]
        case .type(.array): return [("isArray", "")]
        case .length(.equals(.number(let digits))): return [("length", digits)]
        case .any where matcher == .isDefined: return [("isDefined", "")]
        case .any(let matchers):
            let words = matchers.compactMap { if case .equals(let value) = $0 { word(value) } else { nil } }
            return words.count == matchers.count && !words.contains { $0.contains(",") }
                ? [("in", "[\(words.joined(separator: ", "))]")] : []
        default: return []
        }
    }

    /// What a capture takes its value from.
    func expression(_ capture: CaptureDefinition) -> String? {
        guard capture.steps.isEmpty, capture.fallback == nil, capture.isFlat == nil else { return nil }
        let subject: ExpectationSubject? =
            switch capture.source {
            case .filter(let filter): .filter(filter)
            case .header(let name): .header(name)
            case .status: .status
            case .cookie, .url, .body, .subject: nil
            }
        guard let expression = subject.flatMap(self.subject) else { return nil }
        let setter = style == .chai ? "bru.setVar" : "client.global.set"
        let script = TestScript("\(setter)(\(JSONText.quoted(capture.name)), \(expression))")
        guard script.rest.isEmpty, let read = script.captures.first, read.source == capture.source, read.name == capture.name else {
            return nil
        }
        return expression
    }

    // MARK: Subjects

    private func subject(_ subject: ExpectationSubject) -> String? {
        let response = style == .chai ? "res" : "response"
        switch subject {
        case .status: return "\(response).status"
        case .header(let name):
            return style == .chai ? "res.getHeader(\(JSONText.quoted(name)))" : "response.headers.valueOf(\(JSONText.quoted(name)))"
        case .time("total"): return style == .chai ? "res.responseTime" : nil
        case .filter(let filter):
            guard let steps = JSONFilter(filter).steps else { return nil }
            var path = "\(response).body"
            for step in steps {
                switch step {
                case .member(let name, false):
                    let isPlain = name.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$]*/) != nil
                    path += isPlain ? ".\(name)" : "[\(JSONText.quoted(name))]"
                case .item(let index, false) where index >= 0: path += "[\(index)]"
                default: return nil
                }
            }
            return path
        default: return nil
        }
    }

    // MARK: Values

    private func literal(_ value: JSONValue) -> String? {
        switch value {
        case .null: return "null"
        case .boolean(let flag): return "\(flag)"
        case .number(let digits): return digits
        case .string(let text):
            guard Template.isIn(text) else { return JSONText.quoted(text) }
            guard let template = try? Template(text), case .variable(let name)? = template.onlyExpression?.expression else {
                return nil
            }
            return "\(style == .chai ? "bru.getVar" : "client.global.get")(\(JSONText.quoted(name)))"
        case .array(let items):
            let literals = items.compactMap { literal($0) }
            return literals.count == items.count ? "[\(literals.joined(separator: ", "))]" : nil
        case .object(let members):
            let literals = members.compactMap { member in literal(member.value).map { "\(JSONText.quoted(member.name)): \($0)" } }
            return literals.count == members.count ? "{ \(literals.joined(separator: ", ")) }" : nil
        }
    }

    private static func number(_ operand: Matcher.Operand, _ subject: ExpectationSubject) -> String? {
        if case .time = subject { return DurationText.parse(operand.text).map { "\(Int64($0 / .milliseconds(1)))" } }
        return operand.text.wholeMatch(of: /-?\d+(\.\d+)?/) != nil ? operand.text : nil
    }

    // MARK: chai

    private func chai(_ matcher: Matcher, isNegated: Bool) -> [String] {
        let not = isNegated ? "not." : ""
        func number(_ operand: Matcher.Operand) -> String? {
            Self.number(operand, DurationText.parse(operand.text) == nil ? .status : .time("total"))
        }
        switch matcher {
        case .equals(let value):
            guard let literal = literal(value) else { return [] }
            switch value {
            case .array, .object: return ["\(not)eql(\(literal))"]
            default: return ["\(not)equal(\(literal))"]
            }
        case .type(.null): return ["\(not)be.null"]
        case .compares(let comparison, let operand):
            let words: [Matcher.Comparison: String] = [
                .greater: "above", .less: "below", .atLeast: "at.least", .atMost: "at.most",
            ]
            guard let word = words[comparison], let digits = number(operand) else { return [] }
            return ["\(not)be.\(word)(\(digits))"]
        case .range(let low, let high):
            guard let low = number(low), let high = number(high) else { return [] }
            return ["\(not)be.within(\(low), \(high))"]
        case .statusClass(let digit): return ["\(not)be.within(\(digit)00, \(digit)99)"]
        case .matches(let pattern, let ignoringCase):
            let regex = "/\(pattern.replacing(scalars: "/", with: "\\/"))/\(ignoringCase ? "i" : "")"
            return ["\(not)match(\(regex))", "be.a(\"string\").and.\(not)match(\(regex))"]
        case .contains(let value):
            return literal(value).map { ["\(not)include(\($0))", "be.a(\"string\").and.\(not)include(\($0))"] } ?? []
        case .exists: return isNegated ? [] : ["exist"]
        case .missing: return isNegated ? [] : ["not.exist"]
        case .empty: return ["\(not)be.empty"]
        case .type(let type): return ["\(not)be.a(\(JSONText.quoted(type.rawValue)))"]
        case .any where matcher == .isDefined: return isNegated ? [] : ["not.be.undefined"]
        case .any(let matchers):
            let values = matchers.compactMap { matcher -> String? in
                if case .equals(let value) = matcher { literal(value) } else { matcher == .type(.null) ? "null" : nil }
            }
            return values.count == matchers.count ? ["\(not)be.oneOf([\(values.joined(separator: ", "))])"] : []
        case .not(let inner): return isNegated ? [] : chai(inner, isNegated: true)
        default: return []
        }
    }

    // MARK: Conditions

    private func conditions(_ matcher: Matcher, on value: String, _ subject: ExpectationSubject) -> [String] {
        let isJSON = if case .filter = subject { true } else { false }
        switch matcher {
        case .equals(let other): return literal(other).map { ["\(value) === \($0)"] } ?? []
        case .type(.null): return ["\(value) === null"]
        case .compares(let comparison, let operand):
            guard let digits = Self.number(operand, subject) else { return [] }
            let condition = "\(value) \(comparison.rawValue) \(digits)"
            return isJSON ? ["typeof \(value) === \"number\" && \(condition)"] : [condition]
        case .statusClass(let digit): return ["\(value) >= \(digit)00 && \(value) < \(digit + 1)00"]
        case .range(let low, let high):
            guard let low = Self.number(low, subject), let high = Self.number(high, subject) else { return [] }
            let range = "\(value) >= \(low) && \(value) <= \(high)"
            return isJSON ? ["typeof \(value) === \"number\" && \(range)"] : [range]
        case .exists: return isJSON ? ["\(value) != null"] : []
        case .type(.array): return ["Array.isArray(\(value))"]
        case .type(let type): return ["typeof \(value) === \(JSONText.quoted(type.rawValue))"]
        case .any where matcher == .isDefined: return ["\(value) !== undefined"]
        case .any(let matchers):
            let values = matchers.compactMap { if case .equals(let other) = $0 { literal(other) } else { nil } }
            return values.count == matchers.count ? ["[\(values.joined(separator: ", "))].includes(\(value))"] : []
        case .not(.equals(let other)): return literal(other).map { ["\(value) !== \($0)"] } ?? []
        case .contains(let part):
            guard let part = literal(part), !isJSON else { return [] }
            return ["\(value).includes(\(part))"]
        default: return []
        }
    }
}

extension Matcher {
    /// In one of the forms that mean the same: a type that another claim implies is none to claim, and ranges are their ends.
    var plain: Matcher {
        switch self {
        case .all(let matchers):
            let parts = matchers.flatMap { matcher -> [Matcher] in
                if case .all(let inner) = matcher.plain { inner } else { [matcher.plain] }
            }
            let rest = parts.filter { part in
                guard case .type(let type) = part else { return true }
                return !parts.contains { $0 != part && $0.isPositive && $0.implies(type) }
            }
            return rest.count == 1 ? rest[0] : .all(rest)
        case .statusClass(let digit):
            return .all([.compares(.atLeast, .init("\(digit)00")), .compares(.less, .init("\(digit + 1)00"))])
        case .range(.init("200"), .init("299")), .range(.init("300"), .init("399")), .range(.init("400"), .init("499")),
            .range(.init("500"), .init("599")), .range(.init("100"), .init("199")):
            guard case .range(let low, _) = self, let digit = low.text.first?.wholeNumberValue else { return self }
            return Matcher.statusClass(digit).plain
        case .range(let low, let high): return .all([.compares(.atLeast, low), .compares(.atMost, high)])
        case .compares(let comparison, let operand):
            if let time = DurationText.parse(operand.text) { return .compares(comparison, .init(DurationText.format(time))) }
            return ByteCountText.parse(operand.text).map { .compares(comparison, .init("\($0)")) } ?? self
        case .matches(let pattern, true): return .matches("(?i)" + pattern, ignoringCase: false)
        case .not(let inner): return .not(inner.plain)
        default: return self
        }
    }

    private var isPositive: Bool { if case .not = self { false } else { true } }
}
