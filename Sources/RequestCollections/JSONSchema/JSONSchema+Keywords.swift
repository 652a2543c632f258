import NetworkLayer

extension JSONSchema {
    /// What stands where a keyword does, and is none that anybody knows: it checks nothing.
    struct UnknownKeyword: Hashable, Sendable {
        var name: String
        /// The file's path.
        var file: String

        var message: String {
            let near = nearestName(to: name, in: keywords.sorted()).map { "; did you mean `\($0)`?" } ?? ""
            return "`\(name)` in the schema \(file) checks nothing: JSON Schema has no such keyword\(near)"
        }
    }

    /// Those of all drafts and of OpenAPI 3.0.
    private static let keywords: Set<String> = [
        "$id", "$schema", "$ref", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor", "$vocabulary",
        "$comment",
        "$defs", "id", "definitions", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies",
        "prefixItems", "items", "additionalItems", "contains", "properties", "patternProperties", "additionalProperties",
        "propertyNames",
        "unevaluatedItems", "unevaluatedProperties", "type", "enum", "const", "multipleOf", "maximum", "exclusiveMaximum",
        "minimum",
        "exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "maxContains",
        "minContains",
        "maxProperties", "minProperties", "required", "dependentRequired", "format", "contentEncoding", "contentMediaType",
        "contentSchema",
        "title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples", "nullable",
    ]

    /// What programs commonly add to a schema, for people, editors and generators of code; nobody expects a check of it.
    private static let annotations: Set<String> = [
        "example", "discriminator", "xml", "externalDocs", "extends", "disallow", "divisibleBy", "media", "links", "name", "tags",
        "version",
        "author", "license", "errorMessage", "errorMessages", "markdownDescription", "markdownEnumDescriptions", "enumDescriptions",
        "enumNames", "enumTitles", "deprecationMessage", "doNotSuggest", "suggestSortText", "defaultSnippets", "propertyOrder",
        "options",
        "tsType", "tsEnumNames", "javaType", "javaName", "existingJavaType", "goType", "units", "unit", "see", "allowComments",
        "allowTrailingCommas", "instanceof", "typeof", "transform", "faker", "chance", "meta", "metadata",
    ]

    static func isKnown(_ name: String) -> Bool {
        keywords.contains(name) || annotations.contains(name) || name.hasPrefix("x-") || name.hasPrefix("@") || name.hasPrefix("_")
            || name.hasPrefix("//")
    }
}

extension Matcher {
    /// All that are asked for in it.
    var schemas: [SchemaReference] {
        switch self {
        case .schema(let reference): [reference]
        case .not(let matcher), .each(let matcher), .some(let matcher): matcher.schemas
        case .any(let matchers), .all(let matchers): matchers.flatMap(\.schemas)
        default: []
        }
    }
}

extension JSONSchema {
    /// What is wrong with a value; nothing when it fits.
    struct Violation: Hashable, Sendable {
        /// As jq writes it: `.items[0].price`; `.` for all of it.
        var path: String
        /// What stands there; `nil` when that doesn't matter.
        var found: JSONValue?
        /// `a number must be`; with nothing found, all of the sentence.
        var demand: String
        /// The key of the schema that demands it; `nil`: all of the schema.
        var key: String?
        /// Where the schema stands: a URI with a JSON Pointer, and ``key`` at its end.
        var rule: String?

        /// The member at its end.
        var name: String? {
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
            let name = path[path.index(after: end)...].filter { $0 != "\"" && $0 != "]" }
            return Int(name) == nil ? name : nil
        }
    }

    /// What a value for a request breaks of a schema that stands somewhere in the document: where, and the key that demands it.
    ///
    /// What must be there isn't asked: a server gives some of it. Nor is how many of some options fit: a discriminator tells them apart.
    package func firstViolation(of value: JSONValue, as schema: JSONValue) -> (path: String, key: String)? {
        var context = MatchContext()
        let found = violations(of: value, at: Place(schema: schema, base: root), named: "\(root)#", &context)
        return found.first { !["required", "oneOf", nil].contains($0.key) }.map { ($0.path.isEmpty ? "." : $0.path, $0.key ?? "") }
    }

