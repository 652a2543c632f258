import Base
import NetworkLayer

extension Matcher {
    /// Whether a value is what it must be.
    ///
    /// - Parameters:
    ///   - value: `nil` for what isn't there.
    ///   - kind: how texts are taken: of a header `5` is a number, too.
    ///   - context: answers whether regular expressions find something.
    func matches(_ value: JSONValue?, _ kind: MatcherKind, _ context: inout MatchContext) -> Bool {
        switch self {
        case .exists: value != nil && value != .null
        case .missing: value == nil || value == .null
        case .not(let matcher): matcher.canJudge(value, kind) && !matcher.matches(value, kind, &context)
        case .any(let matchers): matchers.contains { $0.matches(value, kind, &context) }
        case .all(let matchers): matchers.allSatisfy { $0.matches(value, kind, &context) }
        default: value.map { matchesPresent($0, kind, &context) } ?? false
        }
    }

    /// Whether "not" means something: a value of JSON that isn't there, or has another type, would be anything but what is named, and a
    /// mistake in a filter would pass. A header that isn't there has no wrong value, but it isn't filled either.
    private func canJudge(_ value: JSONValue?, _ kind: MatcherKind) -> Bool {
        switch self {
        case .exists, .missing: return true
        case .empty, .length: return value?.length != nil
        case .not(let matcher): return matcher.canJudge(value, kind)
        case .any(let matchers), .all(let matchers): return matchers.contains { $0.canJudge(value, kind) }
        default: break
        }
        guard kind == .json else { return true }
        switch (self, value) {
        case (_, nil): return false
        case (.type(let type), let value?) where type.isAboutMore: return type.canBeAsked(of: value)
        case (.type, _), (.equals(.null), _), (.schema, _): return true
        case (.equals(let wanted), let value?): return wanted.hasType(of: value)
        case (.compares(_, let operand), let value?), (.range(let operand, _), let value?):
            return Self.magnitudes(value, operand, kind, Date()) != nil
        case (.matches, .string), (.startsWith, .string), (.endsWith, .string), (.contains, .object): return true
        case (.contains(let part), .string): return part.isScalar
        case (.contains(let part), .array(let items)):
            return part == .null || items.isEmpty || items.contains { part.hasType(of: $0) }
        case (.some(let matcher), .array(let items)): return items.contains { matcher.canJudge($0, kind) }
        case (.each(let matcher), .array(let items)): return !items.isEmpty && items.allSatisfy { matcher.canJudge($0, kind) }
        default: return false
        }
    }

    private func matchesPresent(_ value: JSONValue, _ kind: MatcherKind, _ context: inout MatchContext) -> Bool {
        switch self {
        case .equals(let wanted): Self.isSame(wanted, value, kind)
        case .compares(let comparison, let operand): Self.compare(value, comparison, operand, kind, context.now)
        case .range(let low, let high):
            Self.compare(value, .atLeast, low, kind, context.now) && Self.compare(value, .atMost, high, kind, context.now)
        case .matches(let pattern, let ignoringCase):
            value.text(kind).map { context.finds(pattern, ignoringCase: ignoringCase, in: $0) } ?? false
        case .contains(let part): Self.contains(part, in: value, kind)
        case .startsWith(let text): value.text(kind)?.utf8.starts(with: text.utf8) ?? false
        case .endsWith(let text): value.text(kind)?.utf8.reversed().starts(with: text.utf8.reversed()) ?? false
        case .empty: value.length == 0
        case .type(let type): Self.type(type, of: value)
        case .length(let matcher): value.length.map { matcher.matches(.number("\($0)"), .number, &context) } ?? false
        case .statusClass(let digit): value.quantity.map { Int($0.magnitude) / 100 == digit } ?? false
        case .some(let matcher):
            if case .array(let items) = value { items.contains { matcher.matches($0, kind, &context) } } else { false }
        case .each(let matcher):
            // Everything would hold of an empty list.
            if case .array(let items) = value, !items.isEmpty {
                items.allSatisfy { matcher.matches($0, kind, &context) }
            } else {
                false
            }
        case .schema(let reference): reference.schema?.violations(of: value, &context).isEmpty ?? false
        case .exists, .missing, .not, .any, .all: matches(value, kind, &context)
        }
    }

