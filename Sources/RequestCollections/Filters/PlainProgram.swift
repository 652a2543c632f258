import Base
import NetworkLayer

/// A program for jq of the plain kind that most expectations are, evaluated here: jq takes as long to read one as this takes for hundreds.
///
///     .items | length        .items | map(select(.id == 7)) | length == 1        .a.b // "none"        .sum == .net + .tax
///
/// Numbers keep their digits, and are compared and added by all of them, so that an answer is the same on each machine: versions of jq round
/// in several ways. It says nothing where it isn't sure to say what jq does, such as when a type doesn't fit.
package struct PlainProgram: Hashable, Sendable {
    private let stages: [Stage]

    indirect enum Stage: Hashable, Sendable {
        case path([JSONFilter.Step])
        case literal(JSONValue)
        case length, keys, type, not, first, last, add
        case function(Function)
        case join(String), split(String), contains(String)
        case sorted([Stage]), least([Stage]), greatest([Stage])
        case map([Stage])
        case select([Stage])
        case list([Stage])
        case group([Stage])
        /// Whether any item, or each, is true; of what is made of it.
        case any([Stage]), all([Stage])
        case has(String), startsWith(String), endsWith(String)
        case compared(Stage, Comparison, Stage)
        case calculated(Stage, Arithmetic, Stage)
        case both(Stage, Stage)
        case either(Stage, Stage)
        case otherwise(Stage, JSONValue)
    }

    /// The functions without arguments.
    enum Function: String, CaseIterable, Sendable {
        case min, max, sort, unique, reverse
        case downcase = "ascii_downcase", upcase = "ascii_upcase"
        case toText = "tostring", toNumber = "tonumber"
    }

    enum Comparison: String, Sendable {
        case equal = "==", differs = "!=", atMost = "<=", atLeast = ">=", less = "<", more = ">"
    }

    enum Arithmetic: Character, Sendable {
        case plus = "+", minus = "-", times = "*", by = "/", rest = "%"
    }

    /// `nil` for what only jq evaluates.
    package init?(_ source: String) {
        var parser = Parser(rest: source[...])
        guard let stages = parser.pipe(), parser.isAtEnd else { return nil }
        self.stages = stages
    }

    package init?(_ filter: JSONFilter) {
        guard filter.language == .jq else { return nil }
        self.init(filter.source)
    }

    /// What it finds in a value, as jq does; `nil`: jq has to be asked.
    package func values(in body: JSONValue) -> [JSONValue]? {
        guard let values = try? Self.values(of: stages[...], in: body), values.allSatisfy(\.isPlain) else { return nil }
        return values
    }

    static func values(of stages: ArraySlice<Stage>, in value: JSONValue) throws(Unsure) -> [JSONValue] {
        guard let stage = stages.first else { return [value] }
        let found = try values(of: stage, in: value)
        if stages.count == 1 { return found }
        var all: [JSONValue] = []
        for value in found { all += try values(of: stages.dropFirst(), in: value) }
        return all
    }

    private static func values(of stage: Stage, in value: JSONValue) throws(Unsure) -> [JSONValue] {
        switch stage {
        case .path(let steps): return try found(steps[...], in: value)
        case .length: return [.number("\(try length(of: value))")]
        case .keys:
            guard case .object(let members) = value else { throw Unsure() }
            return [.array(names(of: members).map(JSONValue.string))]
        case .type: return [.string(value.jqType)]
        case .not: return [.boolean(!value.isTrue)]
        case .first, .last:
            guard case .array(let items) = value else { throw Unsure() }
            return [(stage == .first ? items.first : items.last) ?? .null]
        case .map(let inner):
            var all: [JSONValue] = []
            for item in try items(of: value) { all += try values(of: inner[...], in: item) }
            return [.array(all)]
        case .select(let condition):
            return try values(of: condition[...], in: value).filter(\.isTrue).map { _ in value }
        case .list(let inner): return [.array(try values(of: inner[...], in: value))]
        case .group(let inner): return try values(of: inner[...], in: value)
        case .literal(let literal): return [literal]
        case .add:
            var sum = JSONValue.null
            for item in try items(of: value) { sum = try calculated(sum, .plus, item) }
            return [sum]
        case .any(let inner), .all(let inner):
            let isAny = if case .any = stage { true } else { false }
            var found = false
            for item in try items(of: value) {
                for result in try values(of: inner[...], in: item) where result.isTrue == isAny { found = true }
            }
            return [.boolean(found == isAny)]
        case .function(let function): return [try Self.value(of: function, value)]
        case .join(let separator): return [.string(try texts(in: value).joined(separator: separator))]
        case .split(let separator):
            guard case .string(let text) = value else { throw Unsure() }
            return [.array(text.isEmpty ? [] : text.pieces(between: separator).map(JSONValue.string))]
        case .contains(let part):
            guard case .string(let text) = value, !text.utf8.contains(0) else { throw Unsure() }
            return [.boolean(part.isEmpty || text.utf8.firstRange(of: part.utf8) != nil)]
        case .sorted(let key): return [.array(try ordered(value, by: key).map { $0.item })]
        case .least(let key): return [try ordered(value, by: key).first?.item ?? .null]
        case .greatest(let key): return [try ordered(value, by: key).last?.item ?? .null]
        case .has(let name):
            guard case .object(let members) = value else { throw Unsure() }
            return [.boolean(members.contains { $0.isNamed(name) })]
        case .startsWith(let part), .endsWith(let part):
            guard case .string(let text) = value else { throw Unsure() }
            if case .startsWith = stage { return [.boolean(text.utf8.starts(with: part.utf8))] }
            return [.boolean(text.utf8.reversed().starts(with: part.utf8.reversed()))]
        case .compared(let left, let sign, let right):
            let other = try one(right, in: value)
            var all: [JSONValue] = []
            for value in try values(of: left, in: value) { all.append(.boolean(try holds(value, sign, other))) }
            return all
        case .calculated(let left, let sign, let right):
            let other = try one(right, in: value)
            var all: [JSONValue] = []
            for value in try values(of: left, in: value) { all.append(try calculated(value, sign, other)) }
            return all
        case .both(let left, let right):
            guard try one(left, in: value).isTrue else { return [.boolean(false)] }
            return [.boolean(try one(right, in: value).isTrue)]
        case .either(let left, let right):
            guard try !one(left, in: value).isTrue else { return [.boolean(true)] }
            return [.boolean(try one(right, in: value).isTrue)]
        case .otherwise(let left, let right):
            let found = try values(of: left, in: value).filter(\.isTrue)
            return found.isEmpty ? [right] : found
        }
    }

    /// jq takes every value of one side with every value of the other, in an order of its own.
    private static func one(_ stage: Stage, in value: JSONValue) throws(Unsure) -> JSONValue {
        let found = try values(of: stage, in: value)
        guard found.count == 1 else { throw Unsure() }
        return found[0]
    }

    /// Calculates with whole numbers; sums also of texts and lists.
    private static func calculated(_ one: JSONValue, _ sign: Arithmetic, _ other: JSONValue) throws(Unsure) -> JSONValue {
        switch (one, sign, other) {
        case (.null, .plus, _): return other
        case (_, .plus, .null): return one
        case (.string(let text), .plus, .string(let more)): return .string(text + more)
        case (.array(let items), .plus, .array(let more)): return .array(items + more)
        case (.number(let one), _, .number(let other)):
            guard let one = Int(one), let other = Int(other) else { throw Unsure() }
            let result: (partialValue: Int, overflow: Bool)
            switch sign {
            case .plus: result = one.addingReportingOverflow(other)
            case .minus: result = one.subtractingReportingOverflow(other)
            case .times: result = one.multipliedReportingOverflow(by: other)
            case .by:
                guard other != 0, one.isMultiple(of: other) else { throw Unsure() }
                result = one.dividedReportingOverflow(by: other)
            case .rest:
                guard other > 0, one >= 0 else { throw Unsure() }
                result = one.remainderReportingOverflow(dividingBy: other)
            }
            // A zero may have a sign there.
            let isSigned = result.partialValue == 0 && (one < 0 || other < 0) && (sign == .times || sign == .by)
            guard !result.overflow, !isSigned else { throw Unsure() }
            return .number("\(result.partialValue)")
        default: throw Unsure()
        }
    }

    private static func length(of value: JSONValue) throws(Unsure) -> Int {
        switch value {
        case .null: return 0
        case .string(let text): return text.unicodeScalars.count
        case .array(let items): return items.count
        case .object(let members): return names(of: members).count
        case .boolean, .number: throw Unsure()
        }
    }

    /// Each name once, in the order of jq.
    private static func names(of members: [JSONValue.Member]) -> [String] {
        members.map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.reduce(into: []) { names, name in
            if names.last?.hasBytes(of: name) != true { names.append(name) }
        }
    }

    private static func items(of value: JSONValue) throws(Unsure) -> [JSONValue] {
        switch value {
        case .array(let items): return items
        case .object(let members): return members.map(\.value)
        default: throw Unsure()
        }
    }

    private static func found(_ steps: ArraySlice<JSONFilter.Step>, in value: JSONValue) throws(Unsure) -> [JSONValue] {
        guard let step = steps.first else { return [value] }
        let next: [JSONValue]
        switch (step, value) {
        // Where several members have one name, the last one counts.
        case (.member(let name, _), .object(let members)): next = [members.last { $0.isNamed(name) }?.value ?? .null]
        case (.item(let index, _), .array(let items)):
            let place = index < 0 ? index + items.count : index
            next = [items.indices.contains(place) ? items[place] : .null]
        case (.member, .null), (.item, .null): next = [.null]
        case (.each, .array), (.each, .object): next = try items(of: value)
        case (.slice, _), (.recurse, _): throw Unsure()
        default:
            guard step.isOptional else { throw Unsure() }
            next = []
        }
        if steps.count == 1 { return next }
        var all: [JSONValue] = []
        for value in next { all += try found(steps.dropFirst(), in: value) }
        return all
    }

    private static func holds(_ value: JSONValue, _ sign: Comparison, _ other: JSONValue) throws(Unsure) -> Bool {
        guard value.isPlain, other.isPlain else { throw Unsure() }
        switch sign {
        case .equal: return Matcher.isSame(value, other, .json)
        case .differs: return !Matcher.isSame(value, other, .json)
        default: break
        }
        let isLess: Bool
        let isEqual = Matcher.isSame(value, other, .json)
        switch (value, other) {
        case (.number(let one), .number(let another)):
            guard let one = ExactNumber(one), let another = ExactNumber(another) else { throw Unsure() }
            isLess = one < another
        case (.string(let one), .string(let another)): isLess = one.utf8.lexicographicallyPrecedes(another.utf8)
        // jq puts values of all types in one order.
        default: throw Unsure()
        }
        return switch sign {
        case .less: isLess
        case .atMost: isLess || isEqual
        case .more: !isLess && !isEqual
        case .atLeast: !isLess
        case .equal, .differs: false
        }
    }
}

