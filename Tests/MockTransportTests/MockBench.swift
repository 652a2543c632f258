import MockTransport
import NetworkLayer
import NetworkLayerTesting

/// A queue over a mock, and what its operations tell.
class MockBench {
    let time = ManualTimeSource()
    let transport: MockTransport
    let recorder = EventRecorder()
    let queue: RequestOperationQueue

    init() throws {
        transport = MockTransport(time: time)
        let client = NetworkClient(transport: transport, time: time)
        client.addObserver(recorder)
        queue = try RequestOperationQueue(identifier: "mock", client: client)
    }
}
