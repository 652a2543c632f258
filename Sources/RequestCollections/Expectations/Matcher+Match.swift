extension Matcher {
    /// Whether a value is what it must be.
    ///
    /// - Parameters:
    ///   - value: `nil` for what isn't there.
    ///   - kind: how texts are taken: of a header `5` is a number, too.
    ///   - regexes: answers whether regular expressions find something.
    func matches(_ value: JSONValue?, _ kind: MatcherKind, _ regexes: inout RegexAnswers) -> Bool {
        switch self {
        case .exists: value != nil && value != .null
        case .missing: value == nil || value == .null
        case .not(let matcher): matcher.canJudge(value, kind) && !matcher.matches(value, kind, &regexes)
        case .any(let matchers): matchers.contains { $0.matches(value, kind, &regexes) }
        case .all(let matchers): matchers.allSatisfy { $0.matches(value, kind, &regexes) }
        default: value.map { matchesPresent($0, kind, &regexes) } ?? false
        }
    }

    /// Whether "not" means something: a value of JSON that isn't there, or has another type, would be anything but what is named, and a
    /// mistake in a filter would pass. A header that isn't there has no wrong value.
    private func canJudge(_ value: JSONValue?, _ kind: MatcherKind) -> Bool {
        guard kind == .json else { return true }
        switch self {
        case .exists, .missing, .type: return true
        case .not(let matcher): return matcher.canJudge(value, kind)
        case .any(let matchers), .all(let matchers): return matchers.contains { $0.canJudge(value, kind) }
        case .equals(.null): return value != nil
        case .equals(let wanted): return value.map { wanted.hasType(of: $0) } ?? false
        case .compares(_, let operand), .range(let operand, _):
            return value.map { Self.magnitudes($0, operand, kind) != nil } ?? false
        default: return value != nil && value != .null
        }
    }

    private func matchesPresent(_ value: JSONValue, _ kind: MatcherKind, _ regexes: inout RegexAnswers) -> Bool {
        switch self {
        case .equals(let wanted): Self.isSame(wanted, value, kind)
        case .compares(let comparison, let operand): Self.compare(value, comparison, operand, kind)
        case .range(let low, let high):
            Self.compare(value, .atLeast, low, kind) && Self.compare(value, .atMost, high, kind)
        case .matches(let pattern, let ignoringCase): regexes.finds(pattern, ignoringCase: ignoringCase, in: value.plainText)
        case .contains(let part): Self.contains(part, in: value, kind)
        case .startsWith(let text): value.plainText.hasPrefix(text)
        case .endsWith(let text): value.plainText.hasSuffix(text)
        case .empty: value.length == 0
        case .type(let type): Self.type(type, of: value)
        case .length(let matcher): matcher.matches(value.length.map { .number("\($0)") }, .number, &regexes)
        case .statusClass(let digit): value.quantity.map { Int($0.magnitude) / 100 == digit } ?? false
        case .each(let matcher):
            // Of nothing everything would hold.
            if case .array(let items) = value, !items.isEmpty {
                items.allSatisfy { matcher.matches($0, kind, &regexes) }
            } else {
                false
            }
        case .exists, .missing, .not, .any, .all: matches(value, kind, &regexes)
        }
    }

    /// Numbers by their value, maps whatever their order. A text isn't a number, but in what has no types, such as a header.
    private static func isSame(_ wanted: JSONValue, _ found: JSONValue, _ kind: MatcherKind) -> Bool {
        switch (wanted, found) {
        case (.number(let one), .number(let other)):
            one == other || ExactNumber(one).map { $0 == ExactNumber(other) } ?? (Double(one) == Double(other))
        case (.array(let one), .array(let other)):
            one.count == other.count && zip(one, other).allSatisfy { isSame($0, $1, kind) }
        case (.object(let one), .object(let other)):
            one.count == other.count && one.allSatisfy { isMember($0, of: other, kind) }
        case (.string(let one), .number) where kind != .json: Double(one) == found.quantity?.magnitude
        case (.string(let one), .string(let other)) where kind == .duration || kind == .bytes:
            Quantity(one).map { $0.magnitude == Quantity(other)?.magnitude } ?? (one == other)
        case (.number, .string(let other)), (.boolean, .string(let other)):
            kind != .json && wanted.plainText == other
        default: wanted == found
        }
    }

    private static func isMember(_ member: JSONValue.Member, of members: [JSONValue.Member], _ kind: MatcherKind) -> Bool {
        members.last { $0.name == member.name }.map { isSame(member.value, $0.value, kind) } ?? false
    }

    private static func compare(_ value: JSONValue, _ comparison: Comparison, _ operand: Operand, _ kind: MatcherKind) -> Bool {
        guard let (found, wanted) = magnitudes(value, operand, kind) else { return false }
        if let found = ExactNumber(value.plainText), let wanted = ExactNumber(operand.text) {
            return comparison.holds(found, wanted)
        }
        return comparison.holds(found, wanted)
    }

    /// `nil` for what can't be compared. A text of JSON is no number; durations and sizes have no other form.
    private static func magnitudes(
        _ value: JSONValue, _ operand: Operand, _ kind: MatcherKind
    ) -> (found: Double, wanted: Double)? {
        guard let wanted = Quantity(operand.text), let found = value.quantity, found.isComparable(to: wanted, kind) else {
            return nil
        }
        if kind == .json, case .string = value, case .number = wanted { return nil }
        return (found.magnitude, wanted.magnitude)
    }

    private static func contains(_ part: JSONValue, in value: JSONValue, _ kind: MatcherKind) -> Bool {
        switch (part, value) {
        case (_, .array(let items)): items.contains { isSame(part, $0, kind) }
        case (.object(let wanted), .object(let members)): wanted.allSatisfy { isMember($0, of: members, kind) }
        case (_, .object(let members)): members.contains { $0.name == part.plainText }
        default: value.plainText.contains(part.plainText)
        }
    }

    private static func type(_ type: ValueType, of value: JSONValue) -> Bool {
        switch (type, value) {
        case (.string, .string), (.number, .number), (.boolean, .boolean), (.array, .array), (.object, .object), (.null, .null):
            true
        case (.integer, .number(let digits)): Double(digits).map { $0 == $0.rounded() } ?? false
        default: false
        }
    }
}

