import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

@Suite(.watchesEvents) struct DependencyTests {
    let time = ManualTimeSource()
    let recorder = EventRecorder()
    let transport: ScriptedTransport
    let client: NetworkClient
    let queue: RequestOperationQueue

    init() throws {
        try self.init(settings: .init())
    }

    private init(settings: NetworkClient.Settings) throws {
        transport = ScriptedTransport(time: time)
        client = NetworkClient(transport: transport, time: time, settings: settings).watched()
        client.addObserver(recorder)
        queue = try RequestOperationQueue(identifier: "test", client: client)
    }

    private func operation(_ path: String = "", priority: Priority = .normal) -> RequestOperation {
        RequestOperation(.get("http://a.test/\(path)"), priority: priority)
    }

    @Test(arguments: ["succeeded", "failed", "cancelled"])
    func `DEP-1 an operation starts when those it waits for are over, however they ended`(end: String) throws {
        let first = operation("1")
        let second = operation("2")
        try second.addDependency(first)
        queue.enqueue(second)
        #expect(second.state == .waiting(.dependency))
        #expect(second.metrics.waitsFor == .operations([first.id]))
        #expect(second.dependencies == [first.id])
        queue.enqueue(first)
        switch end {
        case "succeeded": transport.transfers[0].respond()
        case "failed": transport.transfers[0].finish(.reset)
        default: first.cancel()
        }
        #expect(first.state.description == end)
        #expect(second.state == .starting)
        #expect(second.metrics.waitsFor == nil)
        transport.transfers[1].respond()
        #expect(recorder.violations == [])
    }

    @Test func `DEP-1 dependencies cross queues, and what is left of them is told`() throws {
        let other = try RequestOperationQueue(identifier: "other", client: client)
        let first = other.enqueue(.get("http://b.test/1"))
        let second = other.enqueue(.get("http://b.test/2"))
        let third = operation("3")
        try third.addDependency(first)
        try third.addDependency(second)
        queue.enqueue(third)
        transport.transfers[1].respond()
        #expect(third.state == .waiting(.dependency))
        transport.transfers[0].respond()
        #expect(third.state == .starting)
        let told = third.events(from: 0).compactMap { event -> WaitDetail? in
            if case .waitsFor(let detail) = event.kind { detail } else { nil }
        }
        #expect(told == [.operations([first.id, second.id]), .operations([first.id])])
    }

    @Test func `DEP-1 one that is added while it waits in line holds it back`() throws {
        queue.suspend()
        let first = operation("1")
        let second = queue.enqueue(.get("http://a.test/2"))
        try second.addDependency(first)
        #expect(second.state == .waiting(.queueSuspended))
        queue.resume()
        #expect(second.state == .waiting(.dependency))
        second.removeDependency(first)
        #expect(second.state == .starting)
        transport.transfers[0].respond()
        #expect(recorder.violations == [])
    }

    @Test func `DEP-1 one that is added after the start is for the next attempt`() throws {
        let first = operation("1")
        let second = queue.enqueue(.get("http://a.test/2"))
        try second.addDependency(first)
        #expect(second.state == .starting)
        #expect(second.dependencies == [first.id])
        #expect(second.core.withLock { $0.machine.unfinishedDependencies } == [first.id])
        first.cancel()
        #expect(second.core.withLock { $0.machine.unfinishedDependencies } == [])
        transport.transfers[0].respond()
        #expect(second.state == .succeeded)
    }

