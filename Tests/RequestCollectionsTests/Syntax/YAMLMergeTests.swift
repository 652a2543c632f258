import SchemaTesting
import Testing

@testable import RequestCollections

@Suite struct YAMLMergeTests {
    private static func value(_ text: String) throws -> JSONValue {
        let root = try #require(try YAMLDocument(path: "a.yaml", bytes: Array(text.utf8)).root)
        return try #require(try JSONValue(root, in: "a.yaml")["r"])
    }

    @Test(arguments: [
        ("r: { <<: *a, y: 9 }", "{\"x\":1,\"y\":9}"), ("r: { y: 9, <<: *a }", "{\"y\":9,\"x\":1}"),
        ("r: { <<: [*a, *b] }", "{\"x\":1,\"y\":2,\"z\":4}"), ("r: { <<: [*b, *a] }", "{\"x\":3,\"z\":4,\"y\":2}"),
        ("r: { <<: { x: 5 } }", "{\"x\":5}"), ("r: { <<: *c }", "{\"y\":2,\"x\":7}"), ("r: { <<: {} }", "{}"),
        ("r: { '<<': 5 }", "{\"<<\":5}"), ("r: [<<]", "[\"<<\"]"),
    ])
    func `a merge key brings what a map lacks`(line: String, json: String) throws {
        let text = "a: &a { x: 1, y: 2 }\nb: &b { x: 3, z: 4 }\nc: &c { <<: *a, x: 7 }\n\(line)\n"
        #expect(try Self.value(text).text(pretty: false) == json)
    }

    @Test func `requests share what stands below a key of their own`() throws {
        let collection = RequestCollection.of(
            """
            turnstone: 1
            x-common: &common { headers: &headers { accept: text/plain, x-a: one }, expect: { status: 200 }, timeouts: { idle: 5s } }
            requests:
              a: { <<: *common, get: http://h/a }
              b: { get: http://h/b, headers: { <<: *headers, x-a: two } }
            """)
        #expect(collection.problems == [])
        #expect(
            collection.requests.map { $0.headers.map { "\($0.name): \($0.value)" } } == [
                ["accept: text/plain", "x-a: one"], ["accept: text/plain", "x-a: two"],
            ])
        #expect(collection.requests.map(\.expectations.count) == [1, 0])
        // What isn't met stands there.
        #expect(collection.requests[0].expectations[0].location.line == 2)
    }

    @Test func `nobody edits what a merge brings, nor around it; the rest of the request is edited in place`() throws {
        let directory = try TemporaryDirectory([
            "shop.yaml": """
            turnstone: 1
            x-common: &headers { accept: text/plain }
            requests:
              a: { get: http://h/a, headers: { <<: *headers, x-a: one } }

            """
        ])
        let collection = try RequestCollection.load(path: directory.path("shop.yaml"))
        var request = try #require(collection.requests.first)
        request.url = "http://h/b"
        let change = try collection.saving(request)
        try change.write()
        #expect(
            try directory.read("shop.yaml") == """
                turnstone: 1
                x-common: &headers { accept: text/plain }
                requests:
                  a: { get: http://h/b, headers: { <<: *headers, x-a: one } }

                """)
        request = try #require(change.collection.requests.first)
        request.headers[0].value = "text/html"
        #expect(throws: CollectionProblem.self) { try change.collection.saving(request) }
    }
}