extension PlainProgram {
    /// Nobody but jq knows what comes of it.
    struct Unsure: Error {}

    static func value(of function: Function, _ value: JSONValue) throws(Unsure) -> JSONValue {
        switch function {
        case .min: return try ordered(value, by: []).first?.item ?? .null
        case .max: return try ordered(value, by: []).last?.item ?? .null
        case .sort: return .array(try ordered(value, by: []).map { $0.item })
        case .unique:
            return .array(
                try ordered(value, by: []).reduce(into: []) { items, next in
                    if items.last.map({ Matcher.isSame($0, next.item, .json) }) != true { items.append(next.item) }
                })
        case .reverse:
            guard case .array(let items) = value else { throw Unsure() }
            return .array(items.reversed())
        case .downcase, .upcase:
            guard case .string(let text) = value else { throw Unsure() }
            let first: ClosedRange<UInt8> = function == .upcase ? 0x61...0x7A : 0x41...0x5A
            return .string(String(decoding: text.utf8.map { first.contains($0) ? $0 ^ 0x20 : $0 }, as: UTF8.self))
        case .toText:
            switch value {
            case .string: return value
            case .number, .boolean, .null:
                guard value.isPlain else { throw Unsure() }
                return .string(value.text(pretty: false))
            case .array, .object: throw Unsure()
            }
        case .toNumber:
            switch value {
            case .number: return value
            case .string(let text):
                guard case .number(let digits)? = JSONParser.parse(text), digits == text else { throw Unsure() }
                return .number(digits)
            default: throw Unsure()
            }
        }
    }

