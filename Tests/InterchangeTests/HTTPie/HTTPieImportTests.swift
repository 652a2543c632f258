import Foundation
import Testing

@testable import Interchange
@testable import RequestCollections

@Suite struct HTTPieImportTests {
    private static func corpus(_ path: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appending(path: "FuzzingTests/Corpus/\(path)"), encoding: .utf8)
    }

    @Test func `a workspace becomes folders, drafts and environments`() throws {
        let imported = try ImportedText(try Self.corpus("httpie/workspace.json"), path: "w.json")
        let collection = imported.collection
        #expect(collection.name == "Shop")
        #expect(collection.requests.map(\.id.rawValue) == ["orders/create", "orders/form", "orders/graph", "draft"])
        #expect(collection.environmentNames == ["local", "live"])
        #expect(imported.notes.allSatisfy { !$0.hasPrefix("- ") }, "\(imported.notes)")
        func sent(_ id: String) throws -> SentRequest {
            try SentRequest(
                try #require(collection.request(RequestID(rawValue: id))), in: collection, environment: "live",
                variables: ["token": .string("t"), "key": .string("k"), "pw": .string("p")])
        }
        let create = try sent("orders/create")
        #expect(create.method == "POST")
        #expect(create.url == "https://shop.test/shops/7/orders ? dry = 1")
        #expect(create.headers == ["authorization: Bearer t", "content-type: application/json", "x-trace: 1"])
        #expect(create.body == #"{"qty":2}"#)
        let form = try sent("orders/form")
        #expect(form.url == "http://localhost:8080/form")
        #expect(!form.headers.contains { $0.hasPrefix("authorization") })
        #expect(form.body.contains("a=b") && form.body.contains("f=file "), "\(form.body)")
        let graph = try sent("orders/graph")
        #expect(graph.url == "http://shop.test/graphql ? key = k")
        #expect(graph.body == #"{"query":"{ a }","variables":{"n":1}}"#)
        #expect(collection.request(RequestID(rawValue: "draft"))?.auth == .basic(user: "ada", password: "{{pw}}"))
        // The default environment holds without any being chosen, and its secret is in no file.
        #expect(!imported.yaml.contains("s3cret"))
        #expect(collection.variables.contains { $0.name == "host" })
    }

    @Test func `a collection, a request and an environment alone`() throws {
        let request =
            #"{"name":"A","url":"http://h/a","method":"DELETE","headers":[],"queryParams":[],"pathParams":[],"auth":{"type":"none"},"body":{"type":"none"}}"#
        func text(_ kind: String, _ entry: String) -> String {
            #"{"meta":{"format":"httpie","version":"1.0.0","contentType":"\#(kind)"},"entry":\#(entry)}"#
        }
        let collection = try ImportedText(
            text(
                "collection",
                #"{"name":"C","auth":{"type":"basic","credentials":{"username":"u","password":"{{p}}"}},"requests":[\#(request)]}"#)
        )
        #expect(collection.collection.requests.map(\.method) == ["DELETE"])
        #expect(collection.collection.requests[0].auth == AuthDefinition.none)
        #expect(try ImportedText(text("request", request)).collection.requests.map(\.url) == ["http://h/a"])
        let both = try ImportedText([
            ("c.json", text("collection", #"{"name":"C","requests":[\#(request)]}"#)),
            ("e.json", try Self.corpus("httpie/environment.json")),
        ])
        #expect(both.collection.environmentNames == ["live"])
    }

    @Test(arguments: [
        #"{"meta":{"format":"httpie"},"entry":{"requests":"text"}}"#, #"{"meta":{"format":"httpie"},"entry":[]}"#,
        #"{"meta":{"format":"httpie"},"entry":{"requests":[{"url":7,"auth":{"type":"hawk"},"body":{"type":"what"}}]}}"#,
    ]) func `nonsense is named or refused`(text: String) {
        do {
            let imported = try ImportedText(text)
            #expect(imported.notes.contains { $0.hasPrefix("- ") }, "\(imported.yaml)")
        } catch {
            #expect(error is CollectionProblem)
        }
    }
}
