extension GraphQLSchema {
    /// Asks for a schema. Types may have nine wrappers.
    package static let introspectionQuery = introspectionQuery(
        input: "(includeDeprecated: true)", details: "isDeprecated deprecationReason", "isRepeatable")

    /// The query for servers that don't know that arguments can be deprecated and directives repeated, as before 2021.
    package static let oldIntrospectionQuery = introspectionQuery(input: "", details: "", "")

    private static func introspectionQuery(input: String, details: String, _ directive: String) -> String {
        """
        query IntrospectionQuery {
          __schema {
            queryType { name }
            mutationType { name }
            subscriptionType { name }
            types {
              kind
              name
              description
              fields(includeDeprecated: true) {
                name
                description
                args\(input) { ...InputValue }
                type { ...TypeReference }
                isDeprecated
                deprecationReason
              }
              inputFields\(input) { ...InputValue }
              interfaces { name }
              enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason }
              possibleTypes { name }
            }
            directives { name description locations \(directive) args\(input) { ...InputValue } }
          }
        }

        fragment InputValue on __InputValue { name description type { ...TypeReference } defaultValue \(details) }

        fragment TypeReference on __Type {
          kind name
          \((0..<9).reduce("") { wrapped, _ in wrapped.isEmpty ? "ofType { kind name }" : "ofType { kind name \(wrapped) }" })
        }
        """
    }

    /// - Parameter answer: what a server says to ``introspectionQuery`` or a longer one: the whole response, its `data`, or the
    ///   `__schema` in there. Types of an unknown kind are left out.
    /// - Throws: a fault with a path when there is no schema in it, and for a name or a type that is missing.
    package init(introspection answer: GraphQLValue) throws(GraphQLFault) {
        let data = answer["data"] ?? answer
        guard let schema = data["__schema"] ?? (data["types"].map { _ in data }),
            case let types = schema["types"], types?.items != nil
        else {
            if case .string(let message)? = answer["errors"]?.items?.first?["message"] {
                throw GraphQLFault("The server doesn't say its schema: \(message)", path: "errors[0].message")
            }
            throw GraphQLFault(
                "The answer has no list of types in it, so it isn't one to an introspection query.", path: "data.__schema.types")
        }
        var roots: [GraphQLDocument.OperationKind: String] = [:]
        for kind in GraphQLDocument.OperationKind.allCases { roots[kind] = schema["\(kind)Type"]?["name"]?.text }
        self.init(
            description: schema["description"]?.text, roots: roots,
            types: try types.read("__schema.types", Self.type).compactMap(\.self),
            directives: try schema["directives"].read("__schema.directives") { value throws(GraphQLFault) in
                DirectiveDefinition(
                    name: try value.name, description: value["description"]?.text,
                    arguments: try value["args"].read(".args", Self.input),
                    isRepeatable: value["isRepeatable"] == .boolean(true),
                    locations: value["locations"]?.items?.compactMap(\.text) ?? [])
            })
    }

    private static let kinds: [String: TypeDefinition.Kind] = [
        "SCALAR": .scalar, "OBJECT": .object, "INTERFACE": .interface, "UNION": .union, "ENUM": .enum, "INPUT_OBJECT": .inputObject,
    ]

    private static func type(_ value: GraphQLValue) throws(GraphQLFault) -> TypeDefinition? {
        guard let kind = kinds[value["kind"]?.text ?? ""] else { return nil }
        var type = TypeDefinition(kind: kind, name: try value.name, description: value["description"]?.text)
        type.fields = try value["fields"].read(".fields") { value throws(GraphQLFault) in
            Field(
                name: try value.name, description: value["description"]?.text, arguments: try value["args"].read(".args", input),
                type: try value.type("type"), deprecation: value.deprecation)
        }
        type.interfaces = value["interfaces"]?.items?.compactMap { $0["name"]?.text } ?? []
        if kind == .union { type.members = value["possibleTypes"]?.items?.compactMap { $0["name"]?.text } ?? [] }
        type.enumValues = try value["enumValues"].read(".enumValues") { value throws(GraphQLFault) in
            EnumValue(name: try value.name, description: value["description"]?.text, deprecation: value.deprecation)
        }
        type.inputFields = try value["inputFields"].read(".inputFields", input)
        type.specifiedByURL = value["specifiedByURL"]?.text
        type.isOneOf = value["isOneOf"] == .boolean(true)
        return type
    }

    private static func input(_ value: GraphQLValue) throws(GraphQLFault) -> InputValue {
        InputValue(
            name: try value.name, description: value["description"]?.text, type: try value.type("type"),
            defaultValue: value["defaultValue"]?.text.map(constant), deprecation: value.deprecation)
    }

    /// - Returns: `null` for a text that isn't a value: there is a default, whatever it is.
    private static func constant(_ text: String) -> GraphQLValue {
        var parser = GraphQLParser(text)
        let value = try? parser.value(isConstant: true).value
        return parser.token.kind == .end ? value ?? .null : .null
    }
}

extension GraphQLValue? {
    /// What a list holds; nothing where there is no list. A fault's path gets the place of the item in front.
    fileprivate func read<Node>(
        _ path: String, _ read: (GraphQLValue) throws(GraphQLFault) -> Node
    ) throws(GraphQLFault) -> [Node] {
        var nodes: [Node] = []
        for (index, value) in (self?.items ?? []).enumerated() {
            do throws(GraphQLFault) {
                nodes.append(try read(value))
            } catch {
                throw GraphQLFault(error.message, path: "\(path)[\(index)]\(error.path ?? "")")
            }
        }
        return nodes
    }
}

extension GraphQLValue {
    fileprivate var items: [GraphQLValue]? {
        if case .list(let items) = self { items } else { nil }
    }

    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// Why a field, an argument or an enum value is deprecated; `nil`: it isn't.
    fileprivate var deprecation: String? {
        self["isDeprecated"] == .boolean(true) ? self["deprecationReason"]?.text ?? GraphQLSchema.defaultDeprecation : nil
    }

    fileprivate var name: String {
        get throws(GraphQLFault) {
            guard let name = self["name"]?.text else { throw GraphQLFault("A name is missing here.", path: ".name") }
            // A schema is kept in its own language, which has no other names.
            let bytes = name.utf8
            let isName =
                bytes.first.map { !(0x30...0x39).contains($0) } == true
                && bytes.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF) || $0 == 0x5F }
            guard isName else { throw GraphQLFault("What stands here is no name of GraphQL.", path: ".name") }
            return name
        }
    }

    fileprivate func type(_ key: String) throws(GraphQLFault) -> GraphQLType {
        guard let type = self[key], type != .null else {
            throw GraphQLFault("A type is missing here, or has more wrappers than the query asked for.", path: ".\(key)")
        }
        switch type["kind"]?.text {
        case "LIST"?: return .list(try type.type("ofType"))
        case "NON_NULL"?: return .nonNull(try type.type("ofType"))
        default: return .named(try type.name)
        }
    }
}
