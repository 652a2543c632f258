import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// Retries to hosts that asked for a pause.
@Suite(.watchesEvents, .timeLimit(.minutes(1))) struct BackoffRetryTests {
    let time = ManualTimeSource()
    let recorder = EventRecorder()
    let transport: ScriptedTransport
    let client: NetworkClient
    let queue: RequestOperationQueue
    var retrying = RequestConfiguration()

    init() throws {
        transport = ScriptedTransport(time: time)
        client = NetworkClient(transport: transport, time: time).watched()
        client.backoff = BackoffRules(mode: .host)
        client.addObserver(recorder)
        queue = try RequestOperationQueue(identifier: "test", client: client)
        retrying.retry = [
            ScriptedPolicy { $0.retryCount < 2 ? .retry(after: .milliseconds(500), reason: "test") : .abstain }
        ]
    }

    private func enqueue(_ name: String) -> RequestOperation {
        queue.enqueue(.get("http://a.test/\(name)"), configuration: retrying)
    }

    /// Asks for two seconds.
    private func refuse(_ index: Int) {
        transport.transfers[index].respond(.serviceUnavailable, headers: [.retryAfter: "2"])
    }

    /// The names of the requests that went out, in order.
    private var sent: [String] { transport.requests.map(\.url.lastPathComponent) }

    /// Lets what is due happen, also what was set too late, until it has. The policy answers on a thread of its own, which may still
    /// be at work when the clock moves: so everything that comes of it is waited for.
    private func until(_ isSo: () -> Bool) async {
        while !isSo() {
            await Task.yield()
            time.advance(by: .zero)
        }
    }

    /// Waits until as many requests went out as there are names.
    private func expectSent(_ names: String..., sourceLocation: SourceLocation = #_sourceLocation) async {
        await until { sent.count >= names.count }
        #expect(sent == names, sourceLocation: sourceLocation)
    }

    /// The delay of the retry is over, and its host's pause isn't.
    private func standsInLine(_ operation: RequestOperation) async {
        await until { operation.state == .waitingToRetry }
        time.advance(by: .milliseconds(500))
        await until { if case .backoff = operation.metrics.waitsFor { true } else { false } }
    }

    @Test func `BKO-3 RTY-4 a retry waits for the pause that its own answer asked for, and says so`() async {
        let operation = enqueue("1")
        refuse(0)
        await standsInLine(operation)
        #expect(operation.state == .waitingToRetry)
        #expect(operation.metrics.waitsFor == .backoff(key: "a.test", until: .zero + .seconds(2)))
        time.advance(by: .milliseconds(1499))
        #expect(transport.transfers.count == 1)
        time.advance(by: .milliseconds(1))
        await expectSent("1", "1")
        transport.transfers[1].respond()
        #expect(await operation.response.metrics.attempts.map(\.head?.status.code) == [503, 200])
        #expect(recorder.violations == [])
        #expect(client.backoffGate.waitingCount == 0)
        #expect(time.alarmCount == 0)
    }

    @Test func `BKO-4 a retry stands in line behind those who came before it`() async {
        let operation = enqueue("1")
        refuse(0)
        let (second, third) = (enqueue("2"), enqueue("3"))
        await standsInLine(operation)
        let fourth = enqueue("4")
        time.advance(by: .milliseconds(1500))
        await expectSent("1", "2")
        #expect(operation.metrics.waitsFor == .backoff(key: "a.test", until: .zero + .seconds(2)))
        transport.transfers[1].respond()
        await expectSent("1", "2", "3")
        transport.transfers[2].respond()
        await expectSent("1", "2", "3", "1")
        #expect([second.state, third.state, fourth.state] == [.succeeded, .succeeded, .waiting(.backoff)])
        transport.transfers[3].respond()
        await expectSent("1", "2", "3", "1", "4")
        transport.transfers[4].respond()
        await queue.drain()
        #expect(recorder.violations == [])
        #expect(client.backoffGate.waitingCount == 0)
    }

    @Test func `BKO-4 who waits to retry holds up nobody: its place is the next one's`() async {
        // This one isn't tried again.
        queue.enqueue(.get("http://a.test/1"))
        refuse(0)
        let (second, third) = (enqueue("2"), enqueue("3"))
        time.advance(by: .seconds(2))
        await expectSent("1", "2")
        #expect([second.state, third.state] == [.starting, .waiting(.backoff)])
        transport.transfers[1].finish(.reset)
        await expectSent("1", "2", "3")
        #expect([second.state, third.state] == [.waitingToRetry, .starting])
        queue.cancelAll()
        await queue.drain()
        #expect(recorder.violations == [])
        #expect(client.backoffGate.waitingCount == 0)
    }

    @Test func `BKO-4 a retry that is cancelled in line makes room, and one that is under way does when it ends`() async {
        let operation = enqueue("1")
        refuse(0)
        await standsInLine(operation)
        let (second, third) = (enqueue("2"), enqueue("3"))
        operation.cancel()
        #expect(operation.state == .cancelled)
        time.advance(by: .milliseconds(1500))
        await expectSent("1", "2")
        #expect([second.state, third.state] == [.starting, .waiting(.backoff)])
        second.cancel()
        await expectSent("1", "2", "3")
        queue.cancelAll()
        await queue.drain()
        #expect(client.backoffGate.waitingCount == 0)
    }

    @Test func `BKO-3 RTY-4 trying again now doesn't end a host's pause`() async {
        let operation = enqueue("1")
        refuse(0)
        await until { operation.state == .waitingToRetry }
        operation.retryNow()
        await until { operation.metrics.waitsFor == .backoff(key: "a.test", until: .zero + .seconds(2)) }
        operation.retryNow()
        #expect(transport.transfers.count == 1)
        time.advance(by: .seconds(2))
        await expectSent("1", "1")
        queue.cancelAll()
    }

    @Test func `DEP-1 BKO-4 a retry that comes to wait for another operation leaves the line, and comes back as the last`()
        async throws
    {
        let operation = enqueue("1")
        refuse(0)
        await standsInLine(operation)
        let other = RequestOperation(.get("http://b.test/"))
        try operation.addDependency(other)
        await until { client.backoffGate.waitingCount == 0 }
        #expect(operation.metrics.waitsFor == .operations([other.id]))
        let second = enqueue("2")
        other.cancel()
        await until { operation.metrics.waitsFor == .backoff(key: "a.test", until: .zero + .seconds(2)) }
        time.advance(by: .milliseconds(1500))
        await expectSent("1", "2")
        #expect([second.state, operation.state] == [.starting, .waitingToRetry])
        transport.transfers[1].respond()
        await expectSent("1", "2", "1")
        queue.cancelAll()
        await queue.drain()
        #expect(recorder.violations == [])
    }

    @Test func `BKO-1 without backoff a retry asks nobody`() async {
        client.backoff.mode = .disabled
        let operation = enqueue("1")
        refuse(0)
        await time.pass(.milliseconds(500), beforeRetryOf: operation)
        await expectSent("1", "1")
        queue.cancelAll()
    }
}
