import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import Testing

/// The code of the article Testing.
@Suite struct TestingExamples {
    @Test func `a minute passes at once`() async throws {
        // snippet
        let time = ManualTimeSource()
        let transport = MockTransport(time: time)
        transport.register(MockResponse(), at: "https://birds.example", behavior: MockBehavior(delay: .seconds(90)))
        let client = NetworkClient(transport: transport, time: time)

        let operation = client.send(.get("https://birds.example"))
        time.advance(by: .seconds(60))
        let error = await operation.response.error
        // end

        #expect(error?.code == .idleTimedOut)
    }
}
