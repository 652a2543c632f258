import GraphQLLanguage
import Testing

@Suite struct ValidationTests {
    private func messages(_ text: String) throws -> [String] {
        CorpusTests.schema.faults(in: try GraphQLDocument(parsing: text)).map(\.message)
    }

    @Test(arguments: [
        ("{ brid(id: 1) { id } }", "Query has no field brid. Did you mean bird?"),
        ("{ bird(di: 1, id: 2) { id } }", "Query.bird has no argument di. Did you mean id?"),
        ("{ node(id: 1) { licence } }", "Node has no field licence. Did you mean an inline fragment on Ringer?"),
        ("{ bird(id: 1) { name(language: LATN) } }", "Language has no value LATN. Did you mean LATIN?"),
        ("{ bird(id: 1) { name(language: \"LATIN\") } }", "A value of Language is written without quotes. Did you mean LATIN?"),
        ("{ count(filter: {near: 3, idz: 1}) }", "SightingFilter has no field idz. Did you mean ids?"),
        ("{ count @inclued(if: true) }", "The schema has no directive @inclued. Did you mean @include?"),
        ("{ ... on Brid { id } }", "The schema has no type Brid. Did you mean Bird?"),
        ("query ($id: Sting!) { bird(id: $id) { id } }", "The schema has no type Sting. Did you mean String?"),
        (
            "query ($idd: ID!) { bird(id: $id) { id } count(filter: {ids: [$idd]}) }",
            "The operation has no variable $id. Did you mean $idd?"
        ),
    ])
    func `a fault says what was meant`(query: String, message: String) throws {
        #expect(try messages(query).contains(message))
    }

    @Test func `a fault stands at the name it is about`() throws {
        let text = "# é\n{ bird(id: 1) { nope } }"
        let faults = CorpusTests.schema.faults(in: try GraphQLDocument(parsing: text))
        #expect(faults.map { text.utf8.dropFirst($0.range.lowerBound).prefix($0.range.count).elementsEqual("nope".utf8) } == [true])
    }

    @Test(arguments: [
        "{ bird(id: {{id}}) { name(language: {{language}}) } birds(first: {{n}}, languages: [{{a}}, LATIN]) { id } }",
        "{ count(filter: {near: {{place}}, minimum: {{m}}, ids: {{ids}}}) birdBy(key: {{{which}}: 1}) { id } }",
        "{ {{field}} { anything(at: 1) } bird({{argument}}: 1) { id } bird(id: 2) @{{directive}} { {{x}} {{x}}(a: 1) } }",
        "query ($used: Int) { {{field}} ...Fragment ...{{name}} } fragment {{name}} on Query { count } fragment Other on {{type}} { id }",
        "query (${{variable}}: {{type}}, $b: {{type}}) { birds(first: $b) { id } count(filter: {minimum: $other}) }",
        "{{fragments}} { ...Fragment }",
    ])
    func `nothing is said about a template`(query: String) throws {
        #expect(try messages(query) == [])
    }

    @Test func `a template hides nothing that it can't be`() throws {
        #expect(
            try messages("query Q { {{field}} bird(id: $id) { wings } }") == [
                "The operation Q has no variable $id.", "Bird has no field wings.",
            ])
    }

    @Test func `without a schema the rest is said`() throws {
        let document = try GraphQLDocument(
            parsing: """
                query A($a: Int, $b: Int, $b: Int) { x(y: $c, y: 1) ...F @skip(if: true) @skip(if: false) }
                query A { ...Missing }
                fragment F on T { ...F a: b a: c }
                fragment G on T { any @unknown }
                """)
        #expect(document.faults().map(\.line) == [1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 4])
    }

    @Test func `variables without a value, unknown ones and templates`() throws {
        let operation = try GraphQLDocument(parsing: "query ($key: BirdKey!, $first: Int!, $language: Language) { a }").operations[
            0]
        let faults = { (json: String) in
            CorpusTests.schema.faults(inVariables: try value(json: json), of: operation).map(\.description)
        }
        #expect(
            try faults(#"{"key": {"rnig": 1, "ring": "a"}, "first": 1, "frist": 2}"#) == [
                "$key.rnig: BirdKey has no field rnig. Did you mean ring?",
                "$frist: The operation has no variable of this name. Did you mean $first?",
            ])
        #expect(try faults(#"{"key": "{{key}}", "first": "{{n}}", "language": "x{{l}}"}"#) == [])
        #expect(
            try faults("null") == [
                "$key: The operation needs this variable, of the type BirdKey!.",
                "$first: The operation needs this variable, of the type Int!.",
            ])
        #expect(try faults("[1]").count == 1)
    }

    /// Each would take minutes, or the stack, without a limit.
    @Test(arguments: [
        "{ bird(id: 1) { \((0..<14).reduce("id") { inner, _ in "mate { \(inner) } mate { \(inner) }" }) } }",
        "{ ...F0 } " + (0..<5_000).map { "fragment F\($0) on Query { ...F\($0 + 1) } " }.joined()
            + "fragment F5000 on Query { count }",
        "{ bird(id: 1) { ...F0 ...F1 } } "
            + (0..<1_000).map { "fragment F\($0) on Bird { mate { ...F\($0 + 1) } mate { ...F\($0 + 1) } } " }.joined()
            + "fragment F1000 on Bird { id }",
        "{" + String(repeating: " count", count: 5_000) + "}",
        // Open, so that nothing is said about the fragments that aren't there.
        "{ {{field}}" + (0..<20_000).map { " ...F\($0)" }.joined() + "}",
    ])
    func `the work has a limit`(query: String) throws {
        #expect(try messages(query) == [])
    }

    @Test func `no more than a hundred faults are said`() throws {
        #expect(try messages("{ \((0..<1_000).map { "nope\($0)" }.joined(separator: " ")) }").count == 100)
    }
}
