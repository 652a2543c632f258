import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import Testing

/// The code of the article CallingAPIs.
@Suite struct CallingAPIs {
    // snippet
    struct Bird: Codable, Sendable, Hashable {
        var name: String
    }

    enum Birds: Endpoint {
        case list(page: Int64)
        case add(Bird)

        var call: EndpointCall {
            switch self {
            case .list(let page): EndpointCall(.get, "birds", parameters: ["page": .integer(page)])
            case .add(let bird):
                EndpointCall(
                    .post, "birds", parameters: ["name": .text(bird.name)],
                    configuration: EndpointConfiguration(timeout: .seconds(12), bodyFormat: .json))
            }
        }
    }
    // end

    @Test func `an API as an enum`() async throws {
        let transport = MockTransport()
        transport.register(
            MockResponse(body: Data(#"[{"name": "knot"}]"#.utf8)), at: URL(string: "https://birds.example/v2/birds?page=1")!)
        let queue = try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: transport))

        // snippet
        var production = try Environment("https://birds.example/v2")
        production.configuration.timeout = .seconds(32)

        let birds = EndpointClient<Birds>(environment: production, queue: queue)
        let page = try await birds.value(of: .list(page: 1), as: [Bird].self)
        // end

        #expect(page == [Bird(name: "knot")])
        #expect(birds.requestConfiguration(for: .add(page[0])).timeout == .seconds(12))

        // snippet
        try transport.register(.json(["name": "dunlin"]), for: .add(Bird(name: "dunlin")), of: birds)
        // end

        #expect(try await birds.value(of: .add(page[0]), as: Bird.self) == Bird(name: "dunlin"))
        #expect(try await birds.value(of: .list(page: 1), as: [Bird].self) == page)
    }
}
