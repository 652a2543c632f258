import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// Retries of operations on a queue.
@Suite(.watchesEvents) struct RetryFlowTests {
    let time = ManualTimeSource()
    let recorder = EventRecorder()

    private func queue(
        settings: NetworkClient.Settings = .init(), _ scripts: [Script]
    ) throws -> (RequestOperationQueue, ScriptedTransport) {
        let rest = Mutex(scripts)
        let transport = ScriptedTransport(time: time) { _ in rest.withLock { $0.isEmpty ? .nothing : $0.removeFirst() } }
        let client = NetworkClient(transport: transport, time: time, settings: settings).watched()
        client.addObserver(recorder)
        return (try RequestOperationQueue(identifier: "test", client: client), transport)
    }

    /// Returns when the operation waits to retry.
    private func isWaiting(_ operation: RequestOperation) async {
        for await event in operation.events {
            if case .retryScheduled = event.kind, operation.state == .waitingToRetry { return }
        }
    }

    private var rules: RequestConfiguration {
        var configuration = RequestConfiguration()
        configuration.retry = [RetryRules(attempts: 2, backoff: RetryBackoff(first: .seconds(1), jitter: .none))]
        return configuration
    }

    @Test func `RTY-4 a 503 is retried and a 200 ends it`() async throws {
        let (queue, transport) = try queue([
            .respond(status: .serviceUnavailable, body: Data("busy".utf8)), .respond(body: Data("done".utf8)),
        ])
        let operation = queue.enqueue(.get("http://a.test/"), configuration: rules)
        await isWaiting(operation)
        #expect(transport.transfers.count == 1)
        await time.pass(.seconds(1), beforeRetryOf: operation)
        let response = await operation.response
        #expect(response.info?.head.status == .ok)
        #expect(try response.info?.body.contents() == Data("done".utf8))
        #expect(response.metrics.attempts.map(\.kind) == [.initial, .retry])
        #expect(recorder.violations == [])
        #expect(time.alarmCount == 0)
    }

    @Test func `RTY-11 a POST that led to a busy page by way of a 303 is sent once`() async throws {
        let (queue, transport) = try queue([.redirect(.seeOther, to: "http://a.test/page"), .respond(status: .serviceUnavailable)])
        let response = await queue.enqueue(.post("http://a.test/"), configuration: rules).response
        #expect(response.info?.head.status == .serviceUnavailable)
        #expect(transport.requests.map(\.method) == [.post, .get])
        #expect(recorder.violations == [])
    }

    /// A streamed operation, with all that it has handed out.
    private func streamed(_ scripts: [Script], attempts: Int = 2) async throws -> (Response, Data) {
        let (queue, _) = try queue(scripts)
        var configuration = rules
        configuration.consumption = .stream
        configuration.retry = attempts > 1 ? configuration.retry : []
        let operation = queue.enqueue(.get("http://a.test/"), configuration: configuration)
        let reading = Task {
            var bytes = Data()
            do { for try await piece in operation.body { bytes += piece } } catch is NetworkError {}
            return bytes
        }
        if attempts > 1, scripts.count > 1 { await time.pass(.seconds(1), beforeRetryOf: operation) }
        let response = await operation.response
        #expect(recorder.violations == [])
        return (response, try await reading.value)
    }

    @Test(arguments: [4, 3 << 20])
    func `RTY-4 a stream hands out nothing of an answer that is tried again`(size: Int) async throws {
        let (response, bytes) = try await streamed([
            .respond(status: .serviceUnavailable, body: Data(repeating: 7, count: size)), .respond(body: Data("done".utf8)),
        ])
        #expect(response.info?.head.status == .ok)
        #expect(bytes == Data("done".utf8))
        #expect(response.metrics.attempts.map(\.kind) == [.initial, .retry])
    }

    @Test(arguments: [4, 3 << 20])
    func `RTY-4 a stream hands out the answer that is the last, although it says no`(size: Int) async throws {
        let page = Data(repeating: 7, count: size)
        let (gone, bytes) = try await streamed([.respond(status: .notFound, body: page)])
        #expect(gone.info?.head.status == .notFound)
        #expect(bytes == page)
        let (busy, last) = try await streamed([
            .respond(status: .serviceUnavailable, body: Data("busy".utf8)), .respond(status: .serviceUnavailable, body: page),
        ])
        #expect(busy.info?.head.status == .serviceUnavailable)
        #expect(last == page)
    }

    @Test func `RTY-4 where nobody tries again a stream hands out every answer as it comes`() async throws {
        let (queue, transport) = try queue([.nothing])
        var configuration = RequestConfiguration()
        configuration.consumption = .stream
        let operation = queue.enqueue(.get("http://a.test/"), configuration: configuration)
        let transfer = await transport.transfer(0)
        transfer.send(.connectionAcquired(.loopback))
        transfer.sendHead(.notFound)
        transfer.sendBody(Data("no".utf8))
        var body = operation.body.makeAsyncIterator()
        #expect(try await body.next() == Data("no".utf8))
        transfer.finish()
        #expect(try await body.next() == nil)
    }

