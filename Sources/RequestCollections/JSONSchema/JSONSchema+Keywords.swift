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