    /// Numbers by their value, maps whatever their order, texts by their bytes. A text isn't a number, but in what has no types, such as a
    /// header.
    static func isSame(_ wanted: JSONValue, _ found: JSONValue, _ kind: MatcherKind) -> Bool {
        switch (wanted, found) {
        case (.number(let one), .number(let other)):
            one == other || ExactNumber(one).map { $0 == ExactNumber(other) } ?? (Double(one) == Double(other))
        case (.array(let one), .array(let other)):
            one.count == other.count && zip(one, other).allSatisfy { isSame($0, $1, kind) }
        case (.object(let one), .object(let other)):
            one.count == other.count && one.allSatisfy { isMember($0, of: other, kind) }
        case (.string(let one), .number) where kind != .json:
            if let wanted = Quantity(one), let found = found.quantity {
                wanted.isComparable(to: found, kind) && wanted.magnitude == found.magnitude
            } else {
                false
            }
        case (.string(let one), .string(let other)) where kind == .duration || kind == .bytes:
            Quantity(one).map { $0.magnitude == Quantity(other)?.magnitude } ?? (one == other)
        case (.number, .string(let other)), (.boolean, .string(let other)):
            kind != .json && wanted.plainText == other
        default: wanted == found
        }
    }

    private static func isMember(_ member: JSONValue.Member, of members: [JSONValue.Member], _ kind: MatcherKind) -> Bool {
        members.last { $0.isNamed(member.name) }.map { isSame(member.value, $0.value, kind) } ?? false
    }

    private static func compare(
        _ value: JSONValue, _ comparison: Comparison, _ operand: Operand, _ kind: MatcherKind, _ now: Date
    ) -> Bool {
        guard let (found, wanted) = magnitudes(value, operand, kind, now) else { return false }
        if let found = ExactNumber(value.plainText), let wanted = ExactNumber(operand.text) {
            return comparison.holds(found, wanted)
        }
        return comparison.holds(found, wanted)
    }

    /// `nil` for what can't be compared. A text of JSON is no number; durations and sizes have no other form.
    private static func magnitudes(
        _ value: JSONValue, _ operand: Operand, _ kind: MatcherKind, _ now: Date
    ) -> (found: Double, wanted: Double)? {
        guard let wanted = Quantity(operand.text, now: now), let found = value.quantity, found.isComparable(to: wanted, kind) else {
            return nil
        }
        if kind == .json, case .string = value, case .number = wanted { return nil }
        return (found.magnitude, wanted.magnitude)
    }

    private static func contains(_ part: JSONValue, in value: JSONValue, _ kind: MatcherKind) -> Bool {
        switch (part, value) {
        case (_, .array(let items)): items.contains { isSame(part, $0, kind) }
        case (.object(let wanted), .object(let members)): wanted.allSatisfy { isMember($0, of: members, kind) }
        case (_, .object(let members)): members.contains { $0.isNamed(part.plainText) }
        case (.null, _): false
        default: part.isScalar && value.text(kind)?.utf8.firstRange(of: part.plainText.utf8) != nil
        }
    }

    private static func type(_ type: ValueType, of value: JSONValue) -> Bool {
        switch (type, value) {
        case (.string, .string), (.number, .number), (.boolean, .boolean), (.array, .array), (.object, .object), (.null, .null):
            true
        case (.integer, .number(let digits)): ExactNumber(digits)?.isWhole ?? false
        case (.date, .string(let text)): DateText.parse(text) != nil
        case (.uuid, .string(let text)): UUID(uuidString: text) != nil
        case (.ipv4, .string(let text)): AddressText.isIPv4(text)
        case (.ipv6, .string(let text)): AddressText.isIPv6(text)
        case (.sorted, .array(let items)): items.isSorted
        case (.unique, .array(let items)): Set(items).count == items.count
        default: false
        }
    }
}

extension Matcher.ValueType {
    /// A number is no UUID, and yet "not a UUID" is said of a text.
    fileprivate func canBeAsked(of value: JSONValue) -> Bool {
        switch (self, value) {
        case (.date, .string), (.uuid, .string), (.ipv4, .string), (.ipv6, .string), (.sorted, .array), (.unique, .array): true
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
    func isComparable(to other: Quantity, _ kind: MatcherKind) -> Bool {
        switch (self, other) {
        case (.number, .number), (.duration, .duration), (.bytes, .bytes), (.date, .date): true
        case (.number, .bytes), (.bytes, .number): kind == .bytes
        default: false
        }
    }
}

extension JSONValue {
    /// Code points, as jq counts them, items or members.
    fileprivate var length: Int? {
        switch self {
        case .string(let text): text.unicodeScalars.count
        case .array(let items): items.count
        case .object(let members): members.count
        case .null, .boolean, .number: nil
        }
    }

    fileprivate var isScalar: Bool {
        switch self {
        case .string, .number, .boolean: true
        case .null, .array, .object: false
        }
    }

    /// What operators for texts look at. In JSON only a text is one: `false` has no `a` in it.
    fileprivate func text(_ kind: MatcherKind) -> String? {
        if case .string(let text) = self { return text }
        return kind == .json ? nil : plainText
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
        // What a server calls `now` is a text.
        case .string(let text): Quantity(text, now: nil)
        default: nil
        }
    }
}
