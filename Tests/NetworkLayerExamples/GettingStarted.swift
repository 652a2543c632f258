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
        let url = URL(string: "https://birds.example/knot")!
        let transport = MockTransport()
        transport.register(MockResponse(body: Data(#"{"name": "knot"}"#.utf8)), at: url)

        // snippet
        let client = NetworkClient(transport: transport)
        let queue = try RequestOperationQueue(identifier: "birds", client: client)

        let response = await queue.enqueue(.get(url)).response
        let bird = try response.requireSuccess().decode(as: Bird.self)
        // end

        #expect(bird == Bird(name: "knot"))
    }

    @Test func `configure one request`() async throws {
        let transport = MockTransport()
        let queue = try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: transport))
        let url = URL(string: "https://birds.example/upload")!
        transport.register(MockResponse(status: .created), at: url)
        let photo = Data(repeating: 7, count: 1 << 16)

        // snippet
        var configuration = RequestConfiguration(anatomy: .veryLargeRequestSmallResponse)
        configuration.redirects.policy = .sameHost
        configuration.limits.bodyBytes = 1 << 20

        let upload = Request.put(url, headers: [.contentType: "image/jpeg"], body: .data(photo))
        let operation = queue.enqueue(upload, configuration: configuration, priority: .high)
        // end

        #expect(await operation.response.info?.head.status == .created)
    }

    // snippet
    struct BirdSearch: RequestConvertible {
        var words: String
        var url: URL { URL(string: "https://birds.example/search?q=" + URLCoding.percentEncoded(words))! }
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
}
