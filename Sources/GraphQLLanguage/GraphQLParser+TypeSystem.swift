extension GraphQLParser {
    typealias Schema = GraphQLSchema

    /// A definition or an extension of the type system (GraphQL, 3). Directives that are applied to it say only what introspection says
    /// too: deprecations, where a scalar is specified, and whether an input object has exactly one field.
    mutating func typeSystemDefinition(description: String?, start: Int) throws(Fault) -> GraphQLDocument.TypeSystemDefinition {
        let isExtension = description == nil && skip(keyword: "extend")
        let keyword = token.kind == .name ? lexer.text(token.range) : ""
        switch keyword {
        case "schema":
            take()
            let directives = try directives(isConstant: true)
            // The roots may be missing where directives extend a schema, and where it is as usual: `schema @link(…)`.
            let roots = directives.isEmpty || isAt("{") ? try roots() : [:]
            return .schema(description: description, roots: roots, isExtension: isExtension, range: start..<end)
        case "directive" where !isExtension:
            take()
            return .directive(try directive(description: description), range: start..<end)
        default:
            guard let kind = Self.kinds[keyword] else {
                throw unexpected("a definition: query, mutation, subscription, fragment or a type")
            }
            take()
            let type = try type(kind, description: description, isExtension: isExtension)
            return .type(type, isExtension: isExtension, range: start..<end)
        }
    }

    private static let kinds: [String: Schema.TypeDefinition.Kind] = [
        "scalar": .scalar, "type": .object, "interface": .interface, "union": .union, "enum": .enum, "input": .inputObject,
    ]

    private mutating func roots() throws(Fault) -> [GraphQLDocument.OperationKind: Name] {
        let roots = try many("{", "}") { parser throws(Fault) in
            guard
                let kind = GraphQLDocument.OperationKind(
                    rawValue: parser.token.kind == .name ? parser.lexer.text(parser.token.range) : "")
            else { throw parser.unexpected("query, mutation or subscription") }
            parser.take()
            try parser.expect(":")
            return (kind, try parser.name("a type"))
        }
        return Dictionary(roots) { $1 }
    }

    private mutating func type(
        _ kind: Schema.TypeDefinition.Kind, description: String?, isExtension: Bool
    ) throws(Fault) -> Schema.TypeDefinition {
        var type = Schema.TypeDefinition(kind: kind, name: try name("the type's name").text, description: description)
        let nameEnd = end
        if kind == .object || kind == .interface, skip(keyword: "implements") {
            type.interfaces = try separated(by: "&") { parser throws(Fault) in try parser.name("an interface").text }
        }
        let directives = try directives(isConstant: true)
        type.specifiedByURL = Self.text("url", of: "specifiedBy", in: directives)
        switch kind {
        case .scalar: break
        case .object, .interface: type.fields = try optionalMany("{", "}") { parser throws(Fault) in try parser.field() }
        case .union where skip("="):
            type.members = try separated(by: "|") { parser throws(Fault) in try parser.name("a type").text }
        case .union: break
        case .enum: type.enumValues = try optionalMany("{", "}") { parser throws(Fault) in try parser.enumValue() }
        case .inputObject:
            type.isOneOf = directives.contains { $0.name.text == "oneOf" }
            type.inputFields = try optionalMany("{", "}") { parser throws(Fault) in try parser.inputValue() }
        }
        if isExtension, end == nameEnd { throw unexpected("what the extension adds") }
        return type
    }

    /// One or more; the separator may stand before the first too.
    private mutating func separated<Node>(
        by separator: Unicode.Scalar, _ read: (inout Self) throws(Fault) -> Node
    ) throws(Fault) -> [Node] {
        _ = skip(separator)
        var nodes: [Node] = []
        repeat { nodes.append(try read(&self)) } while skip(separator)
        return nodes
    }

    private mutating func field() throws(Fault) -> Schema.Field {
        let description = description()
        let name = try name("a field").text
        let arguments = try argumentDefinitions()
        try expect(":")
        let type = try type()
        return Schema.Field(
            name: name, description: description, arguments: arguments, type: type, deprecation: try deprecation())
    }

    private mutating func argumentDefinitions() throws(Fault) -> [Schema.InputValue] {
        try optionalMany("(", ")") { parser throws(Fault) in try parser.inputValue() }
    }

    private mutating func inputValue() throws(Fault) -> Schema.InputValue {
        let description = description()
        let name = try name("the name of an argument or an input field").text
        try expect(":")
        let type = try type()
        let defaultValue = skip("=") ? try value(isConstant: true).value : nil
        return Schema.InputValue(
            name: name, description: description, type: type, defaultValue: defaultValue, deprecation: try deprecation())
    }

    private mutating func enumValue() throws(Fault) -> Schema.EnumValue {
        let description = description()
        if ["true", "false", "null"].contains(where: { isAt(keyword: $0) }) { throw unexpected("an enum value") }
        let name = try name("an enum value").text
        return Schema.EnumValue(name: name, description: description, deprecation: try deprecation())
    }

    private mutating func directive(description: String?) throws(Fault) -> Schema.DirectiveDefinition {
        try expect("@")
        let name = try name("the directive's name").text
        let arguments = try argumentDefinitions()
        // A draft, as of 2026: directives of directives.
        _ = try directives(isConstant: true)
        let isRepeatable = skip(keyword: "repeatable")
        guard skip(keyword: "on") else { throw unexpected("on, and where the directive may stand") }
        let locations = try separated(by: "|") { parser throws(Fault) in
            let name = try parser.name("a directive's location")
            guard Schema.directiveLocations.contains(name.text) else {
                throw parser.fault("\(name.text) is no place where a directive can stand.", name.range)
            }
            return name.text
        }
        return Schema.DirectiveDefinition(
            name: name, description: description, arguments: arguments, isRepeatable: isRepeatable, locations: locations)
    }

    private mutating func deprecation() throws(Fault) -> String? {
        let directives = try directives(isConstant: true)
        guard directives.contains(where: { $0.name.text == "deprecated" }) else { return nil }
        return Self.text("reason", of: "deprecated", in: directives) ?? Schema.defaultDeprecation
    }

    private static func text(_ argument: String, of directive: String, in directives: [GraphQLDocument.Directive]) -> String? {
        let arguments = directives.first { $0.name.text == directive }?.arguments
        guard case .string(let text)? = arguments?.first(where: { $0.name.text == argument })?.value.value else { return nil }
        return text
    }
}
