import FoundationEssentials
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import Testing

/// The rules must be able to fail: each is broken once.
@Suite(.watchesEvents) struct EventRulesTests {
    let good: [NetworkEvent]

    init() throws {
        let transport = ScriptedTransport { _ in
            [
                .resolveStarted(host: "a.test"), .resolveEnded, .connectStarted(address: "127.0.0.1:80"), .connectEnded,
                .connectionAcquired(.loopback), .head(ResponseHead(status: .ok)), .finished(TransferResult()),
            ]
        }
        let queue = try RequestOperationQueue(
            identifier: "test", client: NetworkClient(transport: transport, time: ManualTimeSource()).watched())
        good = queue.enqueue(.get("http://a.test/")).events(from: 0)
    }

    func violations(_ change: (inout [NetworkEvent]) throws -> Void) rethrows -> [String] {
        var events = good
        try change(&events)
        return EventRules.violations(in: events)
    }

    func index(_ name: String) throws -> Int { try #require(good.firstIndex { $0.kind.name == name }) }

    /// Takes an event out and closes the gap.
    func without(_ name: String) throws -> [String] {
        try violations { events in
            events.remove(at: try index(name))
            for index in events.indices { events[index].sequence = index }
        }
    }

    @Test func `a good log has no violations`() {
        #expect(EventRules.violations(in: good) == [])
    }

    @Test func `a gap`() {
        #expect(
            violations { $0.remove(at: 4) } == [
                "Event 5, resolveEnded, has sequence 5 instead of 4.", "Event 5, resolveEnded, ends resolve, which didn't start.",
            ])
    }

    @Test func `a time that goes backwards`() {
        #expect(
            violations { $0[3].time = MonotonicTime(nanoseconds: -1) } == [
                "Event 3, transition, is earlier than the event before it."
            ])
    }

    @Test func `what ends without a start, and what never ends`() throws {
        #expect(try without("connectStarted").count == 1)
        #expect(try without("attemptStarted").isEmpty == false)
        #expect(try without("attemptEnded").isEmpty == false)
        #expect(try without("completed") == ["There is no completed event."])
    }

    @Test func `an event after completed`() {
        let violations = violations { events in
            events.append(events[events.count - 1])
            events[events.count - 1].sequence += 1
        }
        #expect(violations == ["Event \(good.count), completed, comes after completed."])
    }

    @Test func `an edge that isn't one`() throws {
        let violations = try violations { $0[try index("transition")].kind = .transition(from: .idle, to: .running) }
        #expect(violations.first == "Event 1, transition, is no edge: idle to running.")
    }

    @Test func `a success with an error`() {
        let error = NetworkError(.transportFailed, phase: .body, type: "x", message: "It broke.")
        let violations = violations { $0[$0.count - 1].kind = .completed(.succeeded, error) }
        #expect(violations == ["Event \(good.count - 1), completed, has state succeeded and error It broke.."])
    }

    @Test func `a scripted transfer refuses what no transport does`() async {
        await #expect(processExitsWith: .failure) {
            _ = try EventRulesTests.run([.body(Data(count: 1), received: 1, expected: nil)])
        }
        await #expect(processExitsWith: .failure) {
            _ = try EventRulesTests.run([.finished(TransferResult()), .requestSent])
        }
        await #expect(processExitsWith: .failure) {
            _ = try EventRulesTests.run([.head(ResponseHead(status: .continue))])
        }
    }

    static func run(_ script: [TransportEvent.Kind]) throws -> RequestOperation {
        let transport = ScriptedTransport { _ in Script(script) }
        let queue = try RequestOperationQueue(
            identifier: "test", client: NetworkClient(transport: transport, time: ManualTimeSource()))
        return queue.enqueue(.get("http://a.test/"))
    }
}
