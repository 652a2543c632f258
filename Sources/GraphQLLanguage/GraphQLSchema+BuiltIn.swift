extension GraphQLSchema {
    static let defaultDeprecation = "No longer supported"

    static let executableLocations = [
        "QUERY", "MUTATION", "SUBSCRIPTION", "FIELD", "FRAGMENT_DEFINITION", "FRAGMENT_SPREAD", "INLINE_FRAGMENT",
        "VARIABLE_DEFINITION",
    ]
    /// The last two are drafts: servers may have them already.
    static let directiveLocations = Set(
        executableLocations + [
            "SCHEMA", "SCALAR", "OBJECT", "FIELD_DEFINITION", "ARGUMENT_DEFINITION", "INTERFACE", "UNION", "ENUM", "ENUM_VALUE",
            "INPUT_OBJECT", "INPUT_FIELD_DEFINITION", "DIRECTIVE_DEFINITION", "FRAGMENT_VARIABLE_DEFINITION",
        ])

    package static var builtInScalars: [TypeDefinition] { builtIn.scalars }
    package static var builtInDirectives: [DirectiveDefinition] { builtIn.directiveList }

    static let builtIn = BuiltIn()

    /// What every server knows (GraphQL, 3.5, 3.13 and 4.2).
    struct BuiltIn: Sendable {
        let scalars: [TypeDefinition]
        let directiveList: [DirectiveDefinition]
        let types: [String: TypeDefinition]
        let directives: [String: DirectiveDefinition]
        let typename: Field
        let rootFields: [Field]

        fileprivate init() {
            var types: [TypeDefinition] = []
            var directives: [DirectiveDefinition] = []
            // The text is ours: it parses.
            for definition in (try? GraphQLDocument(parsing: BuiltIn.sdl))?.typeSystem ?? [] {
                switch definition {
                case .type(let type, _, _): types.append(type)
                case .directive(let directive, _): directives.append(directive)
                case .schema: break
                }
            }
            scalars = types.filter { $0.kind == .scalar }
            directiveList = directives
            self.types = Dictionary(types.map { ($0.name, $0) }) { $1 }
            self.directives = Dictionary(directives.map { ($0.name, $0) }) { $1 }
            let fields = self.types["__Root"]?.fields ?? []
            rootFields = Array(fields.dropLast())
            typename = fields.last ?? Field(name: "__typename", type: .nonNull(.named("String")))
        }

        /// `__Root` holds the fields that aren't a type's own.
        private static let sdl = #"""
            "A signed whole number of 32 bits" scalar Int
            "A number of double precision (IEEE 754)" scalar Float
            "Text" scalar String
            "true or false" scalar Boolean
            "An identifier: text, which may be written as a whole number" scalar ID
            "Leaves this out when the condition holds" directive @skip(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
            "Leaves this out unless the condition holds" directive @include(if: Boolean!) on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
            directive @deprecated(reason: String = "No longer supported")
                on FIELD_DEFINITION | ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION | ENUM_VALUE
            directive @specifiedBy(url: String!) on SCALAR
            directive @oneOf on INPUT_OBJECT
            type __Root {
                "The schema of this server" __schema: __Schema!
                "A type of the schema" __type(name: String!): __Type
                "The name of the object's type" __typename: String!
            }
            type __Schema {
                description: String types: [__Type!]! queryType: __Type! mutationType: __Type subscriptionType: __Type
                directives: [__Directive!]!
            }
            type __Type {
                kind: __TypeKind! name: String description: String specifiedByURL: String
                fields(includeDeprecated: Boolean = false): [__Field!] interfaces: [__Type!] possibleTypes: [__Type!]
                enumValues(includeDeprecated: Boolean = false): [__EnumValue!]
                inputFields(includeDeprecated: Boolean = false): [__InputValue!] ofType: __Type isOneOf: Boolean
            }
            enum __TypeKind { SCALAR OBJECT INTERFACE UNION ENUM INPUT_OBJECT LIST NON_NULL }
            type __Field {
                name: String! description: String args(includeDeprecated: Boolean = false): [__InputValue!]! type: __Type!
                isDeprecated: Boolean! deprecationReason: String
            }
            type __InputValue {
                name: String! description: String type: __Type! defaultValue: String isDeprecated: Boolean! deprecationReason: String
            }
            type __EnumValue { name: String! description: String isDeprecated: Boolean! deprecationReason: String }
            type __Directive {
                name: String! description: String isRepeatable: Boolean! locations: [__DirectiveLocation!]!
                args(includeDeprecated: Boolean = false): [__InputValue!]!
            }
            enum __DirectiveLocation {
                QUERY MUTATION SUBSCRIPTION FIELD FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT VARIABLE_DEFINITION
                SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION ENUM ENUM_VALUE INPUT_OBJECT
                INPUT_FIELD_DEFINITION
            }
            """#
    }
}
