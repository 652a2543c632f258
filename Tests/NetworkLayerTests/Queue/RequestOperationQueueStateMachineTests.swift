import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite struct RequestOperationQueueStateMachineTests {
    typealias Effect = RequestOperationQueue.StateMachine.Effect

    /// A queue's machine, with operations as numbers.
    struct Queue {
        var machine: RequestOperationQueue.StateMachine

        init(perHost: Int? = nil, total: Int? = nil) {
            machine = .init(maxConcurrentPerHost: perHost, maxConcurrent: total)
        }

        mutating func enqueue(_ number: Int, host: String = "a", _ priority: Priority = .normal) -> [String] {
            words(machine.handle(.enqueue(OperationID(rawValue: number), host: host, priority: priority)))
        }

        mutating func finished(_ number: Int) -> [String] { words(machine.handle(.finished(OperationID(rawValue: number)))) }
        mutating func suspend() -> [String] { words(machine.handle(.suspend)) }
        mutating func resume() -> [String] { words(machine.handle(.resume)) }
        mutating func cancelAll() -> [String] { words(machine.handle(.cancelAll("a test"))) }

        private func words(_ effects: [Effect]) -> [String] {
            effects.map { effect in
                switch effect {
                case .start(let id): "start \(id.rawValue)"
                case .wait(let id, .queueSuspended): "suspended \(id.rawValue)"
                case .wait(let id, let reason): "\(reason == .concurrencyLimit ? "limit" : reason.rawValue) \(id.rawValue)"
                case .cancel(let id, _): "cancel \(id.rawValue)"
                }
            }
        }
    }

    @Test func `without limits everything starts at once`() {
        var queue = Queue()
        #expect(queue.enqueue(1) == ["start 1"])
        #expect(queue.enqueue(2) == ["start 2"])
        #expect(queue.finished(1) == [])
    }

    @Test func `as many of a host as its limit; the others wait and say why (QUE-5)`() {
        var queue = Queue(perHost: 2)
        #expect(queue.enqueue(1) + queue.enqueue(2) + queue.enqueue(3) == ["start 1", "start 2", "limit 3"])
        #expect(queue.enqueue(4, host: "b") == ["start 4"])
        #expect(queue.finished(4) == [])
        #expect(queue.finished(2) == ["start 3"])
    }

    @Test func `the total limit holds over all hosts`() {
        var queue = Queue(perHost: 2, total: 3)
        #expect(queue.enqueue(1) + queue.enqueue(2) + queue.enqueue(3) == ["start 1", "start 2", "limit 3"])
        #expect(queue.enqueue(4, host: "b") + queue.enqueue(5, host: "b") == ["start 4", "limit 5"])
        #expect(queue.finished(4) == ["start 5"])
        #expect(queue.finished(1) == ["start 3"])
        #expect(queue.finished(2) + queue.finished(3) + queue.finished(5) == [])
    }

    @Test func `a host without room doesn't hold up another`() {
        var queue = Queue(perHost: 1, total: 2)
        #expect(queue.enqueue(1) + queue.enqueue(2, .veryHigh) == ["start 1", "limit 2"])
        #expect(queue.enqueue(3, host: "b") + queue.enqueue(4, host: "c", .low) == ["start 3", "limit 4"])
        #expect(queue.finished(3) == ["start 4"])
        #expect(queue.finished(1) == ["start 2"])
    }

    @Test func `the highest priority starts first, and among equals who came first`() {
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

    @Test func `a suspended queue stages, and the last resume releases by priority (QUE-2)`() {
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

    @Test func `a resume too many does nothing`() {
        var queue = Queue()
        #expect(queue.resume() == [])
        #expect(queue.suspend() == [])
        #expect(queue.enqueue(1) == ["suspended 1"])
        #expect(queue.resume() == ["start 1"])
    }

    @Test func `what waits for the limit says so again after a suspension`() {
        var queue = Queue(perHost: 1)
        #expect(queue.enqueue(1) + queue.enqueue(2) + queue.enqueue(3) == ["start 1", "limit 2", "limit 3"])
        #expect(queue.suspend() == ["suspended 2", "suspended 3"])
        #expect(queue.finished(1) == [])
        #expect(queue.resume() == ["start 2", "limit 3"])
    }

    @Test func `cancelAll reaches everything, and nothing takes the place of what is cancelled (QUE-4)`() {
        var queue = Queue(perHost: 1)
        #expect(queue.enqueue(1) + queue.enqueue(2) + queue.enqueue(3, host: "b") == ["start 1", "limit 2", "start 3"])
        #expect(queue.cancelAll() == ["cancel 1", "cancel 2", "cancel 3"])
        #expect(queue.cancelAll() == [])
        #expect(queue.finished(1) == [])
        #expect(queue.enqueue(4) == ["start 4"])
        #expect(queue.finished(2) + queue.finished(3) + queue.finished(4) == [])
    }

    @Test func `cancelAll reaches staged operations`() {
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

    /// A model that looks at everything every time decides the same as the machine that doesn't.
    @Test(arguments: 0..<4)
    func `whatever comes, it decides as a plain list would`(block: Int) {
        for seed in 0..<250 {
            var random = SeededGenerator(seed: UInt64(block * 250 + seed))
            let perHost = [nil, 1, 2, 3].randomElement(using: &random)!
            let total = [nil, 1, 3, 5].randomElement(using: &random)!
            var machine = RequestOperationQueue.StateMachine(maxConcurrentPerHost: perHost, maxConcurrent: total)
            var model = PlainQueue(perHost: perHost, total: total)
            for number in 1...120 {
                let input: RequestOperationQueue.StateMachine.Input =
                    switch Int.random(in: 0..<20, using: &random) {
                    case 0: .suspend
                    case 1, 2: .resume
                    case 3: Int.random(in: 0..<5, using: &random) == 0 ? .cancelAll("a test") : .resume
                    case 4..<11: .finished(OperationID(rawValue: Int.random(in: 1...number, using: &random)))
                    default:
                        .enqueue(
                            OperationID(rawValue: number), host: ["a", "b", "c"].randomElement(using: &random)!,
                            priority: Priority(rawValue: Int.random(in: -2...2, using: &random)))
                    }
                let starts = machine.handle(input).filter { if case .start = $0 { true } else { false } }
                let expected = model.handle(input)
                #expect(starts.map(\.operation) == expected, "seed \(block * 250 + seed), \(input)")
                if starts.map(\.operation) != expected { return }
            }
        }
    }
}

/// The rules of a queue without any cleverness.
private struct PlainQueue {
    let perHost: Int?
    let total: Int?
    var suspensions = 0
    var waiting: [(id: OperationID, host: String, priority: Priority)] = []
    var running: [OperationID: String] = [:]

    init(perHost: Int?, total: Int?) {
        self.perHost = perHost
        self.total = total
    }

    /// - Returns: what starts, in order.
    mutating func handle(_ input: RequestOperationQueue.StateMachine.Input) -> [OperationID] {
        switch input {
        case .enqueue(let id, let host, let priority): waiting.append((id, host, priority))
        case .finished(let id):
            waiting.removeAll { $0.id == id }
            running[id] = nil
        case .suspend: suspensions += 1
        case .resume: suspensions = max(0, suspensions - 1)
        case .cancelAll: waiting = []
        }
        guard suspensions == 0 else { return [] }
        var started: [OperationID] = []
        while let index = best() {
            let next = waiting.remove(at: index)
            running[next.id] = next.host
            started.append(next.id)
        }
        return started
    }

    private func best() -> Int? {
        if let total, running.count >= total { return nil }
        var best: Int?
        for (index, entry) in waiting.enumerated() {
            if let perHost, running.values.count(where: { $0 == entry.host }) >= perHost { continue }
            if best.map({ waiting[$0].priority < entry.priority }) ?? true { best = index }
        }
        return best
    }
}
