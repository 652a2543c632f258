import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// What the queue's machine does with dependencies, pauses, failures and a full queue.
@Suite struct QueueGatesTests {
    typealias Queue = QueueMachine

    @Test func `DEP-1 what depends on others comes into line when they are over`() {
        var queue = Queue(perHost: 1)
        #expect(queue.enqueue(1, .low, after: [8, 9]) == ["1 after 8 9"])
        #expect(queue.enqueue(2) + queue.enqueue(3, .veryLow) == ["start 2", "limit 3"])
        #expect(queue.dependencies(1, [9]) == ["1 after 9"])
        #expect(queue.dependencies(1, []) == ["limit 1"])
        #expect(queue.finished(2) == ["start 1"])
    }

    @Test func `DEP-1 one that comes late takes its place in line away, and gives it back`() {
        var queue = Queue(perHost: 1)
        _ = queue.enqueue(1)
        #expect(queue.enqueue(2) + queue.enqueue(3) == ["limit 2", "limit 3"])
        #expect(queue.dependencies(2, [9]) == ["2 after 9"])
        #expect(queue.finished(1) == ["start 3"])
        #expect(queue.dependencies(2, []) == ["limit 2"])
        #expect(queue.dependencies(3, [9]) == [])
        #expect(queue.finished(3) == ["start 2"])
    }

    @Test func `BKO-4 who must ask waits for the answer, and then for the limits`() {
        var queue = Queue(perHost: 1)
        #expect(queue.enqueue(1, backoff: true) == ["ask 1"])
        #expect(queue.backOff(1, until: .zero) + queue.backOff(1) == ["pause 1", "in turn 1"])
        #expect(queue.enqueue(2) == ["start 2"])
        #expect(queue.pass(1) == ["limit 1"])
        #expect(queue.pass(1) == [])
        #expect(queue.finished(2) == ["start 1"])
        #expect(queue.finished(1) == ["leave 1"])
    }

    @Test func `BKO-4 who waits for dependencies, or is staged, holds up nobody else`() {
        var queue = Queue()
        #expect(queue.enqueue(1, after: [9], backoff: true) == ["1 after 9"])
        #expect(queue.dependencies(1, []) == ["ask 1"])
        #expect(queue.enqueue(2, backoff: true) + queue.pass(2) == ["ask 2", "start 2"])
        #expect(queue.suspend() == ["leave 1", "suspended 1"])
        #expect(queue.enqueue(3, .high, backoff: true) == ["suspended 3"])
        #expect(queue.resume() == ["ask 3", "ask 1"])
    }

    @Test func `QUE-5 a full queue refuses at once, unless the operation can start`() {
        var queue = Queue(perHost: 1, waiting: 1)
        #expect(queue.enqueue(1) + queue.enqueue(2) == ["start 1", "limit 2"])
        #expect(queue.enqueue(3) == ["refuse 3, 1 wait"])
        #expect(queue.enqueue(4, host: "b") == ["start 4"])
        #expect(queue.finished(3) == [])
        #expect(queue.finished(1) == ["start 2"])
        #expect(queue.enqueue(5) == ["limit 5"])
    }

    @Test func `TN-6 the first failure cancels the rest, once; what comes later goes on`() {
        var queue = Queue(perHost: 1, failureMode: .cancelRest)
        _ = queue.enqueue(1) + queue.enqueue(2, host: "b") + queue.enqueue(3)
        #expect(queue.finished(1, failed: true) == ["cancel 2", "cancel 3"])
        #expect(queue.enqueue(4) == ["start 4"])
        #expect(queue.finished(2, failed: true) == ["cancel 4"])
        #expect(queue.finished(3) == [])
    }

    @Test func `TN-6 a batch is from the first to the last, and tells of failures`() {
        var queue = Queue(perHost: 1, reportsBatches: true)
        #expect(queue.enqueue(1) + queue.enqueue(2) == ["batch", "start 1", "limit 2"])
        #expect(queue.finished(1, failed: true) == ["ended 1", "start 2"])
        #expect(queue.finished(2) == ["ended 2", "batch failed"])
        #expect(queue.enqueue(3) == ["batch", "start 3"])
        #expect(queue.finished(3) == ["ended 3", "batch done"])
    }
}
