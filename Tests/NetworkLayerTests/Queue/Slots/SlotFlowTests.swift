import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// A slot belongs to a transfer: what an operation does besides holds up nobody.
@Suite(.watchesEvents, .timeLimit(.minutes(1))) struct SlotFlowTests {
    let time = ManualTimeSource()

    private func queue(
        _ settings: NetworkClient.Settings = .init(maxConcurrentPerHost: 1),
        script: @escaping @Sendable (TransferRequest) -> Script = { _ in .nothing }
    ) throws -> (RequestOperationQueue, ScriptedTransport) {
        let transport = ScriptedTransport(time: time, script: script)
        let client = NetworkClient(transport: transport, time: time, settings: settings).watched()
        return (try RequestOperationQueue(identifier: "test", client: client), transport)
    }

    private var rules: RequestConfiguration {
        var configuration = RequestConfiguration()
        configuration.retry = [RetryRules(attempts: 2, backoff: RetryBackoff(first: .seconds(2), jitter: .none))]
        return configuration
    }

    /// Fetches a token through the queue that it signs for.
    private struct Refreshing: RequestAuthorizer, RequestHydrator, ChallengeHandler, RedirectDecider {
        let queue: RequestOperationQueue

        private func refresh() async { _ = await queue.enqueue(.get("http://a.test/token")).response }

        func authorize(_ request: Request, for operation: RequestOperation) async throws -> Authorization {
            await refresh()
            return .set("Bearer token")
        }

        func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request? {
            await refresh()
            return nil
        }

        func respond(to challenge: AuthenticationChallenge, for operation: RequestOperation) async -> ChallengeDisposition {
            await refresh()
            return .useCredential(.password(Credential(user: "knot", password: "secret")))
        }

        func redirect(to proposed: Request, after head: ResponseHead, from request: Request) async -> Request? {
            await refresh()
            return proposed
        }
    }

    @Test func `QUE-5 as many operations as a host has slots refresh a token through the same queue`() async throws {
        let (queue, transport) = try queue(.init()) { _ in .respond() }
        let roles = Refreshing(queue: queue)
        let operations = (1...6).map {
            queue.enqueue(.get("http://a.test/\($0)"), delegate: RequestDelegate(hydrator: roles, authorizer: roles))
        }
        for operation in operations { #expect(await operation.response.error == nil) }
        #expect(transport.requests.count { $0.url.path == "/token" } == 12)
        await queue.drain()
        #expect(queue.client.slots.isIdle)
    }

    @Test func `QUE-5 a challenge handler sends through the queue that it answers for`() async throws {
        let (queue, _) = try queue { request in
            let isKnown = request.request.headers[.authorization] != nil || request.request.url.path == "/token"
            return isKnown ? .respond() : .respond(status: .unauthorized, headers: [.wwwAuthenticate: "Basic realm=\"r\""])
        }
        var delegate = RequestDelegate()
        delegate.challenges = Refreshing(queue: queue)
        let response = await queue.enqueue(.get("http://a.test/"), delegate: delegate).response
        #expect(response.metrics.attempts.map(\.head?.status) == [.unauthorized, .ok])
    }

    @Test func `QUE-5 a redirect decider sends through the queue that it decides for, before the body has come`() async throws {
        let (queue, transport) = try queue()
        var delegate = RequestDelegate()
        delegate.redirects = Refreshing(queue: queue)
        var configuration = RequestConfiguration()
        configuration.redirects.policy = .delegate
        let operation = queue.enqueue(.get("http://a.test/"), configuration: configuration, delegate: delegate)
        transport.transfers[0].sendHead(.found, headers: [.location: "/next"])
        let refresh = await transport.transfer(1)
        #expect(refresh.request.request.url.path == "/token")
        refresh.respond()
        while operation.events(from: 0).allSatisfy({ if case .redirect = $0.kind { false } else { true } }) { await Task.yield() }
        transport.transfers[0].finish()
        await transport.transfer(2).respond()
        #expect(await operation.response.metrics.attempts.map(\.head?.status) == [.found, .ok])
    }

    @Test func `QUE-5 an operation that waits to retry holds up nobody`() async throws {
        let (queue, transport) = try queue()
        let first = queue.enqueue(.get("http://a.test/1"), configuration: rules)
        let second = queue.enqueue(.get("http://a.test/2"))
        #expect(second.state == .waiting(.concurrencyLimit))
        transport.transfers[0].respond(.serviceUnavailable)
        await transport.transfer(1).respond()
        #expect(second.state == .succeeded)
        await time.pass(.seconds(2), beforeRetryOf: first)
        await transport.transfer(2).respond()
        #expect(await first.response.info?.head.status == .ok)
    }

    @Test func `DEP-1 QUE-5 a dependency added before a retry may stand behind it in line`() async throws {
        let (queue, transport) = try queue()
        let first = queue.enqueue(.get("http://a.test/1"), configuration: rules)
        let second = queue.enqueue(.get("http://a.test/2"))
        try first.addDependency(second)
        transport.transfers[0].respond(.serviceUnavailable)
        await transport.transfer(1).respond()
        await time.pass(.seconds(2), beforeRetryOf: first)
        await transport.transfer(2).respond()
        #expect(await first.response.info?.head.status == .ok)
    }

    @Test func `QUE-5 what readyToEnqueue waits for may be of the same host`() async throws {
        struct After: RequestEventHandler {
            let other: RequestOperation
            func handle(_ event: NetworkEvent, of operation: RequestOperation) async {}
            func readyToEnqueue(_ operation: RequestOperation, isRetry: Bool) async -> [RequestOperation] { [other] }
        }
        let (queue, transport) = try queue { _ in .respond() }
        let second = RequestOperation(.get("http://a.test/2"))
        let first = queue.enqueue(.get("http://a.test/1"), delegate: RequestDelegate(events: After(other: second)))
        queue.enqueue(second)
        _ = await first.response
        #expect(transport.requests.map(\.url.path) == ["/2", "/1"])
    }

    @Test func `QUE-5 a redirect to another host takes a slot of that host, visibly`() throws {
        let (queue, transport) = try queue()
        let busy = queue.enqueue(.get("http://b.test/"))
        let operation = queue.enqueue(.get("http://a.test/"))
        let next = queue.enqueue(.get("http://a.test/next"))
        transport.transfers[1].respond(.found, headers: [.location: "http://b.test/2"])
        #expect([operation.state, next.state] == [.running, .starting])
        #expect(operation.metrics.waitsFor == .concurrencyLimit(host: "b.test:80"))
        transport.transfers[0].respond()
        #expect(transport.requests.map(\.url.absoluteString).last == "http://b.test/2")
        #expect(operation.metrics.waitsFor == nil)
        transport.transfers[3].respond()
        transport.transfers[2].respond()
        #expect([busy, operation, next].map(\.state) == [.succeeded, .succeeded, .succeeded])
        #expect(queue.client.slots.isIdle)
    }

    @Test func `TMO-3 the attempt timeout stands still while an attempt waits for its slot`() throws {
        let (queue, transport) = try queue()
        let busy = queue.enqueue(.get("http://b.test/"), configuration: .init())
        var configuration = RequestConfiguration()
        configuration.timeouts = Timeouts(idle: nil, attempt: .seconds(3), operation: .seconds(100))
        let operation = queue.enqueue(.get("http://a.test/"), configuration: configuration)
        time.advance(by: .seconds(1))
        transport.transfers[1].respond(.found, headers: [.location: "http://b.test/2"])
        time.advance(by: .seconds(20))
        #expect(operation.state == .running)
        transport.transfers[0].respond()
        time.advance(by: .seconds(1.9))
        #expect(operation.state == .running)
        #expect(operation.metrics.attemptArmed == time.now - .seconds(2.9))
        time.advance(by: .seconds(0.2))
        #expect(operation.finalResponse?.error?.code == .attemptTimedOut)
        #expect(busy.state == .succeeded)
        #expect(queue.client.slots.isIdle)
    }

    @Test func `QUE-5 hosts are limited over all queues of a client, and each queue by itself`() throws {
        let (queue, transport) = try queue(.init(maxConcurrentPerHost: 2))
        let other = try RequestOperationQueue(identifier: "other", client: queue.client, configuration: .init(maxConcurrent: 1))
        let operations = [
            queue.enqueue(.get("http://a.test/")), other.enqueue(.get("http://a.test/")), queue.enqueue(.get("http://a.test/")),
            other.enqueue(.get("http://b.test/")), queue.enqueue(.get("http://a.test:81/")),
        ]
        let line = RequestOperation.State.waiting(.concurrencyLimit)
        #expect(operations.map(\.state) == [.starting, .starting, line, line, .starting])
        transport.transfers[1].respond()
        #expect(operations.map(\.state) == [.starting, .succeeded, .starting, .starting, .starting])
        queue.cancelAll()
        other.cancelAll()
        #expect(queue.client.slots.isIdle)
    }

    @Test func `QUE-5 after the first answer by HTTP/2 a host is limited by its streams`() throws {
        let (queue, transport) = try queue(.init())
        let operations = (1...120).map { queue.enqueue(.get("http://a.test/\($0)")) }
        #expect(transport.transfers.count == 6)
        transport.transfers[0].send(.head(ResponseHead(status: .ok, version: "HTTP/2")))
        #expect(transport.transfers.count == 100)
        transport.transfers[0].finish()
        #expect(transport.transfers.count == 101)
        queue.cancelAll()
        #expect(operations.count { $0.state == .cancelled } == 119)
        #expect(queue.client.slots.isIdle)
    }

    @Test func `QUE-5 streams that stay open leave their host's other requests their slots, and have a limit of their own`() throws
    {
        let (queue, transport) = try queue(.init(maxStreamsPerHost: 8))
        for number in 1...9 { _ = queue.stream(.get("http://a.test/\(number)")) }
        #expect(transport.transfers.count == 8)
        for number in 1...7 { queue.enqueue(.get("http://a.test/\(number)")) }
        #expect(transport.transfers.count == 14)
        queue.cancelAll()
        #expect(queue.client.slots.isIdle)
    }

    @Test func `QUE-2 a suspended queue holds back what has prepared and sent nothing`() async throws {
        let gate = Gate()
        struct Waiting: RequestHydrator {
            let gate: Gate
            func hydrate(_ request: Request, for operation: RequestOperation) async throws -> Request? {
                await gate.wait()
                return nil
            }
        }
        let (queue, transport) = try queue()
        let operation = queue.enqueue(.get("http://a.test/"), delegate: RequestDelegate(hydrator: Waiting(gate: gate)))
        queue.suspend()
        await gate.open()
        while operation.events(from: 0).allSatisfy({ $0.kind != .prepared(.hydration) }) { await Task.yield() }
        #expect(transport.transfers.isEmpty)
        queue.resume()
        await transport.transfer(0).respond()
        #expect(await operation.response.error == nil)
    }

    @Test func `QUE-5 a cancel in line, aside and under way leaves no slot behind`() async throws {
        let (queue, transport) = try queue()
        let roles = Refreshing(queue: queue)
        let aside = queue.enqueue(.get("http://a.test/1"), delegate: RequestDelegate(authorizer: roles))
        _ = await transport.transfer(0)
        let inLine = queue.enqueue(.get("http://a.test/2"))
        #expect(inLine.state == .waiting(.concurrencyLimit))
        aside.cancel()
        inLine.cancel()
        queue.cancelAll()
        await queue.drain()
        #expect(queue.client.slots.isIdle)
    }
}

extension SlotGate {
    /// Whether nothing is under way, and nothing waits.
    fileprivate var isIdle: Bool { usage == 0 }
}
