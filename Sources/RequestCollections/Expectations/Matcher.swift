/// What a value must be.
///
/// A text without quotes is read as follows; what is none of these is the value itself. A text in quotes is itself, but for the six signs
/// before a number, a duration, a size or a template, which YAML wants in quotes.
///
/// | written | holds for |
/// |---|---|
/// | `exists`, `missing`, `empty` | a value that is there; that isn't, or is null; a text, list or map with nothing in it |
/// | `> 0`, `>= 1.5`, `< 300ms`, `<= 10KB`, `== 3`, `!= 500` | numbers, durations, numbers of bytes |
/// | `1..5`, `10ms..2s` | what is between, both ends included |
/// | `/json/`, `/^ok$/i` | a text in which the regular expression finds something |
/// | `contains x`, `starts with x`, `ends with x` | texts; a list that has the item |
/// | `is string` and `number integer boolean array object null` | a type of JSON; also `date uuid ipv4 ipv6`, and of lists `sorted unique` |
/// | `length 3`, `length > 0` | the length of a text, list or map |
/// | `2xx` | a class of statuses |
/// | `not …` | the opposite |
///
/// A list holds when one of it does. A map says the same in words: ``FormatTable/matcher``.
package indirect enum Matcher: Hashable, Sendable, Codable {
    case equals(JSONValue)
    case compares(Comparison, Operand)
    case range(Operand, Operand)
    case matches(String, ignoringCase: Bool)
    case contains(JSONValue)
    case startsWith(String)
    case endsWith(String)
    case exists
    case missing
    case empty
    case type(ValueType)
    case length(Matcher)
    /// `2xx`: 2.
    case statusClass(Int)
    case not(Matcher)
    case any([Matcher])
    case all([Matcher])
    /// All items of a list.
    case each(Matcher)
    /// At least one item of a list.
    case some(Matcher)
    /// What a JSON Schema allows.
    case schema(SchemaReference)

    package enum Comparison: String, Hashable, Sendable, Codable, CaseIterable {
        case atMost = "<="
        case atLeast = ">="
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case greater = ">"
    }

    package enum ValueType: String, Hashable, Sendable, Codable, CaseIterable {
        case string, number, integer, boolean, array, object, null
        /// Texts.
        case date, uuid, ipv4, ipv6
        /// Lists.
        case sorted, unique

        /// Whether it isn't just a type of JSON.
        package var isAboutMore: Bool {
            switch self {
            case .string, .number, .integer, .boolean, .array, .object, .null: false
            case .date, .uuid, .ipv4, .ipv6, .sorted, .unique: true
            }
        }
    }

    /// A number, a duration, a number of bytes, a date; or a template that becomes one.
    package struct Operand: Hashable, Sendable, Codable {
        package var text: String

        package init(_ text: String) { self.text = text }
    }
}

extension Matcher {
    /// What it wants of a value, as a part of a sentence: `to be > 0`, `to be "done"`, `not to exist`.
    var demand: String { demand(.json) }

    /// - Parameter kind: texts are in quotes, where they aren't durations, sizes or the names of failures.
    func demand(_ kind: MatcherKind) -> String {
        switch self {
        case .exists: return "to exist"
        case .matches: return "to match \(self)"
        case .equals(let value): return "to be \(kind.quoted(value))"
        case .contains(let value): return "to contain \(kind.quoted(value))"
        case .startsWith(let text): return "to start with \(kind.quoted(.string(text)))"
        case .endsWith(let text): return "to end with \(kind.quoted(.string(text)))"
        case .type(.null), .type(.sorted), .type(.unique): return "to be \(String("\(self)".dropFirst(3)))"
        case .type(let type): return "to be \("aio".contains(type.rawValue.prefix(1)) ? "an" : "a") \(type.rawValue)"
        case .length(let matcher): return "to have length \(matcher)"
        case .not(let matcher): return "not \(matcher.demand(kind))"
        case .each(let matcher): return "to have only items \(matcher.demand(kind))"
        case .some(let matcher): return "to have an item \(matcher.demand(kind))"
        case .schema(let schema): return "to fit \(schema.path)"
        case .any(let matchers): return Self.joined(matchers.map { $0.demand(kind) }, by: " or ")
        case .all(let matchers): return Self.joined(matchers.map { $0.demand(kind) }, by: " and ")
        case .compares, .range, .missing, .empty, .statusClass: return "to be \(self)"
        }
    }

