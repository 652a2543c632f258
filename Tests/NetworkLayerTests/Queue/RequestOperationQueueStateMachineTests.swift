import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct RequestOperationQueueStateMachineTests {
    typealias Queue = QueueMachine

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
