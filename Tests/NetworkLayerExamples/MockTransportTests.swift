import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import Testing

/// The code of the catalogue of MockTransport.
@Suite struct MockTransportCatalogue {
    @Test func `answers, rules and faults`() async throws {
        // snippet
        let mock = MockTransport()
        mock.register(.text("knot, dunlin"), at: "https://birds.example/birds")
        mock.register(.text("added", status: .created), at: "https://birds.example/birds", method: .post)
        let client = NetworkClient(transport: mock)
        // end

        #expect(try await client.text(for: "https://birds.example/birds") == "knot, dunlin")
        #expect(await client.response(for: .post("https://birds.example/birds", form: ["name": "ruff"])).status == .created)

        // snippet
        mock.register(.text("all"), at: "https://birds.example/search", query: .any)
        mock.register(.text("page 2"), at: "https://birds.example/search", query: .including(["page": "2"]))
        // end

        #expect(try await client.text(for: "https://birds.example/search?sea=north") == "all")
        #expect(try await client.text(for: "https://birds.example/search?sea=north&page=\(2)") == "page 2")

        // snippet
        let lost = NetworkError(.connectionLost, phase: .body, type: "tcp.reset", message: "The line went dead.")
        mock.register(
            .text("a very long list of birds"), at: "https://birds.example/list",
            behavior: MockBehavior(failure: lost, failureOffset: 10))
        // end

        #expect(await client.response(for: "https://birds.example/list").error?.code == .connectionLost)
    }
}