extension Matcher.Comparison {
    fileprivate func holds<Value: Comparable>(_ found: Value, _ wanted: Value) -> Bool {
        switch self {
        case .atMost: found <= wanted
        case .atLeast: found >= wanted
        case .equal: found == wanted
        case .notEqual: found != wanted
        case .less: found < wanted
        case .greater: found > wanted
        }
    }
}

extension Quantity {
    /// Bytes may be written as a bare number; a number is none of anything else.
    fileprivate func isComparable(to other: Quantity, _ kind: MatcherKind) -> Bool {
        switch (self, other) {
        case (.number, .number), (.duration, .duration), (.bytes, .bytes): true
        case (.number, .bytes), (.bytes, .number): kind == .bytes
        default: false
        }
    }
}

extension JSONValue {
    /// Characters, items or members.
    fileprivate var length: Int? {
        switch self {
        case .string(let text): text.count
        case .array(let items): items.count
        case .object(let members): members.count
        case .null, .boolean, .number: nil
        }
    }

    fileprivate func hasType(of other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null), (.boolean, .boolean), (.number, .number), (.string, .string), (.array, .array), (.object, .object):
            true
        default: false
        }
    }

    /// As a number, a duration or a number of bytes.
    fileprivate var quantity: Quantity? {
        switch self {
        case .number(let digits): Double(digits).map(Quantity.number)
        case .string(let text): Quantity(text)
        default: nil
        }
    }
}