    static func texts(in value: JSONValue) throws(Unsure) -> [String] {
        guard case .array(let items) = value else { throw Unsure() }
        var texts: [String] = []
        for item in items {
            guard case .string(let text) = item else { throw Unsure() }
            texts.append(text)
        }
        return texts
    }

    /// The items of a list in the order of their keys, those that are alike in their own: of numbers, or of texts.
    ///
    /// - Parameter key: what is compared of each item; empty: the item.
    static func ordered(_ value: JSONValue, by key: [Stage]) throws(Unsure) -> [(key: JSONValue, item: JSONValue)] {
        guard case .array(let items) = value else { throw Unsure() }
        var keyed: [(key: JSONValue, item: JSONValue)] = []
        for item in items {
            let found = key.isEmpty ? [item] : try values(of: key[...], in: item)
            guard found.count == 1, found[0].isPlain else { throw Unsure() }
            keyed.append((found[0], item))
        }
        if keyed.allSatisfy({ if case .number = $0.key { true } else { false } }) {
            let numbers = keyed.map { (number: ExactNumber($0.key.plainText), pair: $0) }
            guard numbers.allSatisfy({ $0.number != nil }) else { throw Unsure() }
            return numbers.sorted { $0.number! < $1.number! }.map(\.pair)
        }
        guard keyed.allSatisfy({ if case .string = $0.key { true } else { false } }) else { throw Unsure() }
        return keyed.sorted { $0.key.plainText.utf8.lexicographicallyPrecedes($1.key.plainText.utf8) }
    }
}

extension JSONValue {
    fileprivate var isTrue: Bool { self != .null && self != .boolean(false) }

    fileprivate var jqType: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .number: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }

    /// Whether jq takes it for what it is here: half a pair of UTF-16 and two members of one name become others there.
    var isPlain: Bool {
        switch self {
        case .null, .boolean, .number: true
        case .string(let text): !text.unicodeScalars.contains("\u{FFFD}")
        case .array(let items): items.allSatisfy(\.isPlain)
        case .object(let members):
            members.allSatisfy(\.value.isPlain) && Set(members.map { ExactText($0.name) }).count == members.count
        }
    }
}
