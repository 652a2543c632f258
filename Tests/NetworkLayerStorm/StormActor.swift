import CurlTransport
import FoundationEssentials
import NetworkLayer
import NetworkLayerTesting

/// One of several that do at random what a program may do at any time.
struct StormActor {
    var random: SeededGenerator
    let requests: StormRequests
    let client: NetworkClient
    let curl: CurlTransport
    let queues: [RequestOperationQueue]
    let alive: Alive

    mutating func act() {
        switch Int.random(in: 0..<1000, using: &random) {
        case 0..<500: enqueue()
        case 500..<580: alive.random(&random)?.cancel("the storm")
        case 580..<650: alive.random(&random)?.retryNow()
        case 650..<680: alive.random(&random)?.stopRetrying()
        case 680..<720: anyQueue().suspend()
        case 720..<800: anyQueue().resume()
        case 800..<850: prune()
        case 850..<900: depend()
        case 900..<940: read()
        case 940..<970: follow()
        case 970..<999: watch()
        default: anyQueue().cancelAll()
        }
    }

    /// Waits for one of those that are alive, which its timeout ends at the latest; with every queue going on.
    mutating func awaitOne() async {
        resumeAll()
        _ = await alive.random(&random)?.response
    }

    /// Nothing ends in a queue that stays suspended: timeouts begin when an operation leaves it.
    func resumeAll() {
        for queue in queues {
            while queue.isSuspended { queue.resume() }
        }
    }

    private mutating func anyQueue() -> RequestOperationQueue { queues.randomElement(using: &random)! }

    private mutating func enqueue() {
        let operation = requests.operation(&random)
        alive.add(operation)
        // Some are cancelled before they are enqueued.
        if Int.random(in: 0..<30, using: &random) == 0 { operation.cancel() }
        anyQueue().enqueue(operation)
        if operation.configuration.consumption == .stream { readBody(of: operation) }
    }

    private func readBody(of operation: RequestOperation) {
        Task {
            do {
                for try await piece in operation.body where piece.isEmpty { await Task.yield() }
            } catch {
                // How it ended is in its response.
            }
        }
    }

    private mutating func prune() {
        let scope: PruneScope = [.idle, .all, .host("127.0.0.1")].randomElement(using: &random)!
        client.pruneConnections(scope)
        curl.pool = ConnectionPool(
            limit: Int.random(in: 1...32, using: &random), prunesAfterEveryTransfer: Bool.random(using: &random))
    }

    private mutating func depend() {
        guard let one = alive.random(&random), let other = alive.random(&random), one !== other else { return }
        do {
            try one.addDependency(other)
            if Bool.random(using: &random) { one.removeDependency(other) }
        } catch {
            // A circle, which is refused.
        }
    }

    private mutating func read() {
        guard let operation = alive.random(&random) else { return }
        _ = operation.metrics.duration(of: operation.state)
        _ = operation.finalResponse?.info?.body.count
        _ = (operation.currentRequest, operation.dependencies)
        _ = queues.map { ($0.operations.count, $0.isSuspended) }
        _ = client.executingConnectionCount
    }

    private mutating func follow() {
        guard let operation = alive.random(&random) else { return }
        Task {
            var last = -1
            for await event in operation.events { last = event.sequence }
            _ = last
        }
    }

    private mutating func watch() {
        let registration = (Bool.random(using: &random) ? client.addObserver(Silent()) : anyQueue().addObserver(Silent()))
        Task {
            await Task.yield()
            registration.cancel()
        }
    }

    private final class Silent: NetworkObserver {
        func observe(_ event: NetworkEvent, of operation: RequestOperation) {}
    }
}

extension OperationMetrics {
    fileprivate func duration(of state: RequestOperation.State) -> Duration? {
        guard let entry = states.last(where: { $0.state == state }), let enqueued else { return nil }
        return entry.time - enqueued
    }
}
