/// A program for jq of the plain kind that most expectations are, evaluated here: jq takes as long to read one as this takes for hundreds.
///
///     .items | length        .items | map(select(.id == 7)) | length == 1        .a.b // "none"
///
/// It says nothing where it isn't sure to say what jq does: when a type doesn't fit, and of numbers that jq would write otherwise.
package struct PlainProgram: Hashable, Sendable {
    private let stages: [Stage]

    fileprivate indirect enum Stage: Hashable {
        case path([JSONFilter.Step])
        case length, keys, type, not, first, last
        case map([Stage])
        case select([Stage])
        case list([Stage])
        case compared([Stage], Comparison, JSONValue)
        case otherwise([Stage], JSONValue)
    }

    fileprivate enum Comparison: String {
        case equal = "==", differs = "!=", atMost = "<=", atLeast = ">=", less = "<", more = ">"
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

    /// Only jq knows.
    private struct Unsure: Error {}

    private static func values(of stages: ArraySlice<Stage>, in value: JSONValue) throws(Unsure) -> [JSONValue] {
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
            return [.array(Set(members.map(\.name)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map(JSONValue.string))]
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
        case .compared(let left, let sign, let right):
            var all: [JSONValue] = []
            for value in try values(of: left[...], in: value) { all.append(.boolean(try holds(value, sign, right))) }
            return all
        case .otherwise(let left, let right):
            let found = try values(of: left[...], in: value).filter(\.isTrue)
            return found.isEmpty ? [right] : found
        }
    }

    private static func length(of value: JSONValue) throws(Unsure) -> Int {
        switch value {
        case .null: return 0
        case .string(let text): return text.unicodeScalars.count
        case .array(let items): return items.count
        case .object(let members): return Set(members.map(\.name)).count
        case .boolean, .number: throw Unsure()
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
        // Of members with one name the last one counts.
        case (.member(let name, _), .object(let members)): next = [members.last { $0.name == name }?.value ?? .null]
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
        guard value.isPlain else { throw Unsure() }
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
    fileprivate var isPlain: Bool {
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

extension PlainProgram {
    /// Reads what it knows, and gives up at all else.
    private struct Parser {
        var rest: Substring
        private var depth = 0

        init(rest: Substring) { self.rest = rest }

        var isAtEnd: Bool { rest.allSatisfy { $0 == " " } }

        mutating func pipe() -> [Stage]? {
            depth += 1
            defer { depth -= 1 }
            guard depth < 8 else { return nil }
            var stages: [Stage] = []
            repeat {
                guard let stage = comparison() else { return nil }
                stages.append(stage)
            } while take("|")
            return stages
        }

        private mutating func comparison() -> Stage? {
            guard let term = term() else { return nil }
            skipSpace()
            if rest.hasPrefix("//"), !rest.hasPrefix("//=") {
                rest.removeFirst(2)
                guard let literal = literal() else { return nil }
                return endsHere ? .otherwise([term], literal) : nil
            }
            for sign in ["==", "!=", "<=", ">=", "<", ">"] where rest.hasPrefix(sign) {
                rest.removeFirst(sign.count)
                guard let sign = Comparison(rawValue: sign), let literal = literal(), endsHere else { return nil }
                return .compared([term], sign, literal)
            }
            return term
        }

        /// No further operator, whose precedence would have to be minded.
        private var endsHere: Bool {
            guard let next = rest.first(where: { $0 != " " }) else { return true }
            return next == "|" && !rest.drop { $0 == " " }.hasPrefix("|=") || next == ")" || next == "]"
        }

        private mutating func term() -> Stage? {
            skipSpace()
            if rest.first == "." { return path() }
            if take("[") {
                guard let inner = pipe(), take("]"), rest.first != ".", rest.first != "[", rest.first != "?" else { return nil }
                return .list(inner)
            }
            let name = rest.prefix { $0.isASCII && ($0.isLetter || $0 == "_") }
            rest = rest[name.endIndex...]
            switch name {
            case "map", "select":
                guard rest.first == "(" else { return nil }
                rest.removeFirst()
                guard let inner = pipe(), take(")"), isTermOver else { return nil }
                return name == "map" ? .map(inner) : .select(inner)
            case "length": return isTermOver ? .length : nil
            case "keys": return isTermOver ? .keys : nil
            case "type": return isTermOver ? .type : nil
            case "not": return isTermOver ? .not : nil
            case "first": return isTermOver ? .first : nil
            case "last": return isTermOver ? .last : nil
            default: return nil
            }
        }

        /// `keys[0]`, `first(f)` and `length_x` are something else.
        private var isTermOver: Bool {
            guard let next = rest.first else { return true }
            return next == " " || next == "|" || next == ")" || next == "]" || next == "=" || next == "!" || next == "<"
                || next == ">"
        }

        private mutating func path() -> Stage? {
            // To where a path can't go on, outside of texts and brackets.
            var depth = 0
            var isInText = false
            let text = rest.prefix { character in
                if isInText {
                    if character == "\"" { isInText = false }
                    return true
                }
                switch character {
                case "\\": return false
                case "\"": isInText = true
                case "[": depth += 1
                case "]":
                    guard depth > 0 else { return false }
                    depth -= 1
                case ".", "_", "?", "-", ":": break
                case " ": return depth > 0
                default: return character.isASCII && (character.isLetter || character.isNumber)
                }
                return true
            }
            var parser = JSONPathParser(String(text))
            guard !text.contains("\\"), let steps = parser.path(), !steps.contains(where: { $0 == .recurse }) else { return nil }
            rest = rest[text.endIndex...]
            return isTermOver || rest.hasPrefix("/") ? .path(steps) : nil
        }

        private mutating func literal() -> JSONValue? {
            skipSpace()
            if rest.first == "\"" {
                let text = rest.dropFirst().prefix { $0 != "\"" && $0 != "\\" }
                guard text.endIndex < rest.endIndex, rest[text.endIndex] == "\"" else { return nil }
                rest = rest[rest.index(after: text.endIndex)...]
                let value = JSONValue.string(String(text))
                return value.isPlain ? value : nil
            }
            let word = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "-") }
            rest = rest[word.endIndex...]
            switch word {
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            case "null": return .null
            default:
                guard let first = word.utf8.first, (0x30...0x39).contains(first) || first == UInt8(ascii: "-"),
                    JSONParser.parse(String(word)) != nil
                else { return nil }
                let value = JSONValue.number(String(word))
                return value.isPlain ? value : nil
            }
        }

        private mutating func take(_ sign: Character) -> Bool {
            skipSpace()
            guard rest.first == sign else { return false }
            rest.removeFirst()
            // `||` and `|=` are something else.
            return true
        }

        private mutating func skipSpace() { rest = rest.drop { $0 == " " } }
    }
}
