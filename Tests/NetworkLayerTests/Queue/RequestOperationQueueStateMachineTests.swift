import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct RequestOperationQueueStateMachineTests {
    typealias Queue = QueueMachine

    @Test func `without limits everything starts at once`() {
        var queue = Queue()
        #expect(queue.enqueue(1) == ["start 1"])
        #expect(queue.enqueue(2) == ["start 2"])
        #expect(queue.finished(1) == [])
    }

    @Test func `QUE-5 as many of a host as its limit; the others wait and say why`() {
        var queue = Queue(perHost: 2)
        #expect(queue.enqueue(1) + queue.enqueue(2) + queue.enqueue(3) == ["start 1", "start 2", "limit 3"])
        #expect(queue.enqueue(4, host: "b") == ["start 4"])
        #expect(queue.finished(4) == [])
        #expect(queue.finished(2) == ["start 3"])
    }

    @Test func `QUE-5 the total limit holds over all hosts`() {
        var queue = Queue(perHost: 2, total: 3)
        #expect(queue.enqueue(1) + queue.enqueue(2) + queue.enqueue(3) == ["start 1", "start 2", "limit 3"])
        #expect(queue.enqueue(4, host: "b") + queue.enqueue(5, host: "b") == ["start 4", "limit 5"])
        #expect(queue.finished(4) == ["start 5"])
        #expect(queue.finished(1) == ["start 3"])
        #expect(queue.finished(2) + queue.finished(3) + queue.finished(5) == [])
    }

    @Test func `QUE-5 a host without room doesn't hold up another`() {
        var queue = Queue(perHost: 1, total: 2)
        #expect(queue.enqueue(1) + queue.enqueue(2, .veryHigh) == ["start 1", "limit 2"])
        #expect(queue.enqueue(3, host: "b") + queue.enqueue(4, host: "c", .low) == ["start 3", "limit 4"])
        #expect(queue.finished(3) == ["start 4"])
        #expect(queue.finished(1) == ["start 2"])
    }

    @Test func `PRI-1 the highest priority starts first, and among equals who came first`() {
        var queue = Queue(perHost: 1)
        _ = queue.enqueue(1)
        let priorities: [Priority] = [.normal, .veryLow, .high, .normal, .veryHigh, .high, .low]
        for (index, priority) in priorities.enumerated() { _ = queue.enqueue(index + 2, priority) }
        var order: [String] = []
        var next = [1]
        while let number = next.popLast() {
            let started = queue.finished(number)
            order += started
            next += started.compactMap { Int($0.split(separator: " ")[1]) }
        }
        #expect(order == ["start 6", "start 4", "start 7", "start 2", "start 5", "start 8", "start 3"])
    }

    @Test func `QUE-2 a suspended queue stages, and the last resume releases by priority`() {
        var queue = Queue()
        #expect(queue.enqueue(1) == ["start 1"])
        #expect(queue.suspend() + queue.suspend() == [])
        #expect(
            queue.enqueue(2, .low) + queue.enqueue(3) + queue.enqueue(4, .high) == ["suspended 2", "suspended 3", "suspended 4"])
        #expect(queue.finished(1) == [])
        #expect(queue.resume() == [])
        #expect(queue.machine.isSuspended)
        #expect(queue.resume() == ["start 4", "start 3", "start 2"])
        #expect(!queue.machine.isSuspended)
    }

    @Test func `QUE-2 a resume too many does nothing`() {
        var queue = Queue()
        #expect(queue.resume() == [])
        #expect(queue.suspend() == [])
        #expect(queue.enqueue(1) == ["suspended 1"])
        #expect(queue.resume() == ["start 1"])
    }

    @Test func `QUE-2 what waits for the limit says so again after a suspension`() {
        var queue = Queue(perHost: 1)
        #expect(queue.enqueue(1) + queue.enqueue(2) + queue.enqueue(3) == ["start 1", "limit 2", "limit 3"])
        #expect(queue.suspend() == ["suspended 2", "suspended 3"])
        #expect(queue.finished(1) == [])
        #expect(queue.resume() == ["start 2", "limit 3"])
    }

    @Test func `QUE-4 cancelAll reaches everything, and nothing takes the place of what is cancelled`() {
        var queue = Queue(perHost: 1)
        #expect(queue.enqueue(1) + queue.enqueue(2) + queue.enqueue(3, host: "b") == ["start 1", "limit 2", "start 3"])
        #expect(queue.cancelAll() == ["cancel 1", "cancel 2", "cancel 3"])
        #expect(queue.cancelAll() == [])
        #expect(queue.finished(1) == [])
        #expect(queue.enqueue(4) == ["start 4"])
        #expect(queue.finished(2) + queue.finished(3) + queue.finished(4) == [])
    }

    @Test func `QUE-4 cancelAll reaches staged operations`() {
        var queue = Queue()
        _ = queue.suspend()
        _ = queue.enqueue(1)
        #expect(queue.cancelAll() == ["cancel 1"])
        #expect(queue.finished(1) == [])
        #expect(queue.resume() == [])
    }

    @Test func `what ends while it waits leaves the line, also from its front`() {
        var queue = Queue(perHost: 2, total: 2)
        #expect(queue.enqueue(1) + queue.enqueue(2) == ["start 1", "start 2"])
        for number in 3...5 { #expect(queue.enqueue(number) == ["limit \(number)"]) }
        #expect(queue.finished(3) == [])
        #expect(queue.finished(1) == ["start 4"])
        #expect(queue.finished(2) == ["start 5"])
    }

    @Test func `the end of an unknown operation, and a second end, change nothing`() {
        var queue = Queue(perHost: 1)
        #expect(queue.finished(9) == [])
        #expect(queue.enqueue(1) + queue.enqueue(2) + queue.enqueue(3) == ["start 1", "limit 2", "limit 3"])
        #expect(queue.finished(1) == ["start 2"])
        #expect(queue.finished(1) == [])
    }
}
