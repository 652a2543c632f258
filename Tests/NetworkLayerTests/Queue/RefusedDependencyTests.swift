import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// What others wait for, and is refused.
@Suite(.watchesEvents) struct RefusedDependencyTests {
    @Test func `QUE-5 DEP-1 what waits for an operation that a full queue refuses goes on, and nothing of that is kept`() throws {
        let transport = ScriptedTransport(time: SystemTimeSource())
        let client = NetworkClient(transport: transport, settings: .init(maxConcurrentPerHost: 1)).watched()
        let queue = try RequestOperationQueue(identifier: "full", client: client, configuration: .init(maxWaiting: 1))
        let others = try RequestOperationQueue(identifier: "others", client: client)
        _ = (1...2).map { queue.enqueue(.get("http://a.test/\($0)")) }
        let refused = RequestOperation(.get("http://a.test/3"))
        let dependent = RequestOperation(.get("http://b.test/"))
        try dependent.addDependency(refused)
        others.enqueue(dependent)
        #expect(dependent.state == .waiting(.dependency))
        queue.enqueue(refused)
        #expect(refused.state == .failed)
        #expect(dependent.state == .starting)
        #expect(queue.core.withLock { $0.awaited.isEmpty })
        queue.cancelAll()
        others.cancelAll()
    }
}
