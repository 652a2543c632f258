import CurlTransport
import DemoServer
import FoundationEssentials
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import Synchronization

/// Everything that a program can do with the network layer, at random, from several tasks at once: for the thread sanitizer.
///
/// What must always hold is looked at in the end: the rules of events for every operation, and one response for each.
struct Storm {
    var seconds: Int
    var seed: UInt64

    /// So that a slow machine doesn't pile up what a quick one would have done.
    private static let mostAlive = 150
    private static let tasks: UInt64 = 4

    func run() async throws -> [String] {
        let server = try await DemoServer()
        let requests = StormRequests(server: server)
        let curl = CurlTransport()
        let client = NetworkClient(
            transport: requests.transport(before: curl),
            settings: .init(maxConcurrentPerHost: 12, maxConcurrent: 40, automaticDependencyThreshold: .high))
        let recorder = EventRecorder()
        client.addObserver(recorder)
        let queues = [
            try RequestOperationQueue(identifier: "plain", client: client),
            try RequestOperationQueue(identifier: "bounded", client: client, configuration: .init(maxWaiting: 20)),
            try RequestOperationQueue(
                identifier: "failing", client: client,
                configuration: .init(failureMode: .cancelRest, hooks: .init(beforeEach: { _ = $0.metrics }, afterEach: { _, _ in }))
            ),
        ]
        let alive = Alive()
        let end = ContinuousClock.now + .seconds(seconds)
        let watchdog = Watchdog(limit: .seconds(seconds + 30)) {
            let suspended = queues.filter(\.isSuspended).map(\.identifier)
            return alive.open + ["suspended queues: \(suspended)"]
        }
        defer { watchdog.end() }
        await withTaskGroup { group in
            for number in 0..<Self.tasks {
                var actor = StormActor(
                    random: SeededGenerator(seed: seed &+ number), requests: requests, client: client, curl: curl, queues: queues,
                    alive: alive)
                group.addTask {
                    while ContinuousClock.now < end {
                        actor.act()
                        await Task.yield()
                        if alive.count > Self.mostAlive { await actor.awaitOne() }
                    }
                    // Another one may wait for an operation of a queue that this one has suspended since.
                    actor.resumeAll()
                }
            }
        }
        for queue in queues { await queue.drain() }
        await alive.settle()
        let problems = recorder.violations + alive.problems(recorder.events, executing: client.executingConnectionCount)
        print("seed \(seed), \(seconds) s: \(alive.summary), \(recorder.events.count) events, \(problems.count) problems")
        await server.stop()
        return problems
    }
}

/// The operations of a storm, and what came of them.
final class Alive: Sendable {
    private struct State {
        var operations: [OperationID: RequestOperation] = [:]
        var made = 0
        var neverEnqueued = 0
        var ends: [RequestOperation.State: Int] = [:]
        var twice: [OperationID] = []
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.operations.count } }

    func random(_ generator: inout SeededGenerator) -> RequestOperation? {
        let operations = state.withLock { $0.operations }
        return operations.values.randomElement(using: &generator)
    }

    /// Keeps the operation until it is over.
    func add(_ operation: RequestOperation) {
        state.withLock { state in
            state.operations[operation.id] = operation
            state.made += 1
        }
        Task {
            let response = await operation.response
            let waiter = state.withLock { state in
                if state.operations.removeValue(forKey: operation.id) == nil { state.twice.append(operation.id) }
                state.ends[response.metrics.state, default: 0] += 1
                return state.operations.isEmpty ? state.waiter.take() : nil
            }
            waiter?.resume()
        }
    }

    /// Returns when all are over.
    func settle() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if !state.operations.isEmpty { state.waiter = continuation }
                return state.operations.isEmpty
            }
            if isDone { continuation.resume() }
        }
    }

    /// What is still to end, a line each.
    var open: [String] {
        let operations = state.withLock { $0.operations.values }
        return operations.map { "operation \($0.id.rawValue) is \($0.state): \($0.originalRequest.url)" }.sorted()
    }

    var summary: String {
        let (made, ends) = state.withLock { ($0.made, $0.ends) }
        return "\(made) operations, "
            + ends.sorted { $0.key.name < $1.key.name }.map { "\($0.value) \($0.key.name)" }.joined(separator: ", ")
    }

    func problems(_ events: [NetworkEvent], executing: Int) -> [String] {
        var completed: [OperationID: Int] = [:]
        for event in events {
            if case .completed = event.kind { completed[event.operation, default: 0] += 1 }
        }
        var problems = completed.filter { $0.value != 1 }.map { "Operation \($0.key.rawValue) has \($0.value) completed events." }
        let (made, ends, twice) = state.withLock { ($0.made, $0.ends, $0.twice) }
        if ends.values.reduce(0, +) != made { problems.append("\(made) operations, and \(ends.values.reduce(0, +)) responses.") }
        problems += twice.map { "Operation \($0.rawValue) ended twice." }
        if executing != 0 { problems.append("\(executing) operations are counted as executing after the end.") }
        return problems
    }
}

extension RequestOperation.State {
    fileprivate var name: String { String(describing: self).prefix { $0 != "(" }.description }
}
