import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Synchronization
import Testing

@Suite(.watchesEvents) struct QueueHooksTests {
    let time = ManualTimeSource()
    let transport: ScriptedTransport
    let recorder = EventRecorder()
    let notes = Notes()

    /// What hooks said, in order.
    final class Notes: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    init() {
        transport = ScriptedTransport(time: time)
    }

    private func queue(
        _ mode: RequestOperationQueue.FailureMode = .continue, _ failures: RequestOperationQueue.Failures = .errors,
        maxWaiting: Int? = nil
    ) throws -> RequestOperationQueue {
        let client = NetworkClient(transport: transport, time: time, settings: .init(maxConcurrent: 1)).watched()
        client.addObserver(recorder)
        let hooks = RequestOperationQueue.Hooks(
            beforeAll: { [notes] in notes.add("before all") },
            beforeEach: { [notes] in notes.add("before \($0.originalRequest.url.lastPathComponent)") },
            afterEach: { [notes] operation, response in
                let status = response.info?.head.status.code
                notes.add("after \(operation.originalRequest.url.lastPathComponent): \(status.map { "\($0)" } ?? "nothing")")
            },
            afterAll: { [notes] in notes.add($0 ? "after all, failed" : "after all") })
        return try RequestOperationQueue(
            identifier: "hooks", client: client,
            configuration: .init(failureMode: mode, failures: failures, maxWaiting: maxWaiting, hooks: hooks))
    }

    @Test func `TN-6 hooks hear of a batch, of each that starts, and of each that started and is over`() throws {
        let queue = try queue()
        for number in 1...3 { queue.enqueue(.get("http://a.test/\(number)")) }
        transport.transfers[0].respond()
        transport.transfers[1].respond(.notFound)
        queue.cancelAll()
        #expect(
            notes.all == [
                "before all", "before 1", "after 1: 200", "before 2", "after 2: 404", "before 3", "after 3: nothing", "after all",
            ])
    }

    @Test func `TN-6 with continue, the other seven of eight are sent though the fifth fails`() async throws {
        let queue = try queue()
        let operations = (1...8).map { queue.enqueue(.get("http://a.test/\($0)")) }
        for index in 0..<8 {
            if index == 4 { transport.transfers[index].finish(.lost) } else { transport.transfers[index].respond() }
        }
        await queue.drain()
        #expect(operations.map(\.state) == (1...8).map { $0 == 5 ? .failed : .succeeded })
        #expect(notes.all.last == "after all, failed")
    }

    @Test(arguments: [RequestOperationQueue.Failures.errors, .errorsAndStatuses])
    func `TN-6 with cancelRest, the fifth failure of eight cancels the last three`(
        failures: RequestOperationQueue.Failures
    ) async throws {
        let queue = try queue(.cancelRest, failures)
        let operations = (1...8).map { queue.enqueue(.get("http://a.test/\($0)")) }
        for index in 0..<4 { transport.transfers[index].respond() }
        if failures == .errors { transport.transfers[4].finish(.lost) } else { transport.transfers[4].respond(.notFound) }
        await queue.drain()
        let fifth: RequestOperation.State = failures == .errors ? .failed : .succeeded
        #expect(
            operations.map(\.state)
                == [.succeeded, .succeeded, .succeeded, .succeeded, fifth, .cancelled, .cancelled, .cancelled])
        #expect(transport.transfers.count == 5)
        #expect(
            operations[7].finalResponse?.error?.message
                == "Cancelled while waiting (concurrencyLimit) (operation \(operations[4].id.rawValue) of the same queue failed).")
        #expect(notes.all.count { $0.hasPrefix("after ") } == 6)
        #expect(notes.all.last == "after all, failed")
        #expect(recorder.violations == [])
    }

    @Test func `QUE-5 a full queue says so in the error`() throws {
        let queue = try queue(maxWaiting: 1)
        let operations = (1...3).map { queue.enqueue(.get("http://a.test/\($0)")) }
        #expect(operations.map(\.state) == [.starting, .waiting(.concurrencyLimit), .failed])
        let error = operations[2].finalResponse?.error
        #expect(error?.code == .queueFull)
        #expect(
            error?.message
                == "The queue \"hooks\" is full: 1 operations wait, as many as it takes; enqueue again when some are over, or raise its maxWaiting."
        )
        #expect(queue.operations.map(\.id) == [operations[0].id, operations[1].id])
        queue.cancelAll()
        #expect(recorder.violations == [])
    }
}

extension NetworkError {
    fileprivate static let lost = NetworkError(
        .connectionLost, phase: .response, type: "tcp.reset", message: "The server closed the connection.")
}
