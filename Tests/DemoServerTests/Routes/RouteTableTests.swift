import Testing

@testable import DemoServer

@Suite struct RouteTableTests {
    static let routes = RouteTable.all.flatMap(\.routes)

    @Test(arguments: routes.map(\.example))
    func `an example leads to its own route`(example: String) throws {
        let path = example.split(separator: "?")[0]
        let segments = path.split(separator: "/").map(String.init)
        let first = try #require(Self.routes.first { $0.match(segments) != nil })
        #expect(first.example == example)
    }

    @Test func `every route says what it is, once`() {
        #expect(Set(Self.routes.map(\.path)).count == Self.routes.count)
        for route in Self.routes {
            #expect(!route.title.isEmpty && !route.title.hasSuffix("."))
            #expect(route.description.hasSuffix(".") || route.description.hasSuffix(")"), "\(route.path)")
        }
    }

    @Test(arguments: [
        ("/a/{x}/c", "/a/b/c", ["x": "b"]), ("/a/{x}/c", "/a/b/d", nil), ("/a/{x}", "/a", nil), ("/a", "/a/b", nil),
        ("/a/{r...}", "/a/b/c", ["r": "b/c"]), ("/a/{r...}", "/a", ["r": ""]), ("/", "/", [:]),
    ])
    func `a pattern takes one part of the path, or all the rest`(pattern: String, path: String, parameters: [String: String]?) {
        let route = Route(pattern, "Title", "Description.") { _ in Reply() }
        #expect(route.match(path.split(separator: "/").map(String.init)) == parameters)
    }

    @Test(arguments: [
        ("text/html,*/*", "text/html; charset=utf-8"), ("application/json", "application/json"),
        ("*/*", "text/plain; charset=utf-8"),
    ])
    func `the first page lists every route in the form that the client likes`(accept: String, type: String) async throws {
        let response = try await withServer { try await $0.call("GET", "/", fields: ["Accept: \(accept)"]) }
        #expect(response["content-type"] == type)
        for route in Self.routes { #expect(response.text.contains(route.path)) }
    }
}
