import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import Synchronization

/// The whole layer as the program uses it: a queue, operations with their events and metrics, and an observer of all events.
final class Turnstone: Contestant {
    let name: String
    /// Whether what sends the requests runs on the transport's thread, as its documentation says for many short ones.
    private let usesThread: Bool
    private let transport = CurlTransport()
    private let client: NetworkClient
    private let queue: RequestOperationQueue
    private let counter = EventCounter()

    /// Somebody who listens, so that no event can be left out.
    private final class EventCounter: NetworkObserver {
        let count = Atomic<Int>(0)

        func observe(_ event: NetworkEvent, of operation: RequestOperation) {
            count.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// - Parameter usesThread: else its tasks run on Swift's pool, and only many requests at once are measured.
    init(usesThread: Bool = true) throws {
        name = usesThread ? "Turnstone" : "Turnstone, from other threads"
        self.usesThread = usesThread
        client = NetworkClient(transport: transport, settings: .init(maxConcurrentPerHost: nil, maxStreamsPerHost: nil))
        queue = try RequestOperationQueue(identifier: "benchmarks", client: client)
        client.addObserver(counter)
    }

    func takesPart(in test: String) -> Bool { usesThread || test == "many" }

    var eventCount: Int { counter.count.load(ordering: .relaxed) }

    func requests(_ url: String, concurrency: Int, until end: ContinuousClock.Instant) async throws -> Int {
        let request = Request(url: URL(string: url)!)
        let queue = queue
        @Sendable func send() async throws {
            let response = await queue.enqueue(request).response
            if let error = response.error { throw error }
            guard response.info?.body.count == Nginx.smallSize else { throw BenchmarkError("Turnstone: a body of another size") }
        }
        return try await withTaskExecutorPreference(usesThread ? transport.executor : nil) {
            guard concurrency == 1 else { return try await inTasks(concurrency, until: end, send) }
            var count = 0
            while ContinuousClock.now < end {
                try await send()
                count += 1
            }
            return count
        }
    }

    /// So many, one after the other, on the thread of the transport.
    func operations(_ url: String, _ count: Int) async throws {
        let request = Request(url: URL(string: url)!)
        let queue = queue
        try await withTaskExecutorPreference(transport.executor) {
            for _ in 0..<count {
                if let error = await queue.enqueue(request).response.error { throw error }
            }
        }
    }

    func download(_ url: String, keep: Bool) async throws -> Int {
        var configuration = RequestConfiguration()
        configuration.consumption = keep ? .memory(spillOver: .max) : .none
        let response = await queue.enqueue(Request(url: URL(string: url)!), configuration: configuration).response
        if let error = response.error { throw error }
        return keep ? response.info?.body.count ?? 0 : Int(response.metrics.attempts.last?.download.bytes ?? 0)
    }
}
