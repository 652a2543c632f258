import RequestCollections

/// That a value is what it must be.
struct ScriptClaim: Hashable {
    var value: ScriptValue
    var matcher: Matcher

    init(_ value: ScriptValue, _ matcher: Matcher) {
        self.value = value
        self.matcher = matcher
    }

    /// `nil` for what no response has.
    var expectation: ExpectationDefinition? { value.expectation(matcher) }
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
