import Foundation
import HTTPTypes
import NetworkLayer
import Testing

@testable import RequestCollections

/// What is sent for a query.
@Suite struct ResolveGraphQLTests {
    private static func collection(_ request: String) -> RequestCollection {
        RequestCollection.of(
            "turnstone: 1\nvariables: { id: A7, n: 5 }\nrequests: { a: \(request) }", path: "/c/shop.yaml")
    }

    private static func resolve(_ request: String) throws -> ResolvedRequest {
        let collection = collection(request)
        let definition = try #require(collection.request(RequestID(rawValue: "a")))
        #expect(definition.problems == [])
        return try collection.resolve(
            definition, environment: nil, with: TemplateEnvironment(trust: .everything, seed: 1))
    }

    private static func json(_ body: RequestBody?) -> JSONValue? {
        guard case .data(let data)? = body else { return nil }
        return JSONParser.parse(String(decoding: data, as: UTF8.self))
    }

    @Test(
        arguments: [
            ("{ a }", "application/graphql-response+json, application/json;q=0.9"),
            ("mutation { a }", "application/graphql-response+json, application/json;q=0.9"),
            ("subscription { a }", "text/event-stream, application/graphql-response+json, application/json;q=0.9"),
        ])
    func `the type of the answer is asked for, and for a subscription events`(query: String, accept: String) throws {
        #expect(try Self.resolve("{ post: http://h/, body: { graphql: '\(query)' } }").request.headers[.accept] == accept)
        let own = "{ post: http://h/, headers: { accept: a/b }, body: { graphql: '\(query)' } }"
        #expect(try Self.resolve(own).request.headers[.accept] == "a/b")
        let none = "{ post: http://h/, headers: { accept: null }, body: { graphql: '\(query)' } }"
        #expect(try Self.resolve(none).request.headers[.accept] == nil)
    }

    @Test func `which operation is a subscription goes by its name`() throws {
        let query = "query A { a } subscription B { b }"
        let accept = try ["A", "B"].map { name in
            try Self.resolve("{ post: http://h/, body: { graphql: { query: '\(query)', operation: \(name) } } }").request
                .headers[.accept]?.hasPrefix("text/event-stream")
        }
        #expect(accept == [false, true])
    }

