import Foundation
import HTTPTypes
import NetworkLayer
import RequestCollections
import Testing

@testable import DemoServer

@Suite struct ShippedCollectionsTests {
    private static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Collections")
    private static let variables: [String: JSONValue] = [
        "host": .string("http://demo:1"), "other": .string("http://demo:2"), "token": .string("token"),
    ]

    private static func load(_ name: String) throws -> RequestCollection {
        try RequestCollection.load(path: directory.appending(path: name).path)
    }

    @Test func `every file there is a collection or a part of one`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.directory.path).sorted()
        #expect(names == ["demo", "github.yaml"])
    }

    @Test(arguments: ["demo", "github.yaml"])
    func `a shipped collection is read without a problem, and every request can be sent`(name: String) throws {
        let collection = try Self.load(name)
        #expect(collection.problems == [])
        #expect(collection.requests.count > 15)
        for request in collection.requests {
            #expect(throws: Never.self, "\(request.id)") {
                try collection.resolve(
                    request, environment: nil, variables: Self.variables, with: TemplateEnvironment(trust: .everything))
            }
        }
    }

    /// The tree has 24 columns: three levels of indentation and the method leave this much.
    @Test(arguments: ["demo", "github.yaml"])
    func `names fit into the tree, and descriptions are sentences`(name: String) throws {
        for request in try Self.load(name).requests {
            #expect((request.name ?? "?").count <= 20, "\(request.id)")
            if let description = request.description?.trimmingCharacters(in: .whitespacesAndNewlines) {
                #expect(description.hasSuffix(".") || description.hasSuffix("?"), "\(request.id)")
            }
        }
    }

    @Test func `every request to the demo server reaches a route, and every route is shown by a request`() throws {
        let collection = try Self.load("demo")
        var shown: Set<String> = []
        for definition in collection.requests {
            #expect(definition.description != nil, "\(definition.id)")
            let request = try collection.resolve(
                definition, environment: nil, variables: Self.variables, with: TemplateEnvironment(trust: .everything)
            ).request
            guard request.url.host() == "demo" else { continue }
            let segments = request.url.path().split(separator: "/").map { PercentEncoding.decode($0) }
            let routes = RouteTable.all.flatMap(\.routes).filter { $0.match(segments) != nil }
            let route = try #require(routes.first { $0.accepts(request.method.rawValue) } ?? routes.first, "\(definition.id)")
            #expect(route.accepts(request.method.rawValue) || request.method == .options, "\(definition.id)")
            shown.insert(route.path)
        }
        // The last hops of redirects, and what is for tests.
        let hidden: Set<String> = ["/viewer/empty", "/trouble/bad-header"]
        #expect(RouteTable.all.flatMap(\.routes).map(\.path).filter { !shown.union(hidden).contains($0) } == [])
    }
}
