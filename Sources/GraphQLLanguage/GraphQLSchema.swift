/// The types and directives that a server knows.
package struct GraphQLSchema: Hashable, Sendable {
    package var description: String?
    /// The names of the root types.
    package var roots: [GraphQLDocument.OperationKind: String] = [:]
    /// As they were given, without ``builtInScalars`` and the types of introspection.
    package private(set) var types: [TypeDefinition] = []
    /// As they were given, without ``builtInDirectives``.
    package private(set) var directives: [DirectiveDefinition] = []
    /// Places in ``types``.
    private var places: [String: Int] = [:]
    /// The types of introspection, as this server has them.
    private var introspectionTypes: [String: TypeDefinition] = [:]
    /// The objects that implement an interface.
    private var implementations: [String: Set<String>] = [:]

    package struct TypeDefinition: Hashable, Sendable {
        package var kind: Kind
        package var name: String
        package var description: String?
        /// The fields of an object or an interface.
        package var fields: [Field] = []
        /// The interfaces that an object or an interface implements.
        package var interfaces: [String] = []
        /// The objects of a union.
        package var members: [String] = []
        package var enumValues: [EnumValue] = []
        package var inputFields: [InputValue] = []
        package var specifiedByURL: String?
        /// Whether an input object has exactly one entry.
        package var isOneOf = false

        package enum Kind: String, Hashable, Sendable, CaseIterable {
            case scalar, object, interface, union, `enum`, inputObject
        }

        var isComposite: Bool { kind == .object || kind == .interface || kind == .union }
        var isInput: Bool { kind == .scalar || kind == .enum || kind == .inputObject }
    }

    package struct Field: Hashable, Sendable {
        package var name: String
        package var description: String?
        package var arguments: [InputValue] = []
        package var type: GraphQLType
        /// The reason; `nil`: it isn't deprecated.
        package var deprecation: String?
    }

    /// An argument, or a field of an input object.
    package struct InputValue: Hashable, Sendable {
        package var name: String
        package var description: String?
        package var type: GraphQLType
        package var defaultValue: GraphQLValue?
        package var deprecation: String?

        package var isRequired: Bool { type.isNonNull && defaultValue == nil }
    }

    package struct EnumValue: Hashable, Sendable {
        package var name: String
        package var description: String?
        package var deprecation: String?
    }

    package struct DirectiveDefinition: Hashable, Sendable {
        /// Without `@`.
        package var name: String
        package var description: String?
        package var arguments: [InputValue] = []
        package var isRepeatable = false
        /// `FIELD`, `QUERY` …
        package var locations: [String] = []
    }

    /// What a value is made of.
    package enum InputKind: Hashable, Sendable {
        case scalar(String)
        case enumeration([EnumValue])
        case inputObject([InputValue], isOneOf: Bool)
    }

    // MARK: Making one

    /// - Parameters:
    ///   - roots: `nil`: the types with the usual names, `Query`, `Mutation` and `Subscription`.
    ///   - types: of several with one name the first counts.
    init(
        description: String?, roots: [GraphQLDocument.OperationKind: String]?, types: [TypeDefinition],
        directives: [DirectiveDefinition]
    ) {
        self.description = description
        self.directives = directives.filter { Self.builtIn.directives[$0.name] == nil }
        for type in types where places[type.name] == nil {
            if type.name.utf8.starts(with: "__".utf8) { introspectionTypes[type.name] = type }
            guard Self.builtIn.types[type.name] == nil else { continue }
            places[type.name] = self.types.count
            self.types.append(type)
            guard type.kind == .object else { continue }
            for interface in type.interfaces { implementations[interface, default: []].insert(type.name) }
        }
        self.roots = roots ?? [:]
        guard roots == nil else { return }
        for kind in GraphQLDocument.OperationKind.allCases where places[Self.usualName(of: kind)] != nil {
            self.roots[kind] = Self.usualName(of: kind)
        }
    }

    static func usualName(of kind: GraphQLDocument.OperationKind) -> String {
        switch kind {
        case .query: "Query"
        case .mutation: "Mutation"
        case .subscription: "Subscription"
        }
    }

    // MARK: Looking up

    /// Built-in ones too.
    package func type(named name: String) -> TypeDefinition? {
        places[name].map { types[$0] } ?? introspectionTypes[name] ?? Self.builtIn.types[name]
    }

    /// Built-in ones too.
    package func directive(named name: String) -> DirectiveDefinition? {
        directives.first { $0.name == name } ?? Self.builtIn.directives[name]
    }

    /// A field of a type; the fields of introspection stand only at the root of a query.
    func field(_ name: String, of type: TypeDefinition) -> Field? {
        if name.utf8.starts(with: "__".utf8), let field = metaFields(of: type).first(where: { $0.name == name }) { return field }
        return type.fields.first { $0.name == name }
    }

    /// `__typename`, and at the root of a query also `__schema` and `__type` (GraphQL, 4).
    func metaFields(of type: TypeDefinition) -> [Field] {
        guard type.isComposite else { return [] }
        return type.name == roots[.query] ? Self.builtIn.rootFields + [Self.builtIn.typename] : [Self.builtIn.typename]
    }

    /// The names of the objects that a value of this type can be (GraphQL, 5.5.2.3.1).
    func possibleTypes(of type: TypeDefinition) -> Set<String> {
        switch type.kind {
        case .object: [type.name]
        case .union: Set(type.members)
        case .interface: implementations[type.name, default: []]
        default: []
        }
    }

    /// Whether a value of the one type can be of the other.
    func canBe(_ first: TypeDefinition, _ second: TypeDefinition) -> Bool {
        first.name == second.name || !possibleTypes(of: first).isDisjoint(with: possibleTypes(of: second))
    }

    /// What a value of this type, or of the items of its lists, is made of; `nil`: no such type, or none for input.
    package func kind(of type: GraphQLType) -> InputKind? {
        guard let definition = self.type(named: type.name) else { return nil }
        return switch definition.kind {
        case .scalar: .scalar(definition.name)
        case .enum: .enumeration(definition.enumValues)
        case .inputObject: .inputObject(definition.inputFields, isOneOf: definition.isOneOf)
        case .object, .interface, .union: nil
        }
    }
}
