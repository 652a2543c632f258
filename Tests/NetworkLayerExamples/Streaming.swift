import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import Testing

/// The code of the article Streaming.
@Suite struct Streaming {
    @Test func `lines and events`() async throws {
        let transport = MockTransport()
        transport.register(.text("knot\nsanderling\n"), at: "https://birds.example/sightings")
        transport.register(.text("event: landed\nid: 7\ndata: knot\n\n"), at: "https://birds.example/feed")
        let client = NetworkClient(transport: transport)
        var lines: [String] = []
        var last: String?

        // snippet
        let operation = client.stream(.get("https://birds.example/sightings"))
        guard try await operation.head.status.isSuccess else { return operation.cancel("no sightings today") }
        for try await line in operation.body.lines { lines.append(line) }
        // end

        // snippet
        let feed = client.stream(.get("https://birds.example/feed", headers: ["Accept": "text/event-stream"]))
        for try await event in feed.body.serverSentEvents {
            lines.append("\(event.event) \(event.data)")
            last = event.id
        }
        // end

        #expect(lines == ["knot", "sanderling", "landed knot"])
        #expect(last == "7")
    }
}
