import Foundation
import FoundationNetworking
import Synchronization

/// Foundation's client; on Linux it is built on libcurl.
final class URLSessionContestant: Contestant {
    let name = "URLSession"
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = 64
        configuration.urlCache = nil
        session = URLSession(configuration: configuration)
    }

    func requests(_ url: String, concurrency: Int, until end: ContinuousClock.Instant) async throws -> Int {
        let session = session
        let url = URL(string: url)!
        return try await inTasks(concurrency, until: end) {
            let (data, _) = try await session.data(from: url)
            guard data.count == Nginx.smallSize else { throw BenchmarkError("URLSession: a body of another size") }
        }
    }

    func download(_ url: String, keep: Bool) async throws -> Int {
        let url = URL(string: url)!
        if keep { return try await session.data(from: url).0.count }
        let counter = Counter()
        let session = URLSession(configuration: .ephemeral, delegate: counter, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return try await withCheckedThrowingContinuation { continuation in
            counter.state.withLock { $0.continuation = continuation }
            session.dataTask(with: url).resume()
        }
    }

    private final class Counter: NSObject, URLSessionDataDelegate, Sendable {
        let state = Mutex(State())

        struct State {
            var count = 0
            var continuation: CheckedContinuation<Int, any Error>?
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            state.withLock { $0.count += data.count }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let (continuation, count) = state.withLock { state in
                defer { state.continuation = nil }
                return (state.continuation, state.count)
            }
            if let error { continuation?.resume(throwing: error) } else { continuation?.resume(returning: count) }
        }
    }
}