    func violations(of value: JSONValue, _ context: inout MatchContext) -> [Violation] {
        guard let place = resources[root] else { return [] }
        return violations(of: value, at: place, named: "\(root)#", &context)
    }

    /// - Parameters:
    ///   - place: of the schema.
    ///   - uri: the same, with its JSON Pointer.
    func violations(of value: JSONValue, at place: Place, named uri: String, _ context: inout MatchContext) -> [Violation] {
        var evaluation = SchemaEvaluation(self, context, at: uri)
        let outcome = evaluation.evaluate(place, value, at: "")
        context = evaluation.context
        return outcome.violations
    }
}

/// A schema as an expectation names it.
package struct SchemaReference: Hashable, Sendable, Codable {
    /// Relative to the file that names it; a template.
    package var path: String
    /// What the file says, once the request is filled in.
    var schema: JSONSchema?
    /// The same of a document of OpenAPI, where that is named.
    var contract: OpenAPIContract?

    init(path: String) { self.path = path }

    func mapPath(_ change: (String) -> String) -> SchemaReference {
        var copy = self
        copy.path = change(path)
        return copy
    }

    private enum CodingKeys: CodingKey {
        case path
    }
}

/// RFC 6901, in the fragment of a URI.
enum JSONPointer {
    /// A step as it stands between two slashes.
    static func escaped(_ key: String) -> String {
        // Most names contain none of these characters.
        guard key.utf8.contains(where: { "~/%".utf8.contains($0) }) else { return key }
        return key.replacing(scalars: "%", with: "%25").replacing(scalars: "~", with: "~0").replacing(scalars: "/", with: "~1")
    }

    /// The steps of what stands behind the `#` of a URI.
    static func steps(_ fragment: Substring) -> [String] {
        let pointer = URLCoding.percentDecoded(fragment)
        return pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
            $0.replacing(scalars: "~1", with: "/").replacing(scalars: "~0", with: "~")
        }
    }
}

/// A number of JSON, to the last digit where that is possible.
struct SchemaNumber {
    private let digits: String
    private let exact: ExactNumber?

    init(_ digits: String) {
        self.digits = digits
        exact = ExactNumber(digits)
    }

    func complaints(_ schema: JSONValue, _ value: JSONValue, _ path: String) -> [JSONSchema.Violation] {
        var found: [JSONSchema.Violation] = []
        func check(_ key: String, _ words: String, _ holds: (SchemaNumber) -> Bool) {
            guard case .number(let limit)? = schema[key], !holds(SchemaNumber(limit)) else { return }
            found.append(.init(path: path, found: value, demand: "\(words) \(limit) must be", key: key))
        }
        // In draft 4 these are true or false, and say how the limit is meant.
        let (noMinimum, noMaximum) = (schema["exclusiveMinimum"] == .boolean(true), schema["exclusiveMaximum"] == .boolean(true))
        check("minimum", noMinimum ? "more than" : "at least") { noMinimum ? $0.isLess(than: self) : !isLess(than: $0) }
        check("maximum", noMaximum ? "less than" : "at most") { noMaximum ? isLess(than: $0) : !$0.isLess(than: self) }
        check("exclusiveMinimum", "more than") { $0.isLess(than: self) }
        check("exclusiveMaximum", "less than") { isLess(than: $0) }
        check("multipleOf", "a multiple of", isMultiple(of:))
        return found
    }

    private func isLess(than other: SchemaNumber) -> Bool {
        if let exact, let limit = other.exact { return exact < limit }
        return (Double(digits) ?? 0) < (Double(other.digits) ?? 0)
    }

    /// In decimals, as both are written: 0.3 is a multiple of 0.1.
    private func isMultiple(of other: SchemaNumber) -> Bool {
        if let exact, let step = other.exact, let known = exact.isMultiple(of: step) { return known }
        guard let one = Double(digits), let step = Double(other.digits), step != 0 else { return false }
        return one.truncatingRemainder(dividingBy: step) == 0
    }
}
