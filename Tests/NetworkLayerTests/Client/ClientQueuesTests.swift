import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// The queues of a client, and what they do together.
@Suite(.watchesEvents) struct ClientQueuesTests {
    let time = ManualTimeSource()
    let transport: ScriptedTransport
    let client: NetworkClient

    init() {
        transport = ScriptedTransport(time: time)
        client = NetworkClient(transport: transport, time: time).watched()
    }

    @Test func `QUE-1 T-QUE the default queue is one, can't be suspended, and keeps its observers`() throws {
        let recorder = EventRecorder()
        client.defaultQueue.addObserver(recorder)
        let queue = client.defaultQueue
        #expect(queue === client.defaultQueue)
        queue.suspend()
        #expect(!queue.isSuspended)
        let operation = client.defaultQueue.enqueue(.get("http://a.test/"))
        transport.transfers[0].respond()
        #expect(operation.state == .succeeded)
        #expect(recorder.events(of: operation).count == operation.events(from: 0).count)
        let error = #expect(throws: NetworkError.self) {
            try RequestOperationQueue(identifier: queue.identifier, client: client)
        }
        #expect(error?.code == .invalidQueue)
    }

    @Test func `QUE-1 a queue needs no name`() throws {
        let taken = try RequestOperationQueue(identifier: "queue-2", client: client)
        let queues = (0..<3).map { _ in RequestOperationQueue(client: client, configuration: .init(maxConcurrent: 1)) }
        #expect(Set(queues.map(\.identifier) + [taken.identifier]).count == 4)
        let operations = queues.map { $0.enqueue(.get("http://a.test/")) }
        #expect(operations.allSatisfy { !$0.isFinished && !$0.isCancelled })
        client.cancelAll("the end")
        #expect(operations.allSatisfy { $0.isFinished && $0.isCancelled && $0.finalResponse?.error?.isCancelled == true })
    }

    @Test func `GLB-16 all operations of all queues are listed until they are over`() throws {
        let first = try RequestOperationQueue(identifier: "first", client: client)
        let second = try RequestOperationQueue(identifier: "second", client: client)
        let operations = [
            first.enqueue(.get("http://a.test/1")), second.enqueue(.get("http://a.test/2")),
            client.defaultQueue.enqueue(.get("http://a.test/3")),
        ]
        #expect(client.allOperations.map(\.id) == operations.map(\.id))
        transport.transfers[1].respond()
        #expect(client.allOperations.map(\.id) == [operations[0].id, operations[2].id])
    }

    @Test func `GLB-16 nobody who hears of an end finds the operation in a list any more`() throws {
        let found = Recorder<Int>()
        client.addObserver(EndObserver { [client] in found.append(client.allOperations.count) })
        client.defaultQueue.enqueue(.get("http://a.test/1"))
        #expect(client.allOperations.count == 1)
        transport.transfers[0].respond()
        #expect(!found.all.isEmpty && found.all.allSatisfy { $0 == 0 })
    }

    private struct EndObserver: NetworkObserver {
        let onEnd: @Sendable () -> Void

        func observe(_ event: NetworkEvent, of operation: RequestOperation) {
            if operation.state.isFinal { onEnd() }
        }
    }

    @Test func `CNT-1 T-CNT the count tells when it leaves zero and comes back, and of nothing between`() async throws {
        let queue = try RequestOperationQueue(identifier: "test", client: client)
        var counts = client.executingConnectionCounts.makeAsyncIterator()
        queue.suspend()
        for number in 1...3 { queue.enqueue(.get("http://a.test/\(number)")) }
        #expect(client.executingConnectionCount == 0)
        queue.resume()
        #expect(client.executingConnectionCount == 3)
        for transfer in transport.transfers { transfer.respond() }
        #expect(client.executingConnectionCount == 0)
        queue.enqueue(.get("http://a.test/4"))
        var told: [Int?] = []
        for _ in 0..<3 { told.append(await counts.next()) }
        #expect(told == [1, 0, 1])
    }

    @Test func `CNT-1 who has the response isn't told that the operation is still executing`() async {
        /// Goes on at once, in the very call that resumes a task.
        final class Inline: TaskExecutor {
            func enqueue(_ job: consuming ExecutorJob) { UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor()) }
        }
        let operation = client.send(.get("http://a.test/"))
        let counted = Task(executorPreference: Inline()) { [client] in
            _ = await operation.response
            return client.executingConnectionCount
        }
        #expect(client.executingConnectionCount == 1)
        transport.transfers[0].respond()
        #expect(await counted.value == 0)
    }

    @Test func `CNT-1 an operation that doesn't want to be counted isn't`() async throws {
        let queue = try RequestOperationQueue(identifier: "test", client: client)
        var quiet = RequestConfiguration()
        quiet.countsAsExecutingConnection = false
        let operation = queue.enqueue(.get("http://a.test/quiet"), configuration: quiet)
        #expect(client.executingConnectionCount == 0)
        queue.enqueue(.get("http://a.test/"))
        #expect(client.executingConnectionCount == 1)
        transport.transfers[0].respond()
        _ = await operation.response
        #expect(client.executingConnectionCount == 1)
        transport.transfers[1].respond()
        #expect(client.executingConnectionCount == 0)
    }
}
