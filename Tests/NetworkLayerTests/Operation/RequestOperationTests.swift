import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Testing

@Suite struct RequestOperationTests {
    let time = ManualTimeSource()

    func queue(
        _ settings: NetworkClient.Settings = .init(), _ script: @escaping @Sendable (TransferRequest) -> Script
    ) throws -> (RequestOperationQueue, ScriptedTransport) {
        let transport = ScriptedTransport(time: time, script: script)
        let client = NetworkClient(transport: transport, time: time, settings: settings)
        return (try RequestOperationQueue(identifier: "test", client: client), transport)
    }

    @Test func `a request that is answered succeeds with its head and body`() async throws {
        let (queue, _) = try queue { _ in .respond(body: Data("hello".utf8)) }
        let operation = queue.enqueue(.get("http://a.test/"))
        let response = await operation.response
        #expect(response.error == nil)
        #expect(response.info?.head.status == .ok)
        #expect(try response.info?.body.contents() == Data("hello".utf8))
        #expect(
            response.metrics.states.map(\.state) == [.preparing, .starting, .running, .succeeded])
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
        #expect(
            operation.events(from: 0).map(\.kind.name) == [
                "enqueued", "transition", "attemptStarted", "transition", "connectionAcquired", "requestHeadSent", "requestSent",
                "transition", "head", "downloadProgress", "attemptEnded", "transition", "completed",
            ])
    }
}