    @Test func `RTY-3 who gives up gets the attempt's own answer`() async throws {
        let (queue, _) = try queue([.respond(status: .serviceUnavailable, body: Data("busy".utf8))])
        var configuration = rules
        configuration.timeouts.operation = .milliseconds(900)
        let response = await queue.enqueue(.get("http://a.test/"), configuration: configuration).response
        #expect(response.error == nil)
        #expect(try response.info?.body.contents() == Data("busy".utf8))
        #expect(recorder.violations == [])
    }

    @Test func `RTY-3 stop retrying ends the wait with the answer that is there`() async throws {
        let (queue, _) = try queue([.respond(status: .serviceUnavailable, body: Data("busy".utf8))])
        let operation = queue.enqueue(.get("http://a.test/"), configuration: rules)
        await isWaiting(operation)
        operation.stopRetrying()
        let response = await operation.response
        #expect(try response.info?.body.contents() == Data("busy".utf8))
        #expect(recorder.violations == [])
    }

    @Test func `RTY-4 retry now doesn't wait for the delay`() async throws {
        let (queue, _) = try queue([.fail(.reset), .respond()])
        let operation = queue.enqueue(.get("http://a.test/"), configuration: rules)
        await isWaiting(operation)
        operation.retryNow()
        #expect(await operation.response.error == nil)
    }

    @Test func `T-PSE a 404 cancelled while it waits to retry has no status`() async throws {
        let (queue, _) = try queue([.respond(status: .notFound)])
        var configuration = rules
        configuration.retry = [RetryRules(on: [.status(404)])]
        let operation = queue.enqueue(.get("http://a.test/"), configuration: configuration)
        await isWaiting(operation)
        operation.cancel("the user")
        let response = await operation.response
        #expect(response.error?.code == .cancelled)
        #expect(response.info == nil)
        #expect(recorder.violations == [])
    }

    @Test func `RTY-11 a host's budget stops what its policy wants`() async throws {
        var settings = NetworkClient.Settings()
        settings.retryBudget = RetryBudget(share: 0, minimumPerSecond: 0)
        let (queue, transport) = try queue(settings: settings, [.fail(.reset)])
        let operation = queue.enqueue(.get("http://a.test/"), configuration: rules)
        #expect(await operation.response.error == .reset)
        #expect(transport.transfers.count == 1)
        #expect(
            operation.events(from: 0).contains {
                if case .retryDecision(.stop(let reason), nil) = $0.kind {
                    reason.hasSuffix("the retry budget of a.test is used up")
                } else {
                    false
                }
            })
    }

    @Test func `GLB-5 COM-5 conditions are stamped on attempts and gate nothing`() async throws {
        let offline = NetworkConditions(reachability: .notReachable)
        let transport = ScriptedTransport(time: time) { _ in .respond() }
        let client = NetworkClient(transport: transport, time: time, conditions: FixedConditions(current: offline)).watched()
        let queue = try RequestOperationQueue(identifier: "test", client: client)
        let response = await queue.enqueue(.get("http://a.test/")).response
        #expect(response.error == nil)
        #expect(response.metrics.attempts.map(\.network) == [offline])
    }

    @Test func `TMO-7 who waits for the network goes on when nobody will say any more that it is there`() async throws {
        struct Ended: NetworkConditionsSource {
            let current = NetworkConditions(reachability: .notReachable)
            var changes: AsyncStream<NetworkConditions> {
                AsyncStream { continuation in
                    continuation.yield(current)
                    continuation.finish()
                }
            }
        }
        let transport = ScriptedTransport(time: time) { _ in .respond() }
        let client = NetworkClient(transport: transport, time: time, conditions: Ended()).watched()
        client.addObserver(recorder)
        var configuration = RequestConfiguration()
        configuration.connectivity = .wait
        let queue = try RequestOperationQueue(identifier: "test", client: client)
        #expect(await queue.enqueue(.get("http://a.test/"), configuration: configuration).response.error == nil)
        #expect(recorder.violations == [])
    }

    @Test(arguments: ["failure", "timeout", "cancel"])
    func `MET-2 GLB-5 the conditions of an attempt are those of its end`(end: String) async throws {
        let (online, offline) = (NetworkConditions(reachability: .local), NetworkConditions(reachability: .notReachable))
        let conditions = FixedConditions(current: online)
        let transport = ScriptedTransport(time: time)
        let client = NetworkClient(transport: transport, time: time, conditions: conditions).watched()
        let operation = try RequestOperationQueue(identifier: "test", client: client).enqueue(.get("http://a.test/"))
        let transfer = await transport.transfer(0)
        conditions.set(offline)
        switch end {
        case "failure": transfer.finish(.reset)
        case "timeout": time.advance(by: .seconds(60))
        default: operation.cancel()
        }
        #expect(await operation.response.metrics.attempts.map(\.network) == [offline])
    }
}

private final class FixedConditions: NetworkConditionsSource {
    private let value: Mutex<NetworkConditions>

    init(current: NetworkConditions) { value = Mutex(current) }

    var current: NetworkConditions { value.withLock { $0 } }

    func set(_ conditions: NetworkConditions) { value.withLock { $0 = conditions } }

    var changes: AsyncStream<NetworkConditions> {
        AsyncStream { $0.yield(current) }
    }
}
