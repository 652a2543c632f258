import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import Testing

/// The code of the article GettingStarted.
@Suite struct GettingStarted {
    struct Bird: Codable, Sendable, Hashable {
        var name: String
    }

    @Test func `send a request and read the answer`() async throws {
        let transport = MockTransport()
        transport.register(.json(Bird(name: "knot")), at: "https://birds.example/knot")
        transport.register(.text("extinct", status: .notFound), at: "https://birds.example/dodo")
        transport.register(.json(Bird(name: "knot")), at: "https://birds.example/birds", method: .post)
        var lines: [String] = []

        // snippet
        let client = NetworkClient(transport: transport)
        let bird = try await client.value(for: .get("https://birds.example/knot"), as: Bird.self)
        // end

        #expect(bird == Bird(name: "knot"))

        // snippet
        let response = await client.response(for: .get("https://birds.example/dodo"))
        if response.status == .notFound { lines.append(response.text) }
        // end

        #expect(lines == ["extinct"])

        // snippet
        let found: Bird = try await client.get("https://birds.example/knot", timeout: .seconds(5))
        let lost = try await client.get("https://birds.example/dodo", authorization: .bearer("abc"))
        // end

        #expect(found == bird && lost.status == .notFound)

        // snippet
        let search = Request.get("https://birds.example/birds", query: ["sea": "north", "page": 2], headers: ["X-Auth": "abc"])
        let addition = Request.post("https://birds.example/birds", json: Bird(name: "knot"))
        let letter = Request.put("https://birds.example/letter", headers: [.acceptLanguage: "en"], body: .text("Dear knot"))
        // end

        #expect(search.url.query() == "page=2&sea=north")
        #expect(letter.headers == [.acceptLanguage: "en", .contentType: "text/plain; charset=utf-8"])

        // snippet
        let configuration = RequestConfiguration(anatomy: .veryLargeRequestSmallResponse).with {
            $0.redirects.policy = .sameHost
            $0.limits.bodyBytes = 1 << 20
        }
        // end

        // snippet
        let queue = try RequestOperationQueue(identifier: "birds", client: client, configuration: .init(maxConcurrent: 2))
        let operation = queue.enqueue(addition, configuration: configuration, priority: .high)
        let added = try await operation.value(as: Bird.self)
        // end

        #expect(added == bird)
    }

    // snippet
    struct BirdSearch: RequestConvertible {
        var words: String
        var url: URL { Request.get("https://birds.example/search", query: ["q": words]).url }
    }
    // end

    @Test func `a type of one's own is a request`() async throws {
        let transport = MockTransport()
        let queue = try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: transport))
        transport.register(MockResponse(), at: BirdSearch(words: "red knot").url)

        // snippet
        let operation = queue.enqueue(BirdSearch(words: "red knot"))
        let search = operation.source as? BirdSearch
        // end

        #expect(search?.words == "red knot")
        #expect(await operation.response.error == nil)
    }

    // snippet
    enum Environment { case testing, production }

    static func birds(in environment: Environment) throws -> NetworkLayer.Environment {
        try NetworkLayer.Environment(environment == .production ? "https://birds.example" : "http://localhost:8080")
    }
    // end

    @Test func `a name that others have, too, is told by the module's`() throws {
        #expect(try Self.birds(in: .production) != Self.birds(in: .testing))
    }
}
