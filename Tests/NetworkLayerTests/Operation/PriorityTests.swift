import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

@Suite(.watchesEvents) struct PriorityTests {
    @Test func `PRI-1 five named priorities`() {
        #expect([Priority.veryLow, .low, .normal, .high, .veryHigh].map(\.rawValue) == Array(-2...2))
    }

    @Test func `PRI-1 a priority that is changed after the start reaches the transfer, and those of later attempts`() async throws {
        let policy = ScriptedPolicy { _ in .retry(after: .seconds(1), reason: "test") }
        let stage = try Stage()
        let operation = stage.enqueue(delegate: RequestDelegate()) { $0.retry = [policy] }
        let first = await stage.transport.transfer(0)
        // Before the operation has it, a change is told only once, behind the start.
        while operation.core.withLock({ $0.transfer == nil }) { await Task.yield() }
        operation.priority = .veryHigh
        operation.priority = .veryHigh
        operation.priority = .low
        #expect(first.request.priority == .normal)
        #expect(first.calls == [.setPriority(.veryHigh), .setPriority(.low)])
        first.finish(.reset)
        await stage.time.pass(.seconds(1), beforeRetryOf: operation)
        let second = await stage.transport.transfer(1)
        #expect(second.request.priority == .low)
        second.respond()
        operation.priority = .high
        #expect(second.calls == [])
        #expect(await operation.response.info?.head.status == .ok)
    }

    @Test func `PRI-1 a priority that is changed while the transport starts is told behind`() async throws {
        // It is the transport itself that changes it, in the middle of its start.
        let operations = Recorder<RequestOperation>()
        let stage = try Stage { _ in
            operations.all.first?.priority = .high
            return .nothing
        }
        stage.queue.suspend()
        operations.append(stage.enqueue(delegate: RequestDelegate()))
        stage.queue.resume()
        let transfer = await stage.transport.transfer(0)
        #expect(transfer.request.priority == .normal)
        while transfer.calls.isEmpty { await Task.yield() }
        #expect(transfer.calls == [.setPriority(.high)])
        transfer.respond()
    }

    @Test func `PRI-1 a priority that is changed while an operation waits changes its place in the queue`() async throws {
        let stage = try Stage(settings: .init(maxConcurrentPerHost: 1), usesClientRoles: false)
        let delegate = RequestDelegate()
        let operations = (1...4).map { RequestOperation(.get("http://a.test/\($0)"), delegate: delegate) }
        for operation in operations { stage.queue.enqueue(operation) }
        operations[1].priority = .veryLow
        operations[3].priority = .high
        // Also while it is staged.
        stage.queue.suspend()
        operations[2].priority = .low
        stage.queue.resume()
        for index in 0..<4 { stage.transport.transfers[index].respond() }
        #expect(stage.transport.requests.map(\.url.lastPathComponent) == ["1", "4", "3", "2"])
        #expect(stage.transport.transfers.map(\.request.priority) == [.normal, .high, .low, .veryLow])
    }
}
