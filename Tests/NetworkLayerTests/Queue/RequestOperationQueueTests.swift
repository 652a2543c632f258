import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting
import Testing

@Suite(.watchesEvents) struct RequestOperationQueueTests {
    let time = ManualTimeSource()
    let recorder = EventRecorder()

    func make(
        _ settings: NetworkClient.Settings = .init(), script: @escaping @Sendable (TransferRequest) -> Script = { _ in .nothing }
    ) throws -> (RequestOperationQueue, ScriptedTransport) {
        let transport = ScriptedTransport(time: time, script: script)
        let client = NetworkClient(transport: transport, time: time, settings: settings).watched()
        client.addObserver(recorder)
        return (try RequestOperationQueue(identifier: "test", client: client), transport)
    }

    @Test(arguments: ["", "with space", "ümlaut", "under_score"])
    func `QUE-1 T-QUE an identifier is ASCII letters, digits, dots and hyphens`(identifier: String) {
        let client = NetworkClient(transport: ScriptedTransport(), time: time).watched()
        let error = #expect(throws: NetworkError.self) { try RequestOperationQueue(identifier: identifier, client: client) }
        #expect(
            error?.message == "\"\(identifier)\" can't name a queue: ASCII letters, digits, dots and hyphens only, at least one.")
    }

    @Test func `QUE-1 T-QUE an identifier belongs to one living queue of a client`() throws {
        let client = NetworkClient(transport: ScriptedTransport(), time: time).watched()
        var queue: RequestOperationQueue? = try RequestOperationQueue(identifier: "com.example-1", client: client)
        for _ in 0..<2 {
            #expect(throws: NetworkError.self) { try RequestOperationQueue(identifier: "com.example-1", client: client) }
        }
        _ = try RequestOperationQueue(
            identifier: "com.example-1", client: NetworkClient(transport: ScriptedTransport(), time: time).watched())
        #expect(queue?.identifier == "com.example-1")
        queue = nil
        _ = try RequestOperationQueue(identifier: "com.example-1", client: client)
    }

    @Test func `QUE-5 operations wait visibly and start when a place is free`() throws {
        let (queue, transport) = try make(.init(maxConcurrentPerHost: 1))
        let first = queue.enqueue(.get("http://a.test/1"))
        let second = queue.enqueue(.get("http://A.TEST/2"))
        let other = queue.enqueue(.get("http://b.test/"))
        #expect([first.state, second.state, other.state] == [.starting, .waiting(.concurrencyLimit), .starting])
        #expect(queue.operations.map(\.id) == [first.id, second.id, other.id])
        transport.transfers[0].respond()
        #expect([first.state, second.state] == [.succeeded, .starting])
        #expect(queue.operations.map(\.id) == [second.id, other.id])
        transport.transfers[1].respond()
        transport.transfers[2].respond()
        #expect(recorder.violations == [])
    }

    @Test func `QUE-2 a suspended queue stages visibly`() throws {
        let (queue, transport) = try make()
        queue.suspend()
        #expect(queue.isSuspended)
        let low = queue.enqueue(.get("http://a.test/low"), priority: .low)
        let high = queue.enqueue(.get("http://a.test/high"), priority: .high)
        #expect([low.state, high.state] == [.waiting(.queueSuspended), .waiting(.queueSuspended)])
        #expect(transport.transfers.isEmpty)
        queue.resume()
        #expect(transport.requests.map(\.url.lastPathComponent) == ["high", "low"])
    }

    @Test func `QUE-4 cancelAll completes every operation once, in whatever state it is`() throws {
        let (queue, transport) = try make(.init(maxConcurrentPerHost: 2))
        let running = queue.enqueue(.get("http://a.test/1"))
        let starting = queue.enqueue(.get("http://a.test/2"))
        let limited = queue.enqueue(.get("http://a.test/3"))
        queue.suspend()
        let staged = queue.enqueue(.get("http://a.test/4"))
        transport.transfers[0].sendHead()
        queue.cancelAll("a test")
        for operation in [running, starting, limited, staged] {
            #expect(operation.state == .cancelled)
            #expect(operation.finalResponse?.error?.cancelSource == "a test")
        }
        #expect(transport.transfers.map(\.isCancelled) == [true, true])
        #expect(queue.operations.isEmpty)
        #expect(recorder.violations == [])
        queue.resume()
        #expect(transport.transfers.count == 2)
    }

    @Test func `CAN-2 T-CAN an operation that was cancelled before is left as it is`() throws {
        let (queue, transport) = try make()
        let operation = RequestOperation(.get("http://a.test/"))
        operation.cancel("a test")
        queue.enqueue(operation)
        #expect(operation.state == .cancelled)
        #expect(operation.events(from: 0).map(\.kind.name) == ["transition", "completed"])
        #expect(transport.transfers.isEmpty && queue.operations.isEmpty)
    }

    @Test func `QUE-3 GLB-15 an operation runs once, however often it is enqueued`() throws {
        let (queue, transport) = try make()
        let operation = RequestOperation(.get("http://a.test/"))
        #expect(queue.enqueue(operation))
        #expect(!queue.enqueue(operation))
        transport.transfers[0].respond()
        #expect(!queue.enqueue(operation))
        #expect(operation.state == .succeeded && transport.transfers.count == 1)
        #expect(recorder.violations == [])
    }

    @Test func `QUE-5 a queue that may send nothing fails what it is given`() throws {
        for settings in [NetworkClient.Settings(maxConcurrentPerHost: 0), .init(maxStreamsPerHost: -1), .init(maxConcurrent: 0)] {
            let (queue, _) = try make(settings)
            #expect(queue.enqueue(.get("http://a.test/")).finalResponse?.error?.code == .invalidQueue)
        }
        let (queue, _) = try make()
        let blocked = RequestOperationQueue(client: queue.client, configuration: .init(maxConcurrent: 0))
        let operation = blocked.enqueue(.get("http://a.test/"))
        #expect(operation.finalResponse?.error?.message.contains("maxConcurrent") == true)
        #expect(blocked.operations.isEmpty && recorder.violations == [])
    }

    @Test func `QUE-2 a suspended queue that nobody can resume cancels what waits for that`() throws {
        let transport = ScriptedTransport(time: time)
        let client = NetworkClient(transport: transport, time: time).watched()
        var queue: RequestOperationQueue? = RequestOperationQueue(client: client)
        let running = try #require(queue?.enqueue(.get("http://a.test/1")))
        queue?.suspend()
        let waiting = try #require(queue?.enqueue(.get("http://a.test/2")))
        queue = nil
        #expect(waiting.state == .waiting(.queueSuspended))
        transport.transfers[0].respond()
        #expect(running.state == .succeeded)
        #expect(waiting.finalResponse?.error?.cancelSource == "its queue went away while it was suspended")
        queue = RequestOperationQueue(client: client)
        queue?.suspend()
        let resumed = try #require(queue?.enqueue(.get("http://a.test/3")))
        queue?.resume()
        queue = nil
        transport.transfers[1].respond()
        #expect(resumed.state == .succeeded)
    }

    @Test func `drain returns when nothing is left`() async throws {
        let (queue, transport) = try make()
        await queue.drain()
        let first = queue.enqueue(.get("http://a.test/1"))
        async let drained: Void = queue.drain()
        let second = queue.enqueue(.get("http://a.test/2"))
        transport.transfers[0].respond()
        transport.transfers[1].respond()
        await drained
        #expect([first.state, second.state] == [.succeeded, .succeeded])
    }

    @Test func `drain gives up with its task`() async throws {
        let (queue, _) = try make()
        let operation = queue.enqueue(.get("http://a.test/"))
        let task = Task { await queue.drain() }
        task.cancel()
        await task.value
        #expect(operation.state == .starting)
    }

    @Test func `answers inside of start work through a queue of thousands without deep stacks`() throws {
        let (queue, transport) = try make(.init(maxConcurrentPerHost: 2)) { _ in .respond() }
        queue.suspend()
        let operations = (0..<10_000).map { queue.enqueue(.get("http://a.test/\($0)")) }
        queue.resume()
        #expect(operations.allSatisfy { $0.state == .succeeded })
        #expect(transport.transfers.count == 10_000)
        #expect(queue.operations.isEmpty)
    }
}
