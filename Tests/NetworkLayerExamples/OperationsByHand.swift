import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import Synchronization
import Testing

/// The code of the article OperationsByHand.
@Suite struct OperationsByHand {
    let base = "https://birds.example"

    func queue(answering: @escaping @Sendable (Request) -> MockResponse = { .text($0.url.path) }) throws -> RequestOperationQueue {
        let time = ManualTimeSource()
        return try RequestOperationQueue(
            identifier: "birds", client: NetworkClient(transport: MockTransport(time: time, answer: answering), time: time))
    }

    @Test func `one waits for the other`() async throws {
        let queue = try queue()

        // snippet
        let login = RequestOperation(.post(base + "/login", body: .data(Data("{}".utf8))))
        let profile = RequestOperation(.get(base + "/profile"), priority: .high)
        try profile.addDependency(login)
        queue.enqueue(profile)
        queue.enqueue(login)
        let name = try await profile.text()
        // end

        #expect(name == "/profile")
        #expect(login.finalResponse?.text == "/login")
        let states = profile.events(from: 0).compactMap { if case .transition(_, let state) = $0.kind { state } else { nil } }
        #expect(states.first == .waiting(.dependency))
    }

    @Test func `a queue of one's own`() async throws {
        let client = NetworkClient(transport: MockTransport { .text($0.url.path) })
        let ends = Mutex<[Bool]>([])

        // snippet
        let queue = try RequestOperationQueue(
            identifier: "import", client: client,
            configuration: .init(
                failureMode: .cancelRest, maxConcurrent: 2,
                hooks: .init(afterAll: { hasFailed in ends.withLock { $0.append(hasFailed) } })))
        for page in 1...5 { queue.enqueue(.get(base + "/pages/\(page)")) }
        await queue.drain()
        // end

        // A mock answers at once, so the queue may be empty between two pages.
        #expect(ends.withLock { !$0.isEmpty && !$0.contains(true) })
    }

    @Test func `another order while it is suspended`() async throws {
        let transport = MockTransport { .text($0.url.path) }
        let queue = try RequestOperationQueue(
            identifier: "birds", client: NetworkClient(transport: transport), configuration: .init(maxConcurrent: 1))

        // snippet
        queue.suspend()
        let first = queue.enqueue(.get(base + "/first"))
        let second = queue.enqueue(.get(base + "/second"))
        second.priority = .veryHigh
        queue.resume()
        // end

        _ = await (first.response, second.response)
        #expect(transport.requests.map(\.url.path) == ["/second", "/first"])
    }

    @Test(arguments: [30, 3_600])
    func `try again now, or never`(seconds: Int) async throws {
        let count = Mutex(0)
        let queue = try queue { _ in
            count.withLock { count in
                count += 1
                return .status(count == 1 ? .serviceUnavailable : .ok)
            }
        }
        var configuration = RequestConfiguration()
        configuration.retry = [
            ClosureRetryPolicy("busy") { context in
                context.status == .serviceUnavailable ? .retry(after: .seconds(seconds), reason: "it is busy") : .abstain
            }
        ]
        let operation = queue.enqueue(.get(base), configuration: configuration)

        // snippet
        for await event in operation.events {
            if case .retryScheduled(let delay) = event.kind {
                if delay < .seconds(60) { operation.retryNow() } else { operation.stopRetrying() }
            }
        }
        // end

        let response = await operation.response
        #expect(response.status == (seconds < 60 ? .ok : .serviceUnavailable))
    }
}
