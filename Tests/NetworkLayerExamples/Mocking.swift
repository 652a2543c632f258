import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import Testing

/// The code of the article Mocking.
@Suite struct Mocking {
    let url = URL(string: "https://birds.example/knot")!

    @Test func `a slow and broken server`() async throws {
        // snippet
        let transport = MockTransport()
        transport.register(
            MockResponse(headers: [.contentType: "application/json"], body: Data(#"{"name": "knot"}"#.utf8)), at: url,
            behavior: MockBehavior(latency: .milliseconds(5), delay: .milliseconds(1)...(.milliseconds(7))))
        // end

        let queue = try RequestOperationQueue(identifier: "birds", client: NetworkClient(transport: transport))
        let response = await queue.enqueue(.get(url)).response
        #expect(response.info?.body.count == 16)

        // snippet
        let reset = NetworkError(
            .connectionLost, phase: .body, type: "tcp.reset", message: "The server went away.")
        transport.register(
            MockResponse(body: Data(repeating: 1, count: 1000)), at: url, behavior: MockBehavior(failure: reset, failureOffset: 300)
        )
        // end

        let broken = await queue.enqueue(.get(url)).response
        #expect(broken.error == reset)
        #expect(broken.info?.body.count == 300)
    }

    @Test func `a server that thinks`() async throws {
        // snippet
        let server = MockTransport { request in
            switch request.method {
            case .post: .status(.created)
            case .get: .json(["name": "knot"])
            default: throw NetworkError.mocked(.connectionLost)
            }
        }
        let client = NetworkClient(transport: server)
        _ = try await client.post(url, json: ["name": "dunlin"])
        let sent = server.requests.map(\.method)
        // end

        #expect(sent == [.post])
        #expect(try await client.get(url, as: [String: String].self) == ["name": "knot"])
        #expect(await client.response(for: .delete(url)).error?.code == .connectionLost)
    }
}
