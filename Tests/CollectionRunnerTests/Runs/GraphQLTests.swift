import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Synchronization
import Testing

@testable import CollectionRunner

@Suite struct GraphQLTests {
    private static func bench(_ request: String, _ answers: [String]) throws -> RunnerBench {
        let left = Mutex(answers)
        return try RunnerBench("requests:\n  job: \(request)\n  next: { get: 'http://shop/{{response(\"job\", \".data.a\")}}' }\n")
        { _ in
            .json(left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] })
        }
    }

    private static let persisted = "{ post: http://shop/graphql, body: { graphql: { query: '{ a }', persisted: true } } }"
    private static let unknown = #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#

    private static func queries(_ bench: RunnerBench) -> [String?] {
        bench.transport.requests.map { request in
            guard case .data(let data) = request.body else { return nil }
            return JSONParser.parse(String(decoding: data, as: UTF8.self))?["query"]?.plainText
        }
    }

    @Test func `a hash that the server knows is all that is sent`() async throws {
        let bench = try Self.bench(Self.persisted, [#"{"data":{"a":1}}"#])
        #expect(try await bench.run("job").isUsable)
        #expect(Self.queries(bench) == [nil])
    }

    @Test func `a hash that it doesn't know is followed by the whole query, once`() async throws {
        let bench = try Self.bench(Self.persisted, [Self.unknown, #"{"data":{"a":1}}"#])
        let result = try await bench.run("job")
        #expect(result.isUsable && result.queryErrors == nil)
        #expect(Self.queries(bench) == [nil, "{ a }"])
        let again = try Self.bench(Self.persisted, [Self.unknown])
        #expect(try await again.run("job").queryErrors?.count == 1)
        #expect(Self.queries(again) == [nil, "{ a }"])
    }

    @Test func `the code of an error says the same as its message`() async throws {
        let bench = try Self.bench(
            Self.persisted,
            [#"{"errors":[{"message":"?","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}]}"#, #"{"data":{"a":1}}"#])
        #expect(try await bench.run("job").isUsable)
        #expect(bench.sent.count == 2)
    }

    @Test func `errors beside data leave the run passed, and its answer of no use to others`() async throws {
        let bench = try Self.bench(
            "{ post: http://shop/graphql, body: { graphql: '{ a b }' } }",
            [#"{"data":{"a":1,"b":null},"errors":[{"message":"no b"},{"message":"nor c"}]}"#])
        let result = try await bench.run("job")
        #expect(result.isPassed && !result.isUsable)
        #expect(result.queryErrors == result.unexpectedQueryErrors)
        #expect(result.queryErrors?.count == 2 && result.queryErrors?.first == "no b")
        let next = try await bench.run("next")
        #expect(next.operation == nil && !next.isPassed)
    }

    @Test func `errors of which something is said are expected`() async throws {
        let bench = try Self.bench(
            "{ post: http://shop/graphql, body: { graphql: '{ a }' }, expect: { body: { '.errors[0].message': no b } } }",
            [#"{"data":{"a":1},"errors":[{"message":"no b"}]}"#])
        #expect(try await bench.run("job").isUsable)
    }

    @Test func `errors in the answer to another body aren't GraphQL's`() async throws {
        let bench = try Self.bench("{ post: http://shop/, body: { json: {} } }", [#"{"errors":[1]}"#])
        #expect(try await bench.run("job").isUsable)
    }

    @Test(
        arguments: [
            (".errors", true), (".errors[0].message", true), ("$.errors", true), ("[.errors[]?] | length", true),
            (".data.createUser.errors", false), (".data.a[0].errors", false), (".errorsOfUser", false),
        ])
    func `only what looks at the errors of the answer expects them`(filter: String, isExpected: Bool) async throws {
        let bench = try Self.bench(
            "{ post: http://shop/graphql, body: { graphql: '{ a }' }, expect: { body: { '\(filter)': { not: 77 } } } }",
            [#"{"data":{"a":1},"errors":[{"message":"no b"}]}"#])
        #expect(try await (bench.run("job").unexpectedQueryErrors == nil) == isExpected)
    }

    @Test func `errors within events are counted`() async throws {
        let events = """
            event: next\r\ndata: {"data":{"a":1}}\r\n\r\nevent: next\ndata: {"data":null,\ndata: "errors":[{"message":"no"}]}\n\n\
            event: next\ndata: {"id":"1","payload":{"errors":[{}]}}\n\nevent: complete\ndata:\n\n
            """
        let bench = try RunnerBench("requests:\n  job: { post: http://shop/, body: { graphql: 'subscription { a }' } }\n") { _ in
            .respond(headers: [.contentType: "text/event-stream; charset=utf-8"], body: Data(events.utf8))
        }
        let errors = try await bench.run("job").queryErrors
        #expect(errors?.count == 2 && errors?.first == "no")
    }

    @Test func `what is asked by way of a request isn't its answer`() async throws {
        let bench = try Self.bench(
            "{ post: http://shop/graphql, body: { graphql: '{ a }' } }", [#"{"data":{"a":"x"}}"#, #"{"data":{}}"#])
        #expect(try await bench.run("job").isUsable)
        var aside = try bench.job("job")
        aside.isAside = true
        #expect(await bench.runner.run(aside).isUsable)
        #expect(try await bench.run("next").operation != nil)
        #expect(bench.sent == ["POST /graphql", "POST /graphql", "GET /x"])
    }
}
