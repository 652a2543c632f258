#if Peers
    import AsyncHTTPClient
    import NIOCore

    /// The Swift server world's client, over SwiftNIO.
    final class AsyncHTTPClientContestant: Contestant {
        let name = "AsyncHTTPClient"
        private let client: HTTPClient

        init() {
            var configuration = HTTPClient.Configuration()
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
            client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        }

        func requests(_ url: String, concurrency: Int, until end: ContinuousClock.Instant) async throws -> Int {
            let client = client
            return try await inTasks(concurrency, until: end) {
                let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
                let body = try await response.body.collect(upTo: 1 << 20)
                guard body.readableBytes == Nginx.smallSize else { throw BenchmarkError("AsyncHTTPClient: a body of another size") }
            }
        }

        func download(_ url: String, keep: Bool) async throws -> Int {
            let response = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
            if keep { return try await response.body.collect(upTo: .max).readableBytes }
            var count = 0
            for try await piece in response.body { count += piece.readableBytes }
            return count
        }

        func stop() async {
            try? await client.shutdown()
        }
    }
#endif
