import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct Gradient2LimitTests {
    @Test func `QUE-5 the limit starts where it is told, and grows by a fifth of the queue size while nothing is slow`() {
        var limit = Gradient2Limit()
        #expect(limit.limit == 6)
        var limits: [Int] = []
        for _ in 0..<10 {
            limit.take(.milliseconds(10), inFlight: limit.limit)
            limits.append(limit.limit)
        }
        // 6 + 0.8 each time.
        #expect(limits == [6, 7, 8, 9, 10, 10, 11, 12, 13, 14])
    }

    @Test func `QUE-5 answers that get slower shrink it, and it comes back when they are quick again`() {
        var limit = Gradient2Limit()
        for _ in 0..<200 { limit.take(.milliseconds(10), inFlight: limit.limit) }
        let high = limit.limit
        for _ in 0..<20 { limit.take(.milliseconds(200), inFlight: limit.limit) }
        let low = limit.limit
        #expect(low < high / 2)
        for _ in 0..<50 { limit.take(.milliseconds(10), inFlight: limit.limit) }
        #expect(limit.limit > low)
    }

    @Test func `QUE-5 it learns nothing while less than half of it is used`() {
        var limit = Gradient2Limit()
        for _ in 0..<100 { limit.take(.milliseconds(10), inFlight: 2) }
        #expect(limit.limit == 6)
        for _ in 0..<100 { limit.take(.milliseconds(10), inFlight: 3) }
        #expect(limit.limit == 6)
    }

    @Test(arguments: 0..<10)
    func `QUE-5 whatever answers take, the limit stays within its bounds`(block: Int) {
        for seed in block * 1000..<(block + 1) * 1000 {
            var random = SeededGenerator(seed: UInt64(seed))
            let parameters = Gradient2Limit.Parameters(
                initial: Int.random(in: -3...40, using: &random), minimum: Int.random(in: -1...5, using: &random),
                maximum: Int.random(in: 0...30, using: &random), queueSize: Int.random(in: -1...8, using: &random),
                smoothing: Double.random(in: -0.5...1.5, using: &random), longWindow: Int.random(in: 0...600, using: &random))
            var limit = Gradient2Limit(parameters)
            for _ in 0..<100 {
                let before = limit.limit
                let inFlight = Int.random(in: 0...(2 * before), using: &random)
                limit.take(.microseconds(Int.random(in: 0...1_000_000, using: &random)), inFlight: inFlight)
                let isWithin = (parameters.minimum...parameters.maximum).contains(limit.limit)
                let isHeld = 2 * inFlight >= before || limit.limit == before
                guard isWithin, isHeld, limit.limit >= 1 else {
                    Issue.record("\(before) became \(limit.limit) with \(inFlight) under way, seed \(seed)")
                    return
                }
            }
        }
    }

    @Test func `QUE-5 a queue lets in as many as the host's limit, and keeps what it learned`() {
        var queue = QueueMachine(adaptive: Gradient2Limit(.init(initial: 2, queueSize: 10)))
        #expect(queue.enqueue(1) + queue.enqueue(2) + queue.enqueue(3) == ["start 1", "start 2", "limit 3"])
        // The first answer raises the limit from 2 to 4.
        #expect(queue.finished(1, roundTrip: .milliseconds(5)) == ["start 3"])
        #expect(queue.enqueue(4) + queue.enqueue(5) + queue.enqueue(6) == ["start 4", "start 5", "limit 6"])
        for number in 2...6 { _ = queue.finished(number) }
        #expect(queue.slots.hosts.isEmpty)
        #expect(queue.slots.learnedLimits["a"]?.limit == 4)
    }
}
