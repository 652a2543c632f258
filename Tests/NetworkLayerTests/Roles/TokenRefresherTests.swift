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
            try await queue.enqueue(.get("http://a.test/token")).text()
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

    @Test func `TN-7 a refresh that is sent as everything else is doesn't wait for itself`() async throws {
        let (queue, transport) = try queue()
        let own = Mutex<TokenRefresher?>(nil)
        let send: @Sendable (Request) -> RequestOperation = { [unowned queue] request in
            let refresher = own.withLock { $0 }
            var configuration = RequestConfiguration()
            if let refresher { configuration.retry = [refresher] }
            return queue.enqueue(request, configuration: configuration, delegate: RequestDelegate(authorizer: refresher))
        }
        own.withLock { $0 = TokenRefresher(token: "stale") { try await send(.get("http://a.test/token")).text() } }
        defer { own.withLock { $0 = nil } }
        for operation in (1...10).map({ send(.get("http://a.test/\($0)")) }) { #expect(await operation.response.status == .ok) }
        #expect(server.refreshes.load(ordering: .relaxed) == 1)
        #expect(transport.requests.first { $0.url.path == "/token" }?.headers[.authorization] == nil)
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

    @Test func `TN-7 a token that is set while another is fetched takes its place, for those that wait, too`() async throws {
        let (queue, transport) = try queue()
        let (begun, gate) = (Gate(), Gate())
        let refresher = TokenRefresher {
            await begun.open()
            await gate.wait()
            return "outdated"
        }
        let waiting = enqueue(1, refresher, on: queue)[0]
        await begun.wait()
        refresher.token = "fresh"
        #expect(await enqueue(1, refresher, on: queue)[0].response.info?.head.status == .ok)
        await gate.open()
        #expect(await waiting.response.info?.head.status == .ok)
        #expect(refresher.token == "fresh")
        #expect(transport.requests.allSatisfy { $0.headers[.authorization] == "Bearer fresh" })
    }

    @Test func `TN-7 a refusal behind a POST that had its effect doesn't send the POST again`() async throws {
        let transport = ScriptedTransport(time: SystemTimeSource()) { request in
            switch request.request.url.path {
            case "/see": .redirect(.seeOther, to: "http://a.test/page")
            case "/there": .redirect(.temporaryRedirect, to: "http://a.test/page")
            default: .respond(status: .unauthorized)
            }
        }
        let queue = NetworkClient(transport: transport).watched().defaultQueue
        for (path, methods) in [
            ("see", [.post, .get]), ("there", [.post, .post, .post, .post]), ("page", [.post, .post]),
        ] as [(String, [HTTPRequest.Method])] {
            let refresher = TokenRefresher(token: "stale") { "no better" }
            var configuration = RequestConfiguration()
            configuration.retry = [refresher]
            let operation = queue.enqueue(
                .post("http://a.test/\(path)"), configuration: configuration, delegate: RequestDelegate(authorizer: refresher))
            #expect(await operation.response.metrics.attempts.map(\.request.method) == methods, "\(path)")
            // The next request gets another.
            #expect(path == "see" ? refresher.token == nil : refresher.token == "no better")
        }
    }

    /// A request that waits for what its refresh sends through another queue.
    private func refreshes(
        _ settings: NetworkClient.Settings = .init(), _ configuration: RequestOperationQueue.Configuration = .init(),
        priority: Priority = .normal, prepare: (RequestOperationQueue) -> Void = { _ in }
    ) async throws {
        let transport = ScriptedTransport(time: SystemTimeSource()) { [server] in server.answer($0) }
        let client = NetworkClient(transport: transport, settings: settings).watched()
        let queue = try RequestOperationQueue(identifier: "test", client: client)
        let tokens = try RequestOperationQueue(identifier: "tokens", client: client, configuration: configuration)
        prepare(tokens)
        let refresher = refresher(tokens, token: nil)
        let operation = queue.enqueue(.get("http://a.test/1"), delegate: RequestDelegate(authorizer: refresher), priority: priority)
        #expect(await operation.response.info?.head.status == .ok)
        tokens.cancelAll()
    }

    @Test func `TN-7 what a refresh sends doesn't wait for the urgent request that waits for it`() async throws {
        try await refreshes(.init(automaticDependencyThreshold: .normal), priority: .high)
    }

    @Test func `TN-7 what a refresh sends goes out through a queue that is paused`() async throws {
        try await refreshes { $0.suspend() }
    }

    @Test func `TN-7 what a refresh sends isn't refused by a queue that is full`() async throws {
        try await refreshes(.init(), .init(maxWaiting: 0)) { $0.suspend() }
    }

    @Test func `TN-7 BKO-4 what a refresh sends doesn't stand behind the request that waits for it`() async throws {
        let transport = ScriptedTransport(time: SystemTimeSource()) { [server] in server.answer($0) }
        let client = NetworkClient(transport: transport).watched()
        client.backoff = BackoffRules(mode: .host)
        // One at a time, from the first on.
        client.backoffGate.signal("a.test", BackoffBehavior(pause: .zero, serialize: .seconds(3600), spacing: .zero))
        let queue = try RequestOperationQueue(identifier: "test", client: client)
        let operation = enqueue(1, refresher(queue, token: nil), on: queue)[0]
        #expect(await operation.response.info?.head.status == .ok)
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
