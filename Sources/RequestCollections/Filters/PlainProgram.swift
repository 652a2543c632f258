import NetworkLayer

/// A program for jq of the plain kind that most expectations are, evaluated here: jq takes as long to read one as this takes for hundreds.
///
///     .items | length        .items | map(select(.id == 7)) | length == 1        .a.b // "none"        .sum == .net + .tax
///
/// It says nothing where it isn't sure to say what jq does: when a type doesn't fit, and of numbers that jq would write otherwise.
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
        case plus = "+", minus = "-", times = "*", by = "/"
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

    /// Calculates with whole numbers, as long as a `Double` holds the result; sums also of texts and lists.
    private static func calculated(_ one: JSONValue, _ sign: Arithmetic, _ other: JSONValue) throws(Unsure) -> JSONValue {
        switch (one, sign, other) {
        case (.null, .plus, _): return other
        case (_, .plus, .null): return one
        case (.string(let text), .plus, .string(let more)): return .string(text + more)
        case (.array(let items), .plus, .array(let more)): return .array(items + more)
        case (.number(let one), _, .number(let other)):
            guard JSONValue.number(one).isPlain, JSONValue.number(other).isPlain, let one = Int(one), let other = Int(other) else {
                throw Unsure()
            }
            let result: (partialValue: Int, overflow: Bool)
            switch sign {
            case .plus: result = one.addingReportingOverflow(other)
            case .minus: result = one.subtractingReportingOverflow(other)
            case .times: result = one.multipliedReportingOverflow(by: other)
            case .by:
                guard other != 0, one % other == 0 else { throw Unsure() }
                result = (one / other, false)
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

    /// jq goes through maps in an order of its own.
    private static func items(of value: JSONValue) throws(Unsure) -> [JSONValue] {
        switch value {
        case .array(let items): return items
        case .object(let members) where members.count < 2: return members.map(\.value)
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
        case .equal: return value == other
        case .differs: return value != other
        default: break
        }
        let isLess: Bool
        let isEqual = value == other
        switch (value, other) {
        case (.number(let one), .number(let another)):
            guard let one = Double(one), let another = Double(another) else { throw Unsure() }
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

    /// Whether jq writes it as it stands there, and two of it are the same only when they are written so.
    var isPlain: Bool {
        switch self {
        case .null, .boolean: true
        case .string(let text): !text.unicodeScalars.contains("\u{FFFD}")
        case .number(let digits): Self.isPlain(digits)
        case .array(let items): items.allSatisfy(\.isPlain)
        case .object(let members): members.count < 2 ? members.allSatisfy(\.value.isPlain) : false
        }
    }

    /// At most 15 digits, without an exponent, without zeros that say nothing.
    private static func isPlain(_ digits: String) -> Bool {
        let text = digits.utf8.drop { $0 == UInt8(ascii: "-") }
        guard text.count <= 16, let last = text.last else { return false }
        guard let point = text.firstIndex(of: UInt8(ascii: ".")) else {
            return text.count <= 15 && text.allSatisfy(isDigit) && !(digits.hasPrefix("-") && text.elementsEqual("0".utf8))
        }
        // A small number is written with an exponent.
        let fraction = text[text.index(after: point)...]
        return last != UInt8(ascii: "0") && text[..<point].allSatisfy(isDigit) && fraction.allSatisfy(isDigit)
            && !fraction.starts(with: "000".utf8)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
