import GraphQLLanguage
import Testing

@Suite struct SchemaTests {
    @Test func `SDL that is printed is the same schema again`() throws {
        let schema = CorpusTests.schema
        let text = schema.sdl()
        #expect(try GraphQLSchema(sdl: text) == schema)
        #expect(
            text.contains(
                "\"\"\"Marks what a field costs.\"\"\"\ndirective @cost(\n    \"\"\"In points\"\"\"\n    points: Int! = 1\n"))
        #expect(text.contains("    PLATT @deprecated(reason: \"Use DIALECT.\")\n"))
        #expect(text.contains("    name(language: Language = ENGLISH): String!\n"))
        #expect(text.contains("input BirdKey @oneOf {"))
        #expect(text.contains("scalar DateTime @specifiedBy(url: \"https://scalars.example/date-time\")"))
        #expect(text.contains("type Station implements Place & Named & Node {"))
        #expect(text.hasPrefix("\"\"\"What ringers see and write down.\"\"\"\nschema {\n    query: Query\n"))
    }

    @Test(arguments: [
        "a", "a\"", "a\\", "\"\"\"", "two\nlines", " indented", "a\n  b", "\n", "", "tab\tin", "\u{1}", "a\n\"\"\"\"\nb", "x\n\ny",
        "é\r\n",
    ])
    func `a description survives`(description: String) throws {
        let quoted = GraphQLValue.string(description).description
        let schema = try GraphQLSchema(sdl: "\(quoted) type Query { \(quoted) a(\(quoted) b: Int): Int }")
        let again = try GraphQLSchema(sdl: schema.sdl())
        #expect(again == schema)
        #expect(again.types[0].fields[0].arguments[0].description == description)
    }

    @Test func `extensions become part of what they extend`() throws {
        let schema = try GraphQLSchema(
            sdl: """
                extend type Query { b: Int }
                type Query { a: Int }
                extend type Wing implements Node { span: Int }
                extend schema @link(url: "x") { mutation: Wing }
                """)
        #expect(schema.types.map(\.name) == ["Query", "Wing"])
        #expect(schema.type(named: "Query")?.fields.map(\.name) == ["a", "b"])
        #expect(schema.roots == [.query: "Query", .mutation: "Wing"])
        #expect(schema.sdl().hasPrefix("schema {\n    query: Query\n    mutation: Wing\n}\n"))
    }

    @Test(arguments: [
        "type A { a: Int } type A { b: Int }", "directive @a on FIELD directive @a on FIELD",
        "schema { query: A } schema { query: A }", "{ a }",
    ])
    func `what is there twice, and a query, is no schema`(sdl: String) {
        #expect(throws: GraphQLFault.self) { try GraphQLSchema(sdl: sdl) }
    }

    @Test func `a schema can be told from introspection`() throws {
        let schema = try GraphQLSchema(introspection: try value(Self.answer))
        #expect(
            schema.sdl() == """
                schema {
                    query: Root
                }

                directive @cost(points: Int = 1) on FIELD

                \"\"\"Where it begins\"\"\"
                type Root implements Node {
                    bird(id: ID!, in: [Lang!] = [EN]): [Root!]! @deprecated
                }

                interface Node {
                    id: ID
                }

                union Any = Root

                enum Lang {
                    EN
                    LA @deprecated(reason: "dead")
                }

                input Filter {
                    text: String = "x"
                }

                """)
        #expect(
            schema.faults(
                in: try GraphQLDocument(
                    parsing: "{ __schema { types { name isOneOf } } bird(id: 1) { bird(id: 2) { __typename } } }")
            ).map(\.column) == [27])
    }

    @Test(arguments: [
        ("null", "data.__schema.types"), ("{data: null, errors: [{message: \"Forbidden\"}]}", "errors[0].message"),
        ("{__schema: {types: [{kind: \"OBJECT\"}]}}", "__schema.types[0].name"),
        (
            "{types: [{kind: \"OBJECT\", name: \"A\", fields: [{name: \"a\", type: {kind: \"LIST\", ofType: null}}]}]}",
            "__schema.types[0].fields[0].ofType"
        ),
    ])
    func `what can't be read has a path`(answer: String, path: String) throws {
        let answer = try value(answer)
        do throws(GraphQLFault) {
            _ = try GraphQLSchema(introspection: answer)
            Issue.record("it was read")
        } catch {
            #expect(error.path == path)
        }
    }

    @Test(arguments: [GraphQLSchema.introspectionQuery, GraphQLSchema.oldIntrospectionQuery])
    func `an introspection query is valid, and asks for nine wrappers`(query: String) throws {
        #expect(CorpusTests.schema.faults(in: try GraphQLDocument(parsing: query)) == [])
        #expect(query.ranges(of: "ofType").count == 9)
    }

    @Test func `an old server is asked for what it knows`() {
        for word in ["isOneOf", "specifiedBy", "isRepeatable", "args(include", "inputFields(include"] {
            #expect(!GraphQLSchema.oldIntrospectionQuery.contains(word))
        }
    }

    @Test func `a form knows what a variable is made of`() throws {
        let schema = CorpusTests.schema
        let operation = try GraphQLDocument(
            parsing: "query ($l: [Language!]!, $f: SightingFilter, $k: BirdKey!, $t: DateTime, $b: Bird) { a }"
        ).operations[0]
        let kinds = operation.variables.map { schema.kind(of: $0.type) }
        guard case .enumeration(let values)? = kinds[0], case .inputObject(let fields, isOneOf: false)? = kinds[1],
            case .inputObject(_, isOneOf: true)? = kinds[2]
        else { throw CancellationError() }
        #expect(values.map(\.name) == ["ENGLISH", "FRENCH", "LATIN", "PLATT", "DIALECT"])
        #expect(fields.map(\.name).contains("minimum"))
        #expect(kinds[3] == .scalar("DateTime"))
        #expect(kinds[4] == nil)
    }

    private static let answer = """
        {data: {__schema: {
          queryType: {name: "Root"}, mutationType: null,
          types: [
            {kind: "OBJECT", name: "Root", description: "Where it begins", interfaces: [{name: "Node"}], fields: [
              {name: "bird", isDeprecated: true, args: [
                {name: "id", type: {kind: "NON_NULL", ofType: {kind: "SCALAR", name: "ID"}}},
                {name: "in", type: {kind: "LIST", ofType: {kind: "NON_NULL", ofType: {kind: "ENUM", name: "Lang"}}}, defaultValue: "[EN]"}
              ], type: {kind: "NON_NULL", ofType: {kind: "LIST", ofType: {kind: "NON_NULL", ofType: {kind: "OBJECT", name: "Root"}}}}}
            ]},
            {kind: "INTERFACE", name: "Node", fields: [{name: "id", type: {kind: "SCALAR", name: "ID"}}], possibleTypes: [{name: "Root"}]},
            {kind: "UNION", name: "Any", possibleTypes: [{name: "Root"}]},
            {kind: "ENUM", name: "Lang", enumValues: [
              {name: "EN", isDeprecated: false}, {name: "LA", isDeprecated: true, deprecationReason: "dead"}
            ]},
            {kind: "INPUT_OBJECT", name: "Filter", inputFields: [
              {name: "text", type: {kind: "SCALAR", name: "String"}, defaultValue: "\\"x\\""}
            ]},
            {kind: "SCALAR", name: "ID"}, {kind: "FUTURE", name: "Thing"},
            {kind: "OBJECT", name: "__Type", fields: [{name: "name", type: {kind: "SCALAR", name: "String"}}]}
          ],
          directives: [{name: "cost", locations: ["FIELD"], args: [
            {name: "points", type: {kind: "SCALAR", name: "Int"}, defaultValue: "1"}
          ]}]
        }}}
        """

    @Test(arguments: ["Bad Name", "1st", "", "\u{1B}[31m", "‹masked›"])
    func `what can't be written in the schema's language isn't read from an answer`(name: String) {
        let type = GraphQLValue.object([.init("kind", .string("SCALAR")), .init("name", .string(name))])
        let answer = GraphQLValue.object([.init("__schema", .object([.init("types", .list([type]))]))])
        let fault = #expect(throws: GraphQLFault.self) { try GraphQLSchema(introspection: answer) }
        #expect(fault?.path == "__schema.types[0].name")
    }
}