    @Test func `a query by GET stands in the URL`() throws {
        let resolved = try Self.resolve(
            "{ get: 'http://h/?x=1', body: { graphql: { query: 'query A($i: ID) { a(i: $i) }', operation: A, variables: { i: '{{id}}' } } } }"
        )
        #expect(resolved.request.body == .none)
        #expect(resolved.request.headers[.contentType] == nil)
        #expect(
            resolved.request.url.absoluteString
                == "http://h/?x=1&query=query%20A%28%24i%3A%20ID%29%20%7B%20a%28i%3A%20%24i%29%20%7D&operationName=A&variables=%7B%22i%22%3A%22A7%22%7D"
        )
    }

    @Test func `of a persisted query the hash goes first, and the whole is at hand`() throws {
        let resolved = try Self.resolve("{ post: http://h/, body: { graphql: { query: '{ a }', persisted: true } } }")
        let first = try #require(Self.json(resolved.request.body))
        #expect(first["query"] == nil)
        #expect(
            first["extensions"]
                == [
                    "persistedQuery": [
                        "version": 1, "sha256Hash": "1c7e1e347f726166b5b1c55afd61f278cc9b45e00c108ec33d540a566379811b",
                    ]
                ])
        let whole = try #require(Self.json(resolved.wholeQuery))
        #expect(whole["query"] == "{ a }")
        #expect(whole["extensions"] == first["extensions"])
    }

    @Test func `a file goes as a part, and null in the place of its variable`() throws {
        let directory = try TemporaryDirectory(["a.png": "png"])
        let path = directory.path("a.png")
        let resolved = try Self.resolve(
            "{ post: http://h/, body: { graphql: { query: 'mutation { a }', variables: { x: 1 }, files: { f: \(path), l.1: \(path), o.p: \(path) } } } }"
        )
        let parts = try #require(resolved.multipart).parts
        #expect(parts.map(\.name) == ["operations", "map", "0", "1", "2"])
        #expect(parts[2].fileName == "a.png" && parts[2].contentType == "image/png")
        func text(_ part: MultipartBody.Part) -> String {
            if case .data(let data) = part.content { String(decoding: data, as: UTF8.self) } else { "" }
        }
        #expect(text(parts[0]) == #"{"query":"mutation { a }","variables":{"x":1,"f":null,"l":[null,null],"o":{"p":null}}}"#)
        #expect(text(parts[1]) == #"{"0":["variables.f"],"1":["variables.l.1"],"2":["variables.o.p"]}"#)
        #expect(resolved.request.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test func `over a WebSocket a query opens the session before its own steps`() throws {
        let resolved = try Self.resolve(
            "{ websocket: ws://h/, body: { graphql: { query: 'subscription { a(i: \"{{id}}\") }', variables: { n: '{{n}}' }, connection: { token: '{{id}}' } } }, messages: [{ send: x }] }"
        )
        let session = try #require(resolved.session)
        #expect(session.subprotocols == ["graphql-transport-ws"])
        #expect(session.isSubscription && session.hasOwnSteps)
        #expect(resolved.request.body == .none && resolved.request.headers[.accept] == nil)
        #expect(session.steps[1].description == "receive body .type is connection_ack within 10s")
        #expect(session.steps[3].description == "send x")
        let sent = session.steps.compactMap { step -> JSONValue? in
            if case .send(.text(let text))? = step.action { JSONParser.parse(text) } else { nil }
        }
        #expect(sent[0]["payload"]?["token"] == "A7")
        #expect(sent[1]["payload"]?["query"] == "subscription { a(i: \"A7\") }")
        #expect(sent[1]["payload"]?["variables"]?["n"] == 5)
        let directory = try TemporaryDirectory(["q.graphql": "subscription {\n  a\n}\n"])
        let read = try Self.resolve("{ websocket: ws://h/, body: { graphql: { file: \(directory.path("q.graphql")) } } }")
        guard case .send(.text(let text))? = read.session?.steps[2].action else {
            Issue.record("no query")
            return
        }
        #expect(JSONParser.parse(text)?["payload"]?["query"] == "subscription {\n  a\n}")
        let named = try Self.resolve("{ websocket: ws://h/, subprotocols: [graphql-ws], body: { graphql: '{ a }' } }")
        #expect(named.session?.subprotocols == ["graphql-ws"] && named.session?.hasOwnSteps == false)
    }

    @Test(
        arguments: [
            ("{ websocket: ws://h/, body: { graphql: { query: '{ a }', persisted: true } } }", "don't go over a `websocket`"),
            ("{ post: http://h/, body: { graphql: { query: '{ a }', connection: {} } } }", "for a subscription over a `websocket`"),
            ("{ get: http://h/, body: { graphql: { query: '{ a }', persisted: true } } }", "send it by `post`"),
            ("{ websocket: ws://h/, body: { graphql: { file: '{{id}}.graphql' } } }", "no templates in its name"),
            (
                "{ post: http://h/, body: { graphql: { query: '{ a }', persisted: true, files: { f: x } } } }",
                "exclude one another"
            ),
        ])
    func `what a query can't have is said`(request: String, words: String) throws {
        let definition = try #require(Self.collection(request).request(RequestID(rawValue: "a")))
        #expect(definition.problems.count == 1)
        #expect(definition.problems.first?.message.contains(words) == true)
    }

    @Test func `a secret in the variables of a query by GET isn't sent`() throws {
        let collection = Self.collection("{ get: http://h/, body: { graphql: { query: '{ a }', variables: { t: '{{id}}' } } } }")
        let error = #expect(throws: ResolutionError.self) {
            try collection.resolve(
                try #require(collection.requests.first), environment: nil, variables: ["id": .string("pa\"ss")],
                secretVariables: ["id": [OriginPattern(Origin(URL(string: "http://h")!)!)]])
        }
        #expect(error?.code == .secret && error?.message.contains("send it by `post`") == true, "\(String(describing: error))")
    }

    @Test func `a type that a folder gives to queries isn't that of uploads`() throws {
        let directory = try TemporaryDirectory(["a.png": "png"])
        let files = "files: { f: \(directory.path("a.png")) }"
        let resolved = try Self.resolve(
            "{ post: http://h/, headers: { content-type: application/json }, body: { graphql: { query: '{ a }', \(files) } } }")
        #expect(resolved.request.headers[.contentType]?.hasPrefix("multipart/form-data; boundary=") == true)
    }

    @Test(arguments: [
        "variables: { p: [1] }, files: { p.1500: x }", "variables: { p: 1 }, files: { p.q: x }",
        "variables: { p: [1] }, files: { p.q: x }",
    ])
    func `a file for which the variables have no place isn't sent`(words: String) {
        let error = #expect(throws: ResolutionError.self) {
            try Self.resolve("{ post: http://h/, body: { graphql: { query: '{ a }', \(words) } } }")
        }
        #expect(error?.message.hasPrefix("the variables have no place for the file `p.") == true)
    }

    @Test func `a file that is off stays off when it is saved`() throws {
        let text =
            "turnstone: 1\nrequests:\n  a:\n    post: http://h/\n    body: { graphql: { query: '{ a }', files: { f: x } } }\n"
        let collection = RequestCollection.of(text)
        let request = try #require(collection.requests.first)
        guard case .graphql(var query)? = request.body else {
            Issue.record("no query")
            return
        }
        query.files[0].isEnabled = false
        var draft = request
        draft.body = .graphql(query)
        let change = try collection.change(to: draft, from: request, in: Array(text.utf8))
        let saved = String(decoding: change.files.first?.after ?? [], as: UTF8.self)
        #expect(saved.contains("enabled: false"), "\(saved)")
        #expect(RequestCollection.of(saved).requests.first?.withoutLocations.body == draft.withoutLocations.body)
    }

    // MARK: What `check` says

    private static func directory(_ graphql: String, _ schema: String?) throws -> TemporaryDirectory {
        try TemporaryDirectory([
            "shop/s.graphql": schema ?? "",
            "shop/_collection.yaml":
                "turnstone: 1\nvariables: { id: A7, n: 5 }\n\(schema == nil ? "" : "defaults: { graphql-schema: s.graphql }\n")",
            "shop/a.yaml": "post: http://h/\nbody: { graphql: \(graphql) }\n",
        ])
    }

    private static func complaints(_ graphql: String, schema: String? = nil) throws -> [String] {
        let directory = try directory(graphql, schema)
        let collection = try RequestCollection.load(path: directory.path("shop"))
        #expect(collection.problems == [])
        let request = try #require(collection.requests.first)
        return collection.complaints(about: request, environment: nil).map(\.message)
    }

    private static let schema =
        "type Query { a(i: ID!): String } input I { x: Int! } type Mutation { m(i: I!, f: F): Int } scalar F"

    @Test(
        arguments: [
            ("'{ a(i: 1) }'", nil), ("'{ a(i: {{n}}) }'", nil), ("'query { a(i: \"{{id}}\") '", "in the query, 1:"),
            ("'{ ...x }'", "in the query, 1:"), ("'query A { a } query B { a }'", "has 2 operations"),
            ("{ query: 'query A { a } query B { b }', operation: C }", "has no operation `C`"),
        ] as [(String, String?)])
    func `without a schema the language alone judges`(graphql: String, words: String?) throws {
        let complaints = try Self.complaints(graphql)
        #expect(complaints.count == (words == nil ? 0 : 1), "\(complaints)")
        if let words { #expect(complaints.first?.contains(words) == true, "\(complaints)") }
    }

    @Test(
        arguments: [
            ("'{ a(i: 1) }'", nil), ("'{ b }'", "in the query, 1:3"), ("'{ a }'", "in the query, 1:3"),
            ("{ query: 'query Q($i: ID!) { a(i: $i) }' }", "in the query's variables, $i"),
            ("{ query: 'query Q($i: ID!) { a(i: $i) }', variables: { i: '{{id}}' } }", nil),
            ("{ query: 'mutation M($i: I!) { m(i: $i) }', variables: { i: { x: true } } }", "$i.x"),
            ("{ query: 'mutation M($i: I!, $f: F!) { m(i: $i, f: $f) }', variables: { i: { x: 1 } }, files: { f: p } }", nil),
        ] as [(String, String?)])
    func `with a schema its fields, arguments and variables are known`(graphql: String, words: String?) throws {
        let complaints = try Self.complaints(graphql, schema: Self.schema).filter { !$0.contains("there is no file `p`") }
        #expect(complaints.count == (words == nil ? 0 : 1), "\(complaints)")
        if let words { #expect(complaints.first?.contains(words) == true, "\(complaints)") }
    }

    @Test func `a credential among the variables is in no complaint`() throws {
        let complaints = try Self.complaints(
            "{ query: 'query Q($password: Int, $n: Int) { a(i: 1) b: a(i: $n) }', variables: { password: hunter2, n: x, m: { token: t0ken } } }",
            schema: "type Query { a(i: Int): String }")
        #expect(!complaints.isEmpty && !"\(complaints)".contains("hunter2") && !"\(complaints)".contains("t0ken"), "\(complaints)")
    }

    @Test func `a mutation by GET is wrong`() throws {
        let collection = RequestCollection.of(
            "turnstone: 1\nrequests: { a: { get: http://h/, body: { graphql: 'mutation { a }' } } }")
        let complaints = collection.complaints(about: try #require(collection.requests.first), environment: nil)
        #expect(complaints.map(\.message) == ["a mutation by `get` is no query that may be repeated; send it by `post`"])
    }

    @Test func `a schema that can't be read is said, with the place in it`() throws {
        #expect(try Self.complaints("'{ a }'", schema: "type Query {").first?.hasPrefix("the schema s.graphql: 1:") == true)
    }

    @Test func `what lies beside a collection of one file isn't read, and that is said`() throws {
        let directory = try TemporaryDirectory([
            "s.graphql": Self.schema,
            "shop.yaml":
                "turnstone: 1\nrequests: { a: { post: http://h/, graphql-schema: s.graphql, body: { graphql: '{ b }' } } }",
        ])
        let collection = try RequestCollection.load(path: directory.path("shop.yaml"))
        #expect(collection.complaints(about: try #require(collection.requests.first), environment: nil) == [])
        let remarks = collection.remarks(about: collection.requests, environment: nil).map(\.message)
        #expect(remarks.count == 1 && remarks[0].hasSuffix("wasn't read: it isn't the collection's own; those of a directory are"))
    }
}