    @Test func `DEP-1 what is over already, or goes away unsent, holds nothing up`() throws {
        let over = operation()
        over.cancel()
        var unsent: RequestOperation? = operation()
        let waiting = operation()
        try waiting.addDependency(over)
        try waiting.addDependency(#require(unsent))
        queue.enqueue(waiting)
        #expect(waiting.state == .waiting(.dependency))
        unsent = nil
        #expect(waiting.state == .starting)
        try over.addDependency(waiting)
        #expect(over.dependencies == [])
    }

    @Test func `DEP-1 a circle is an error that names it`() throws {
        let operations = (1...3).map { operation("\($0)") }
        try operations[0].addDependency(operations[1])
        try operations[1].addDependency(operations[2])
        let error = #expect(throws: NetworkError.self) { try operations[2].addDependency(operations[0]) }
        let numbers = operations.map(\.id.rawValue)
        #expect(error?.code == .dependencyCycle)
        #expect(
            error?.message
                == "Operation \(numbers[2]) can't wait for operation \(numbers[0]): they would wait for each other for ever "
                + "(\(numbers[2]) → \(numbers[0]) → \(numbers[1]) → \(numbers[2])).")
        #expect(operations[2].dependencies == [])
        let long = (0..<1000).map { operation("\($0)") }
        for (one, next) in zip(long, long.dropFirst()) { try one.addDependency(next) }
        let message = #expect(throws: NetworkError.self) { try long[999].addDependency(long[0]) }?.message
        #expect(
            message?.hasSuffix(
                " → … → \(long[996].id.rawValue) → \(long[997].id.rawValue) → \(long[998].id.rawValue) → \(long[999].id.rawValue))."
            ) == true)
        #expect((message?.count ?? 0) < 200)
        let own = #expect(throws: NetworkError.self) { try operations[2].addDependency(operations[2]) }
        #expect(own?.message == "Operation \(numbers[2]) can't wait for itself.")
    }

    @Test func `T-DEP without a threshold the order is that of the answers`() throws {
        let normal = queue.enqueue(.get("http://a.test/1"))
        let high = queue.enqueue(.get("http://a.test/2"), priority: .high)
        #expect([normal.state, high.state] == [.starting, .starting])
    }

    @Test func `DEP-2 GLB-6 T-DEP operations above the threshold hold back later ones at or below it, also in other queues`() throws
    {
        let test = try DependencyTests(settings: .init(automaticDependencyThreshold: .normal))
        let other = try RequestOperationQueue(identifier: "other", client: test.client)
        let before = test.queue.enqueue(.get("http://a.test/1"))
        let high = test.queue.enqueue(.get("http://a.test/2"), priority: .high)
        let after = other.enqueue(.get("http://a.test/3"))
        let alsoHigh = other.enqueue(.get("http://a.test/4"), priority: .veryHigh)
        #expect([before, high, after, alsoHigh].map(\.state) == [.starting, .starting, .waiting(.dependency), .starting])
        #expect(after.metrics.waitsFor == .operations([high.id]))
        test.transport.transfers[1].respond()
        #expect(after.state == .starting)
        for index in [0, 2, 3] { test.transport.transfers[index].respond() }
        #expect(test.recorder.violations == [])
    }

    @Test func `DEP-2 T-DEP cancelling the urgent one releases who waits for it`() throws {
        let test = try DependencyTests(settings: .init(automaticDependencyThreshold: .normal))
        let high = test.queue.enqueue(.get("http://a.test/1"), priority: .high)
        let normal = test.queue.enqueue(.get("http://a.test/2"))
        #expect(normal.state == .waiting(.dependency))
        high.cancel()
        #expect(normal.state == .starting)
    }

    @Test func `DEP-2 an urgent operation that waits for this one doesn't hold it back`() throws {
        let test = try DependencyTests(settings: .init(automaticDependencyThreshold: .normal))
        let high = test.operation("1", priority: .high)
        let normal = test.operation("2")
        try high.addDependency(normal)
        test.queue.enqueue(high)
        test.queue.enqueue(normal)
        #expect([high.state, normal.state] == [.waiting(.dependency), .starting])
        test.transport.transfers[0].respond()
        #expect(high.state == .starting)
    }

    @Test func `DEP-2 the news of many dependencies stay in proportion to their number`() throws {
        let test = try DependencyTests(settings: .init(maxConcurrentPerHost: nil, automaticDependencyThreshold: .normal))
        let urgent = (1...300).map { test.queue.enqueue(.get("http://a.test/\($0)"), priority: .high) }
        let normal = test.queue.enqueue(.get("http://a.test/normal"))
        #expect(normal.dependencies == urgent.map(\.id))
        for transfer in test.transport.transfers { transfer.respond() }
        #expect(normal.state == .starting)
        let told = normal.events(from: 0).compactMap { event -> Int? in
            if case .waitsFor(.operations(let ids)) = event.kind { ids.count } else { nil }
        }
        #expect(told == [300, 150, 75, 37, 18] + (1...16).reversed())
        normal.cancel()
        #expect(test.recorder.violations == [])
    }
}
