import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

/// Writes down who heard of which event.
private final class Listener: NetworkObserver {
    private let name: String
    private let heard: Notes

    init(_ name: String, _ heard: Notes) {
        self.name = name
        self.heard = heard
    }

    func observe(_ event: NetworkEvent, of operation: RequestOperation) { heard.add("\(event.sequence) \(name)") }
}

private final class Notes: Sendable {
    private let entries = Mutex<[String]>([])

    func add(_ entry: String) { entries.withLock { $0.append(entry) } }

    var all: [String] { entries.withLock { $0 } }
}

@Suite(.watchesEvents) struct NetworkClientTests {
    @Test func `OBS-1 of each event the queue's observers hear before the client's, and events come in order`() async throws {
        let time = ManualTimeSource()
        let client = NetworkClient(transport: ScriptedTransport(time: time) { _ in .respond() }, time: time).watched()
        let queue = try RequestOperationQueue(identifier: "test", client: client)
        let notes = Notes()
        client.addObserver(Listener("client", notes))
        queue.addObserver(Listener("queue", notes))
        let operation = queue.enqueue(.get("http://a.test/"))
        _ = await operation.response
        #expect(notes.all == operation.events(from: 0).flatMap { ["\($0.sequence) queue", "\($0.sequence) client"] })
    }

    @Test func `GLB-3 an observer of the client hears of every queue, until it is taken out`() async throws {
        let time = ManualTimeSource()
        let client = NetworkClient(transport: ScriptedTransport(time: time) { _ in .respond() }, time: time).watched()
        let notes = Notes()
        let registration = client.addObserver(Listener("client", notes))
        var events = 0
        for name in ["one", "two"] {
            let operation = try RequestOperationQueue(identifier: name, client: client).enqueue(.get("http://a.test/"))
            _ = await operation.response
            events += operation.events(from: 0).count
        }
        #expect(notes.all.count == events)
        registration.cancel()
        _ = await (try RequestOperationQueue(identifier: "three", client: client)).enqueue(.get("http://a.test/")).response
        #expect(notes.all.count == events)
    }

    @Test func `GLB-1 the library has a version of three numbers`() {
        let numbers = NetworkClient.version.split(separator: ".").map { Int($0) }
        #expect(numbers.count == 3)
        #expect(!numbers.contains(nil))
    }
}
