import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct NetworkClientTests {
    @Test func `GLB-1 the library has a version of three numbers`() {
        let numbers = NetworkClient.version.split(separator: ".").map { Int($0) }
        #expect(numbers.count == 3)
        #expect(!numbers.contains(nil))
    }

    /// TNL can turn its assertions off; a mistake of the program's stops ours always, before it does harm.
    @Test func `GLB-15 enqueuing an operation twice stops the program`() async {
        await #expect(processExitsWith: .failure) {
            let time = ManualTimeSource()
            let client = NetworkClient(transport: ScriptedTransport(time: time), time: time)
            let queue = try RequestOperationQueue(identifier: "test", client: client)
            let operation = RequestOperation(.get("http://a.test/"))
            queue.enqueue(operation)
            queue.enqueue(operation)
        }
    }
}
