import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import Synchronization

/// The whole layer as the program uses it: a queue, operations with their events and metrics, and an observer of all events.
final class Turnstone: Contestant {
    let name = "Turnstone"
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

    init() throws {
        client = NetworkClient(transport: CurlTransport(), settings: .init(maxConcurrentPerHost: nil, maxStreamsPerHost: nil))
        queue = try RequestOperationQueue(identifier: "benchmarks", client: client)
        client.addObserver(counter)
    }

    var eventCount: Int { counter.count.load(ordering: .relaxed) }

    func requests(_ url: String, concurrency: Int, until end: ContinuousClock.Instant) async throws -> Int {
        let request = Request(url: URL(string: url)!)
        let queue = queue
        return try await inTasks(concurrency, until: end) {
            let response = await queue.enqueue(request).response
            if let error = response.error { throw error }
            guard response.info?.body.count == Nginx.smallSize else { throw BenchmarkError("Turnstone: a body of another size") }
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
