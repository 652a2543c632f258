import GraphQLLanguage
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalUI
import Testing

@testable import Explorer

/// An explorer on the body of `login`, which is a query.
private func opened(
    _ query: String, operation: String? = nil, variables: String? = nil, schema: String? = birds, columns: Int = 120,
    rows: Int = 40,
    _ change: @escaping (inout RequestDefinition) -> Void = { _ in }
) -> ExplorerDriver {
    let body = BodyDefinition.graphql(.init(query: .text(query), operation: operation, variables: variables))
    var explorer = ExplorerDriver(
        [
            ShopCollection.changed("login") {
                $0.body = body
                change(&$0)
            }
        ], columns: columns, rows: rows)
    explorer.pick("login")
    explorer.press(.focusRequest, .nextTab, .nextTab)
    if let schema { explorer.find(schema) }
    _ = explorer.takeEffects()
    return explorer
}

private let birds = """
    "A language." enum Lang { EN LA @deprecated(reason: "dead") }
    type Query { "One bird." bird(id: ID!): Bird birds(filter: Filter, first: Int = 10): [Bird!]! }
    "A bird." type Bird { id: ID! "The name." name(language: Lang): String! wingspan: Float "Ask." size: Int @deprecated(reason: "ask") }
    input Filter { name: String, isBig: Boolean }
    scalar Date
    scalar Upload
    type Mutation { add(name: String!, born: Date, photo: Upload): Bird }
    """

extension ExplorerDriver {
    /// What the loop answers when the schema is there.
    fileprivate mutating func find(_ sdl: String) {
        guard let source = state.schemaSource, let schema = try? GraphQLSchema(sdl: sdl) else {
            Issue.record("there is no schema")
            return
        }
        send(.schemaFound(source, .found(KnownSchema(schema: schema, age: "asked for today"))))
    }

    fileprivate var frame: String { ExplorerView.frame(for: state, theme: Theme(name: "plain")).text }
    fileprivate var offered: [String] { state.panes.request.completion?.offered.items.map(\.text) ?? [] }
    fileprivate var variables: String? { request?.graphQL?.variables.flatMap { JSONParser.parse($0)?.text(pretty: false) } }

    fileprivate mutating func select(_ label: String) {
        press(.top)
        for _ in 0..<20 {
            if case .field(.graphql(let field)) = state.selectedRequestRow, field.label == label { return }
            press(.down)
        }
        Issue.record("there is no row \(label)")
    }

    fileprivate mutating func set(_ label: String, _ text: String) {
        select(label)
        press(.edit)
        press("C-e C-u")
        type(text)
        press("Enter")
    }
}

@Suite struct `Variables of a query` {
    private let query = """
        query Find($id: ID!, $language: Lang = EN, $first: Int, $born: Date, $filter: Filter) { bird(id: $id) { id } }
        mutation Add($name: String!) { add(name: $name) { id } }
        """

