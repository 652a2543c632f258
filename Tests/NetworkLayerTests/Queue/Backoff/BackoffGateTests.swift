import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

@Suite(.watchesEvents) struct BackoffGateTests {
    let time = ManualTimeSource()
    let recorder = EventRecorder()
    let transport: ScriptedTransport
    let client: NetworkClient
    let queue: RequestOperationQueue
    let other: RequestOperationQueue

    init() throws {
        transport = ScriptedTransport(time: time)
        client = NetworkClient(transport: transport, time: time).watched()
        client.backoff = BackoffRules(mode: .host)
        client.addObserver(recorder)
        queue = try RequestOperationQueue(identifier: "test", client: client)
        other = try RequestOperationQueue(identifier: "other", client: client)
    }

    /// An answer that asks for two seconds.
    private func refuse(_ index: Int) {
        transport.transfers[index].respond(.serviceUnavailable, headers: [.retryAfter: "2"])
    }

    @Test func `BKO-1 GLB-7 a 503 holds back later requests to the host, in every queue, and says so`() throws {
        let first = queue.enqueue(.get("http://a.test/1"))
        refuse(0)
        #expect(first.state == .succeeded)
        let events = first.events(from: 0).map(\.kind)
        let signal = try #require(
            events.firstIndex(of: .backoffSignalled(key: "a.test", BackoffBehavior(pause: .seconds(2)))))
        let end = try #require(events.firstIndex { if case .attemptEnded = $0 { true } else { false } })
        #expect(signal < end)
        let second = other.enqueue(.get("http://A.test/2"))
        let elsewhere = other.enqueue(.get("http://b.test/"))
        #expect([second.state, elsewhere.state] == [.waiting(.backoff), .starting])
        #expect(second.metrics.waitsFor == .backoff(key: "a.test", until: MonotonicTime.zero + .seconds(2)))
        time.advance(by: .seconds(2))
        #expect(second.state == .starting)
        transport.transfers[1].respond()
        transport.transfers[2].respond()
        #expect(recorder.violations == [])
        #expect(time.alarmCount == 0)
    }

    @Test func `BKO-4 those who waited go out one after the other, and a cancelled one makes room`() {
        queue.enqueue(.get("http://a.test/1"))
        refuse(0)
        let waiting = (2...5).map { queue.enqueue(.get("http://a.test/\($0)")) }
        time.advance(by: .seconds(2))
        #expect(waiting.map(\.state) == [.starting, .waiting(.backoff), .waiting(.backoff), .waiting(.backoff)])
        waiting[1].cancel()
        waiting[0].cancel()
        #expect(waiting[2].state == .starting)
        transport.transfers[2].respond()
        #expect(waiting[3].state == .starting)
        queue.cancelAll()
        #expect(recorder.violations == [])
    }

    @Test func `BKO-1 it is off at first, and another mode ends all pauses`() {
        client.backoff.mode = .disabled
        queue.enqueue(.get("http://a.test/1"))
        refuse(0)
        #expect(queue.enqueue(.get("http://a.test/2")).state == .starting)
        client.backoff.mode = .host
        client.signalBackoff(from: Request.get("http://a.test/").url)
        let third = queue.enqueue(.get("http://a.test/3"))
        #expect(third.state == .waiting(.backoff))
        client.backoff.mode = .hostAndPath
        #expect(third.state == .starting)
    }

    @Test func `GLB-7 after a redirect the signal is for the host that answered, or the one that was asked`() {
        for usesOriginal in [false, true] {
            client.backoff = BackoffRules(mode: .disabled)
            client.backoff = BackoffRules(mode: .host, usesOriginalHost: usesOriginal)
            let count = transport.transfers.count
            queue.enqueue(.get("http://a.test/1"))
            transport.transfers[count].respond(.found, headers: [.location: "http://b.test/"])
            refuse(count + 1)
            let states = ["a", "b"].map { queue.enqueue(.get("http://\($0).test/2")).state }
            #expect(states == (usesOriginal ? [.waiting(.backoff), .starting] : [.starting, .waiting(.backoff)]))
            queue.cancelAll()
        }
    }

    @Test func `BKO-6 others can signal, and wait their turn`() async {
        let url = Request.get("http://a.test/").url
        let free = await client.passBackoff(to: url)
        free.end()
        client.signalBackoff(from: url, headers: [.retryAfter: "1"])
        let operation = queue.enqueue(.get("http://a.test/1"))
        #expect(operation.state == .waiting(.backoff))
        async let pass = client.passBackoff(to: url)
        while client.backoffGate.waitingCount < 2 { await Task.yield() }
        let last = queue.enqueue(.get("http://a.test/2"))
        time.advance(by: .seconds(1))
        #expect([operation.state, last.state] == [.starting, .waiting(.backoff)])
        transport.transfers[0].respond()
        let held = await pass
        #expect(last.state == .waiting(.backoff))
        held.end()
        #expect(last.state == .starting)
    }

    @Test func `BKO-6 who gives up waiting holds up nobody`() async {
        let url = Request.get("http://a.test/").url
        client.signalBackoff(from: url, headers: [.retryAfter: "1"])
        let task = Task { [client] in await client.passBackoff(to: url) }
        while client.backoffGate.waitingCount < 1 { await Task.yield() }
        task.cancel()
        let pass = await task.value
        #expect(client.backoffGate.waitingCount == 0)
        pass.end()
    }
}
