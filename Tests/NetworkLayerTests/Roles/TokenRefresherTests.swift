import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

@Suite(.watchesEvents, .timeLimit(.minutes(1))) struct TokenRefresherTests {
    /// A server that takes one token, and gives it to whoever asks.
    private final class Server: Sendable {
        let token = Mutex("fresh")
        let refreshes = Atomic(0)

        func answer(_ request: TransferRequest) -> Script {
            if request.request.url.path == "/token" {
                refreshes.add(1, ordering: .relaxed)
                return .respond(body: Data(token.withLock { $0 }.utf8))
            }
            let isGood = request.request.headers[.authorization] == "Bearer \(token.withLock { $0 })"
            return isGood ? .respond() : .respond(status: .unauthorized)
        }
    }

    private let server = Server()

    private func queue(perHost: Int? = 6) throws -> (RequestOperationQueue, ScriptedTransport) {
        let transport = ScriptedTransport(time: SystemTimeSource()) { [server] in server.answer($0) }
        let client = NetworkClient(transport: transport, settings: .init(maxConcurrentPerHost: perHost)).watched()
        return (try RequestOperationQueue(identifier: "test", client: client), transport)
    }

    private func refresher(_ queue: RequestOperationQueue, token: String? = "stale") -> TokenRefresher {
        TokenRefresher(token: token) { [unowned queue] in
            try await queue.enqueue(.get("http://a.test/token")).successfulResponse().text()
        }
    }

    private func enqueue(_ count: Int, _ refresher: TokenRefresher, on queue: RequestOperationQueue) -> [RequestOperation] {
        var configuration = RequestConfiguration()
        configuration.retry = [refresher]
        return (1...count).map {
            queue.enqueue(
                .get("http://a.test/\($0)"), configuration: configuration, delegate: RequestDelegate(authorizer: refresher))
        }
    }

    @Test(arguments: [nil, 6, 1])
    func `TN-7 however many requests are refused at the same time, one refresh is made and all succeed`(perHost: Int?) async throws
    {
        let (queue, _) = try queue(perHost: perHost)
        let refresher = refresher(queue)
        for operation in enqueue(60, refresher, on: queue) {
            #expect(await operation.response.info?.head.status == .ok)
        }
        #expect(server.refreshes.load(ordering: .relaxed) == 1)
        #expect(refresher.token == "fresh")
    }

    @Test func `TN-7 without a token it is fetched before the first request goes out`() async throws {
        let (queue, transport) = try queue()
        for operation in enqueue(6, refresher(queue, token: nil), on: queue) {
            #expect(await operation.response.metrics.attempts.map(\.head?.status) == [.ok])
        }
        #expect(transport.requests.count == 7)
    }

    @Test func `TN-7 a request that is refused with a fresh token, too, is refused for good`() async throws {
        let (queue, _) = try queue()
        let refresher = TokenRefresher(token: "stale") { "no better" }
        let response = await enqueue(1, refresher, on: queue)[0].response
        #expect(response.metrics.attempts.map(\.head?.status) == [.unauthorized, .unauthorized])
        #expect(response.error == nil)
    }

    @Test func `TN-7 a server that never got the token says nothing about it`() async throws {
        let transport = ScriptedTransport(time: SystemTimeSource()) { request in
            request.request.url.host == "a.test" ? .redirect(to: "http://b.test/") : .respond(status: .unauthorized)
        }
        let queue = NetworkClient(transport: transport).watched().defaultQueue
        let refresher = refresher(queue, token: "good")
        let response = await enqueue(1, refresher, on: queue)[0].response
        #expect(response.metrics.attempts.map(\.head?.status) == [.found, .unauthorized])
        #expect(refresher.token == "good")
    }

    @Test func `TN-7 a refresh that fails fails those that wait, and the next request tries anew`() async throws {
        struct Down: Error {}
        let (queue, _) = try queue()
        let isDown = Mutex(true)
        let refresher = TokenRefresher {
            if isDown.withLock({ $0 }) { throw Down() }
            return "fresh"
        }
        for operation in enqueue(3, refresher, on: queue) {
            #expect(await operation.response.error?.code == .authorizationFailed)
        }
        isDown.withLock { $0 = false }
        #expect(await enqueue(1, refresher, on: queue)[0].response.info?.head.status == .ok)
    }

    @Test func `TN-7 the cancel of one request doesn't cancel the refresh that others wait for`() async throws {
        let (queue, _) = try queue()
        let (begun, gate) = (Gate(), Gate())
        let refresher = TokenRefresher {
            await begun.open()
            await gate.wait()
            try Task.checkCancellation()
            return "fresh"
        }
        let operations = enqueue(3, refresher, on: queue)
        await begun.wait()
        for operation in operations.prefix(2) { operation.cancel() }
        await gate.open()
        #expect(await operations[2].response.info?.head.status == .ok)
    }

    @Test func `QUE-5 what a refresh sends doesn't stand in line`() async throws {
        let transport = ScriptedTransport(time: SystemTimeSource())
        let client = NetworkClient(transport: transport, settings: .init(maxConcurrentPerHost: 1)).watched()
        let queue = try RequestOperationQueue(identifier: "test", client: client)
        let busy = queue.enqueue(.get("http://a.test/busy"))
        let waiting = queue.enqueue(.get("http://a.test/waiting"))
        let task = Task { [refresher = refresher(queue, token: nil)] in
            try await refresher.authorize(.get("http://b.test/"), for: busy)
        }
        let refresh = await transport.transfer(1)
        #expect(refresh.request.request.url.path == "/token")
        #expect(waiting.state == .waiting(.concurrencyLimit))
        refresh.respond(body: Data("fresh".utf8))
        #expect(try await task.value == .set("Bearer fresh"))
        queue.cancelAll()
    }
}