    @Test func `each that the operation declares has a row, whose text is read by its type`() {
        var explorer = opened(query, operation: "Find")
        explorer.set("$id", "7")
        explorer.set("$first", "3")
        explorer.set("$born", "2026-01-02")
        explorer.set("$filter", #"{"isBig": true}"#)
        #expect(explorer.variables == #"{"id":"7","first":3,"born":"2026-01-02","filter":{"isBig":true}}"#)
        explorer.set("$first", "{{count}}")
        explorer.set("$born", "")
        #expect(explorer.variables == #"{"id":"7","first":"{{count}}","filter":{"isBig":true}}"#)
        explorer.select("$filter")
        #expect(explorer.frame.contains("$filter: Filter  {name: String, isBig: Boolean}"))
        explorer.press(.undo)
        #expect(explorer.variables?.contains("2026-01-02") == true)
    }

    @Test func `what is neither JSON nor a template leaves its row open, and says what is`() {
        var explorer = opened(query, operation: "Find")
        explorer.set("$filter", "{big")
        #expect(explorer.state.notice?.text.contains("`{big` isn't JSON") == true)
        #expect(explorer.variables == nil)
    }

    @Test func `an enumeration's values are chosen from, or something else is typed`() {
        var explorer = opened(query, operation: "Find")
        explorer.select("$language")
        explorer.press(.activate)
        guard case .chooser(let chooser) = explorer.state.overlay else { return #expect(Bool(false)) }
        #expect(chooser.items.map(\.title) == ["EN", "LA", "not sent", "something else"])
        #expect(chooser.items[1].detail == "deprecated: dead")
        explorer.press("Home Down Enter")
        #expect(explorer.variables == #"{"language":"LA"}"#)
        explorer.press(.activate)
        explorer.press("End Enter")
        explorer.press("C-u")
        explorer.type("{{lang}}")
        explorer.press("Enter")
        #expect(explorer.variables == #"{"language":"{{lang}}"}"#)
        explorer.press(.deleteRow)
        #expect(explorer.variables == nil)
    }

    @Test func `of several operations one is chosen, and its variables have the rows`() {
        var explorer = opened(query, variables: #"{"id": "7"}"#)
        #expect(explorer.frame.contains("✗ which of the 2 is sent? Enter chooses"))
        explorer.select("operation")
        explorer.press(.activate)
        explorer.press("Down Enter")
        #expect(explorer.request?.graphQL?.operation == "Add")
        #expect(explorer.frame.contains("✗ required"))
        #expect(explorer.frame.contains("✗ not declared by the operation"))
    }

    @Test func `while the query can't be read, the rows of before stay`() {
        var explorer = opened("query Find($id: ID!) { bird(id: $id) { id } }")
        explorer.press(.edit)
        explorer.press("C-End")
        explorer.type("{{{")
        #expect(explorer.state.context?.query?.faults.isEmpty == false)
        #expect(explorer.frame.contains("$id"))
        #expect(opened("query {").frame.contains("variables"))
    }

    @Test func `files have rows where a variable takes one, and take its place`() {
        var explorer = opened("mutation Add($photo: Upload!) { add(name: \"a\", photo: $photo) { id } }")
        #expect(explorer.frame.contains("✗ required"))
        explorer.press(.addRow)
        explorer.type("photo")
        explorer.press("Enter")
        explorer.type("swift.png")
        explorer.press("Enter")
        #expect(explorer.request?.graphQL?.files.map(\.value) == ["swift.png"])
        #expect(!explorer.frame.contains("✗ required"))
    }
}

@Suite struct `A query that is being edited` {
    @Test func `fields are offered as they are typed, Tab takes the first, and Esc closes only the popup`() {
        var explorer = opened("{  }")
        explorer.press(.edit)
        explorer.press("Right Right")
        explorer.type("bi")
        #expect(explorer.offered == ["bird", "birds"])
        explorer.press("Tab")
        #expect(explorer.state.panes.request.body.text == "{ bird }")
        #expect(explorer.offered == [])
        explorer.type("s")
        #expect(explorer.offered == [])
        explorer.press("Backspace C-Space")
        #expect(explorer.offered == ["bird", "birds"])
        explorer.press("Esc")
        #expect(explorer.offered == [])
        #expect(explorer.state.panes.request.editing == .body)
        explorer.press("Esc")
        #expect(explorer.state.panes.request.editing == nil)
        #expect(explorer.request?.graphQL?.text == "{ bird }")
    }

    @Test func `Enter ends the line until somebody has gone through the list`() {
        var explorer = opened("{ b }")
        explorer.press(.edit)
        explorer.press("Right Right Right")
        explorer.type("i")
        explorer.press("Enter")
        #expect(explorer.state.panes.request.body.text == "{ bi\n }")
        explorer.press("Backspace")
        explorer.type("r")
        explorer.press("Down Enter")
        #expect(explorer.state.panes.request.body.text == "{ birds }")
        explorer.press("M-u")
        #expect(explorer.state.panes.request.body.text == "{ bir }")
    }

    @Test func `an argument brings its colon along, and its values are offered next`() {
        var explorer = opened("{ bird(id: 1) { name } }")
        explorer.press(.edit)
        explorer.press("C-End Left Left Left Left")
        explorer.type("(")
        #expect(explorer.offered == ["language: "])
        explorer.press("Tab")
        #expect(explorer.state.panes.request.body.text == "{ bird(id: 1) { name(language:  } }")
        #expect(explorer.offered == ["EN", "LA", "null"])
        explorer.press("Tab")
        #expect(explorer.state.panes.request.body.text == "{ bird(id: 1) { name(language: EN } }")
    }

    @Test func `what is deprecated says so and why, also when nothing else is offered`() {
        var explorer = opened("{ bird(id: 1) {  } }")
        explorer.press(.edit)
        explorer.press("End Left Left Left Left")
        explorer.type("si")
        #expect(explorer.offered == ["size"])
        #expect(explorer.frame.contains("deprecated: ask"))
    }

    @Test func `nothing is in the way in texts, comments and numbers, behind a paste, or without a schema`() {
        var explorer = opened("{ bird(id: \"\") { id } } #")
        explorer.press(.edit)
        explorer.press("C-End")
        explorer.type("bi")
        #expect(explorer.offered == [])
        explorer.press("Home")
        for _ in 0..<12 { explorer.press("Right") }
        explorer.type("bi")
        #expect(explorer.offered == [])
        explorer.press("Home Right")
        explorer.paste(" bi")
        #expect(explorer.offered == [])
        var other = opened("{  }", schema: nil)
        other.press(.edit)
        other.press("Right")
        other.type("bi")
        #expect(other.offered == [])
        other.press("C-Space")
        #expect(other.state.notice?.text.contains("there is no schema yet") == true)
    }

    @Test func `the line below says the fault of the cursor's line, then the first one, then what stands there`() {
        var explorer = opened("{\n  bird(id: 7) {\n    nam\n    name\n  }\n}")
        #expect(explorer.frame.contains("✗ line 3: "))
        explorer.press(.edit)
        explorer.press("Down Down End")
        #expect(explorer.frame.contains("✗ ") && !explorer.frame.contains("✗ line"))
        explorer.press("Down End")
        #expect(explorer.frame.contains("✗ line 3: "))
        explorer.press("Up End")
        explorer.type("e")
        explorer.press("Esc")
        #expect(explorer.frame.contains("Bird.name(language: Lang): String!  The name."))
    }

    @Test(arguments: [(80, 24), (120, 40), (160, 50)]) func `is drawn with what is offered, which hides no cursor`(
        columns: Int, rows: Int
    ) {
        var explorer = opened(
            "query Find($id: ID!, $language: Lang = EN) {\n  bird(id: $id) {\n    id\n    nme\n    \n  }\n}",
            variables: #"{"id": 7}"#,
            columns: columns, rows: rows)
        expectScreen(explorer.state, "query-\(columns)x\(rows)")
        explorer.press(.edit)
        explorer.press("Down Down Down Down End")
        explorer.type("n")
        expectScreen(explorer.state, "query-completion-\(columns)x\(rows)")
        let frame = ExplorerView.frame(for: explorer.state, theme: Theme(name: "plain"))
        #expect(frame.cursor.map { explorer.state.completionArea?.contains($0) == false } == true)
    }

    @Test func `a click takes what is offered, and one in the text goes there`() throws {
        var explorer = opened("{  }")
        explorer.press(.edit)
        explorer.press("Right Right")
        explorer.type("bi")
        let area = try #require(explorer.state.completionArea)
        explorer.click(area.column + 3, area.row + 2)
        #expect(explorer.state.panes.request.body.text == "{ birds }")
        let text = try #require(explorer.state.requestTextArea)
        explorer.click(text.column + 2, text.row)
        #expect(explorer.state.panes.request.body.cursor.offset == 0)
    }
}

@Suite struct `The schema of a query` {
    @Test func `a kept one is looked for when the request is shown, and the server is asked by the command alone`() {
        var explorer = ExplorerDriver([ShopCollection.changed("login") { $0.body = .graphql(.init(query: .text("{ a }"))) }])
        explorer.pick("login")
        let source = explorer.state.schemaSource!
        #expect(explorer.takeEffects().contains(.loadSchema(source)))
        explorer.send(.schemaFound(source, .nothing))
        explorer.press(.askSchema)
        let asked = explorer.takeEffects().compactMap { effect in
            if case .askSchema(source, let definition, _, _) = effect { definition } else { nil }
        }
        #expect(asked.map(\.graphQL?.text) == [GraphQLSchema.introspectionQuery])
        explorer.press(.askSchema)
        #expect(explorer.state.notice?.text == "the schema is on its way")
        explorer.send(.schemaFound(source, .failed("no")))
        #expect(explorer.state.notice == Notice(.warning, "no"))
        explorer.press(.askSchema)
        #expect(!explorer.takeEffects().isEmpty)
    }

    @Test func `the request that asks keeps its URL, headers and needs, and nothing that is about its answer`() throws {
        var explorer = opened("{ a }", schema: nil) {
            $0[.captures] = [.init(name: "id", value: ".id")]
            $0.headers = [.init(name: "x-a", value: "1")]
            $0[.needs] = [.init(name: "orders/list", value: "")]
            $0.settings.savesResponse = "a.json"
        }
        explorer.send(.schemaFound(explorer.state.schemaSource!, .nothing))
        explorer.press(.askSchema)
        guard case .askSchema(_, let asked, _, _)? = explorer.takeEffects().last else { return #expect(Bool(false)) }
        #expect(asked.captures.isEmpty && asked.settings.savesResponse == nil)
        #expect(asked.headers.count == 1 && asked.needs.count == 1)
    }

    @Test func `what tells servers apart has the variables' values, and no secret`() {
        func source(_ change: @escaping (inout RequestDefinition) -> Void) -> SchemaSource? {
            opened("{ a }", schema: nil, change).state.schemaSource
        }
        let plain = source { _ in }
        #expect(plain == .server("http://127.0.0.1:8080/login\n"))
        let bearer = source { $0.auth = .bearer("top-secret") }
        #expect(bearer != plain && !"\(String(describing: bearer))".contains("top-secret"))
        #expect(source { $0.settings.graphQLSchema = "birds.graphql" } == .file("/shop/birds.graphql", in: "/shop"))
    }

    @Test func `a body of another kind has none, and that is said`() {
        var explorer = ExplorerDriver()
        explorer.pick("login")
        explorer.press(.askSchema)
        #expect(explorer.state.notice?.text.contains("this request has none") == true)
    }
}
