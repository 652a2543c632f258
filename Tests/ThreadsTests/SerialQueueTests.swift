import Foundation
import NetworkLayer
import Synchronization
import Testing

@testable import Threads

/// Real threads: each block is awaited, none by the clock.
@Suite(.timeLimit(.minutes(1))) struct SerialQueueTests {
    @Test func `blocks run one after another, each giver's in its order`() async {
        let queue = SerialQueue()
        let log = Log()
        await withTaskGroup(of: Void.self) { group in
            for giver in 0..<4 {
                group.addTask {
                    await SystemThread.value {
                        for number in 0..<500 {
                            queue.async { log.run(number, of: giver) }
                            // Now and then the queue is at rest, and its thread has gone.
                            if number.isMultiple(of: 50) { queue.wait() }
                        }
                    }
                }
            }
        }
        queue.wait()
        #expect(log.overlaps == 0)
        #expect(log.numbers.count == 4)
        #expect(log.numbers.values.allSatisfy { $0 == Array(0..<500) })
    }

    @Test func `to wait is to wait for all that came before`() {
        let queue = SerialQueue()
        queue.wait()
        let log = Log()
        for number in 0..<3 { queue.async { log.run(number, of: 0) } }
        queue.wait()
        #expect(log.numbers == [0: [0, 1, 2]])
    }

    @Test func `a block may give the queue others`() {
        let queue = SerialQueue()
        let ran = Mutex([String]())
        queue.async {
            queue.async { ran.withLock { $0.append("inner") } }
            ran.withLock { $0.append("outer") }
        }
        queue.wait()
        queue.wait()
        #expect(ran.withLock { $0 } == ["outer", "inner"])
    }

    @Test func `blocks are run when nobody refers to the queue any more`() async {
        let (ran, continuation) = AsyncStream<Void>.makeStream()
        do {
            let queue = SerialQueue()
            for _ in 0..<3 { queue.async { continuation.yield() } }
        }
        var count = 0
        for await _ in ran {
            count += 1
            if count == 3 { break }
        }
    }

    @Test func `what a block holds goes away before the next one runs`() {
        let queue = SerialQueue()
        let gate = UnderWay()
        gate.enter()
        // So that both wait together.
        queue.async { gate.wait() }
        let isGone = Mutex(false)
        do {
            let held = Thing()
            let watched = Watched(held)
            queue.async { withExtendedLifetime(held) {} }
            queue.async { isGone.withLock { $0 = watched.thing == nil } }
        }
        gate.leave()
        queue.wait()
        #expect(isGone.withLock { $0 })
    }

    @Test func `a queue at rest has no thread`() throws {
        let queue = SerialQueue()
        let thread = Mutex("")
        queue.async { thread.withLock { $0 = ThisThread.path } }
        queue.wait()
        let path = thread.withLock { $0 }
        try #require(path.contains("/task/"))
        while FileManager.default.fileExists(atPath: path) { sched_yield() }
    }
}

private final class Thing: Sendable {}

private final class Watched: Sendable {
    private let box: Mutex<Box>

    private struct Box {
        weak var thing: Thing?
    }

    init(_ thing: Thing) { box = Mutex(Box(thing: thing)) }

    var thing: Thing? { box.withLock { $0.thing } }
}

/// What blocks were run.
private final class Log: Sendable {
    private let running = Atomic(0)
    private let overlapped = Atomic(0)
    private let ran = Mutex([Int: [Int]]())

    func run(_ number: Int, of giver: Int) {
        if running.wrappingAdd(1, ordering: .relaxed).newValue > 1 { overlapped.wrappingAdd(1, ordering: .relaxed) }
        ran.withLock { $0[giver, default: []].append(number) }
        running.wrappingSubtract(1, ordering: .relaxed)
    }

    var overlaps: Int { overlapped.load(ordering: .relaxed) }
    var numbers: [Int: [Int]] { ran.withLock { $0 } }
}
