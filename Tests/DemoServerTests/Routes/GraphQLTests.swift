import Foundation
import GraphQLLanguage
import Testing

@testable import DemoServer

@Suite struct GraphQLTests {
    private static let json = ["Content-Type: application/json"]

    private static func answer(_ body: String, fields: [String] = json) async throws -> JSON {
        try await answer(body, fields: fields, of: DemoServer())
    }

    private static func answer(_ body: String, fields: [String] = json, of server: DemoServer) async throws -> JSON {
        let response = try await server.call("POST", "/graphql", fields: fields, body: Array(body.utf8))
        return try JSONDecoder().decode(JSON.self, from: Data(response.body))
    }

    @Test func `fields, aliases, fragments, directives and variables are executed`() async throws {
        let query = """
            query Q($n: String!, $no: Boolean = false) { one: bird(name: $n) { ...f length @include(if: $no) __typename } birds(habitat: TOWN) { name } } \
            fragment f on Bird { latin ... on Bird { eats } }
            """
        let answer = try await Self.answer(
            JSON.object([.init(name: "query", value: .string(query)), .init(name: "variables", value: ["n": "jay"])]).line)
        #expect(answer["data"]?["one"]?["latin"] == "Garrulus glandarius")
        #expect(answer["data"]?["one"]?["eats"] == ["acorns", "insects"])
        #expect(answer["data"]?["one"]?["length"] == nil && answer["data"]?["one"]?["__typename"] == "Bird")
        #expect(answer["data"]?["birds"] == [["name": "swift"]])
        #expect(answer["errors"] == nil)
    }

    @Test func `a field that fails is null, with its path among the errors`() async throws {
        let answer = try await Self.answer(#"{"query":"{ bird(name: \"dodo\") { name } birds { name } }"}"#)
        #expect(answer["data"]?["bird"] == .null && answer["data"]?["birds"] != .null)
        guard case .array(let errors)? = answer["errors"] else {
            Issue.record("no errors")
            return
        }
        #expect(errors.count == 1 && errors[0]["path"] == ["bird"])
    }

    @Test(
        arguments: [
            (#"{"query":"{ birds { nam } }"}"#, "nam"), (#"{"query":"{ birds { "}"#, "The text ends"),
            (#"{"query":"query($n: String!) { bird(name: $n) { name } }"}"#, "$n"),
            (#"{"query":"query A { birds { name } } query B { birds { name } }"}"#, "2 operations"),
        ])
    func `what isn't valid isn't executed`(body: String, words: String) async throws {
        let answer = try await Self.answer(body)
        #expect(answer["data"] == nil)
        #expect(answer["errors"]?.line.contains(words) == true, "\(answer.line)")
    }

    @Test func `what isn't valid is a 400 to those who take GraphQL's own type`() async throws {
        let server = try await DemoServer()
        let fields = Self.json + ["Accept: application/graphql-response+json"]
        let wrong = try await server.call("POST", "/graphql", fields: fields, body: Array(#"{"query":"{ x }"}"#.utf8))
        let right = try await server.call("POST", "/graphql", fields: fields, body: Array(#"{"query":"{ birds { name } }"}"#.utf8))
        #expect(wrong.status == 400 && right.status == 200)
        #expect(right["content-type"] == "application/graphql-response+json")
    }

    @Test func `a query by GET stands in the URL, and a mutation may not`() async throws {
        let server = try await DemoServer()
        let response = try await server.call("GET", "/graphql?query=%7Bbirds%7Bname%7D%7D")
        #expect(response.status == 200 && response.text.contains("turnstone"))
        let mutation = try await server.call(
            "GET", "/graphql?query=mutation%7Breport(sighting:%7Bbird:%22jay%22%7D)%7Bcount%7D%7D")
        #expect(mutation.status == 405)
    }

    @Test func `a hash is known once its query has come with it`() async throws {
        let server = try await DemoServer()
        let extensions = #""extensions":{"persistedQuery":{"version":1,"sha256Hash":"abc"}}"#
        let first = try await Self.answer("{\(extensions)}", of: server)
        #expect(first["errors"]?.line.contains("PersistedQueryNotFound") == true)
        _ = try await Self.answer(#"{"query":"{ birds { name } }",\#(extensions)}"#, of: server)
        #expect(try await Self.answer("{\(extensions)}", of: server)["data"] != nil)
    }

    @Test func `a file takes the place of its variable`() async throws {
        let parts = [
            ("operations", #"{"query":"mutation M($p: Upload!) { upload(picture: $p) { name bytes } }","variables":{"p":null}}"#),
            ("map", #"{"0":["variables.p"]}"#),
        ].map { "--B\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n" }.joined()
        let body = parts + "--B\r\nContent-Disposition: form-data; name=\"0\"; filename=\"a.png\"\r\n\r\n12345\r\n--B--\r\n"
        let answer = try await Self.answer(body, fields: ["Content-Type: multipart/form-data; boundary=B"])
        #expect(answer["data"]?["upload"]?["bytes"] == 5 && answer["data"]?["upload"]?["name"] == "a.png")
    }

    @Test func `a subscription sends an event a line, and then that it is complete`() async throws {
        let server = try await DemoServer()
        let response = try await server.call(
            "POST", "/graphql", fields: Self.json + ["Accept: text/event-stream"],
            body: Array(#"{"query":"subscription { sightings(to: 2) { number } }"}"#.utf8))
        #expect(response.text.contains("event: next\ndata: {\"data\":{\"sightings\":{\"number\":2}}}\n\nevent: complete"))
    }

    @Test func `introspection tells of all types, and the schema that is read of it is the same`() async throws {
        let query = JSON.object([.init(name: "query", value: .string(GraphQLSchema.introspectionQuery))]).line
        let answer = try await Self.answer(query)
        #expect(answer["errors"] == nil, "\(answer["errors"]?.line ?? "")")
        let schema = try GraphQLSchema(introspection: (answer["data"] ?? .null).graphQL)
        #expect(Set(schema.types.map(\.name)) == Set(BirdGraph.schema.types.map(\.name)))
        #expect(schema.type(named: "SightingInput") == BirdGraph.schema.type(named: "SightingInput"))
        #expect(schema.type(named: "Bird") == BirdGraph.schema.type(named: "Bird"))
    }
}