    /// `to be 200 or 204`, but `to exist or to be empty`.
    private static func joined(_ demands: [String], by word: String) -> String {
        let isAlike = demands.allSatisfy { $0.hasPrefix("to be ") }
        return isAlike
            ? "to be " + demands.map { String($0.dropFirst(6)) }.joined(separator: word) : demands.joined(separator: word)
    }
}

extension Matcher {
    /// Whether a document says what must be.
    var hasSchema: Bool {
        switch self {
        case .schema: true
        case .not(let matcher), .each(let matcher), .some(let matcher): matcher.hasSchema
        case .any(let matchers), .all(let matchers): matchers.contains(where: \.hasSchema)
        default: false
        }
    }

    /// Whether a length is asked for, which of header fields is their number.
    package var hasLength: Bool {
        switch self {
        case .length: true
        case .not(let matcher): matcher.hasLength
        case .any(let matchers), .all(let matchers): matchers.contains(where: \.hasLength)
        default: false
        }
    }
}

extension Matcher: CustomStringConvertible {
    /// As a report shows it, and as a file may write it.
    package var description: String {
        switch self {
        case .equals(.string(let text)): MatcherText.isItself(text) ? text : ScalarWriter.doubleQuoted(text)
        case .equals(let value): value.text(pretty: false)
        case .compares(let comparison, let operand): "\(comparison.rawValue) \(operand.text)"
        case .range(let low, let high): "\(low.text)..\(high.text)"
        case .matches(let pattern, let ignoringCase): "/\(pattern)/\(ignoringCase ? "i" : "")"
        case .contains(.null): "contains null"
        case .contains(let value): "contains \(value.plainText)"
        case .startsWith(let text): "starts with \(text)"
        case .endsWith(let text): "ends with \(text)"
        case .exists: "exists"
        case .missing: "missing"
        case .empty: "empty"
        case .type(let type): "is \(type.rawValue)"
        case .length(let matcher): "length \(matcher)"
        case .statusClass(let digit): "\(digit)xx"
        case .not(let matcher): "not \(matcher)"
        case .any(let matchers): matchers.map(\.description).joined(separator: " or ")
        case .all(let matchers): matchers.map(\.description).joined(separator: " and ")
        case .each(let matcher): "each \(matcher)"
        case .some(let matcher): "any \(matcher)"
        case .schema(let schema): "schema \(schema.path)"
        }
    }
}

extension Matcher {
    /// Changes every text that may have templates. Whatever reads or changes texts of a matcher goes this way.
    ///
    /// - Parameter names: of members of JSON, too.
    package func mapTexts(names: Bool = true, _ change: (String) -> String) -> Matcher {
        switch self {
        case .equals(let value): .equals(value.mapTexts(names: names, change))
        case .contains(let value): .contains(value.mapTexts(names: names, change))
        case .matches(let pattern, let ignoringCase): .matches(change(pattern), ignoringCase: ignoringCase)
        case .startsWith(let text): .startsWith(change(text))
        case .endsWith(let text): .endsWith(change(text))
        case .compares(let comparison, let operand): .compares(comparison, Operand(change(operand.text)))
        case .range(let low, let high): .range(Operand(change(low.text)), Operand(change(high.text)))
        case .length(let matcher): .length(matcher.mapTexts(names: names, change))
        case .not(let matcher): .not(matcher.mapTexts(names: names, change))
        case .each(let matcher): .each(matcher.mapTexts(names: names, change))
        case .some(let matcher): .some(matcher.mapTexts(names: names, change))
        case .any(let matchers): .any(matchers.map { $0.mapTexts(names: names, change) })
        case .all(let matchers): .all(matchers.map { $0.mapTexts(names: names, change) })
        case .schema(let schema): .schema(schema.mapPath(change))
        case .exists, .missing, .empty, .type, .statusClass: self
        }
    }

    /// Names of members aside: they aren't filled in.
    var texts: [String] {
        var texts: [String] = []
        _ = mapTexts(names: false) {
            texts.append($0)
            return $0
        }
        return texts
    }
}
