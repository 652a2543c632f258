import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Synchronization
import Testing

@testable import NetworkLayer

@Suite(.watchesEvents) struct EventSequenceTests {
    let time = ManualTimeSource()

    func make() throws -> (RequestOperationQueue, ScriptedTransport, NetworkClient) {
        let transport = ScriptedTransport(time: time)
        let client = NetworkClient(transport: transport, time: time).watched()
        return (try RequestOperationQueue(identifier: "test", client: client), transport, client)
    }

    @Test func `every reader gets every event, whenever it comes`() async throws {
        let (queue, transport, _) = try make()
        let operation = queue.enqueue(.get("http://a.test/"))
        async let early = operation.events.reduce(into: []) { $0.append($1) }
        var iterator = operation.events.makeAsyncIterator()
        #expect(await iterator.next()?.kind.name == "enqueued")
        transport.transfers[0].respond(body: Data("hello".utf8))
        async let late = operation.events.reduce(into: []) { $0.append($1) }
        let log = operation.events(from: 0)
        #expect(await early == log)
        #expect(await late == log)
        #expect(log.last?.kind.name == "completed")
    }

    @Test func `a reader that waits is woken by each event`() async throws {
        let (queue, transport, _) = try make()
        let operation = queue.enqueue(.get("http://a.test/"))
        let seen = Mutex(0)
        let (steps, step) = AsyncStream.makeStream(of: Int.self)
        let reader = Task {
            for await event in operation.events {
                seen.withLock { $0 += 1 }
                step.yield(event.sequence)
            }
            step.finish()
        }
        var following = steps.makeAsyncIterator()
        var last = await following.next()
        while last != 3 { last = await following.next() }
        transport.transfers[0].send(.connectionAcquired(.loopback))
        #expect(await following.next() == 4)
        transport.transfers[0].send(.requestSent)
        #expect(await following.next() == 5)
        transport.transfers[0].respond()
        await reader.value
        #expect(seen.withLock { $0 } == operation.events(from: 0).count)
    }

    @Test func `a reader whose task is cancelled stops, and the operation goes on`() async throws {
        let (queue, transport, _) = try make()
        let operation = queue.enqueue(.get("http://a.test/"))
        let reader = Task {
            var count = 0
            for await _ in operation.events { count += 1 }
            return count
        }
        reader.cancel()
        #expect(await reader.value <= 4)
        transport.transfers[0].respond()
        #expect(operation.state == .succeeded)
    }

    @Test func `events from a number on, without waiting`() throws {
        let (queue, transport, _) = try make()
        let operation = queue.enqueue(.get("http://a.test/"))
        #expect(operation.events(from: 0).map(\.sequence) == [0, 1, 2, 3])
        #expect(operation.events(from: 4) == [])
        transport.transfers[0].send(.requestSent)
        #expect(operation.events(from: 4).map(\.kind) == [.requestSent])
        #expect(operation.events(from: -1).count == 5)
    }

    @Test func `the operation is over for whoever is told so`() throws {
        struct Checker: NetworkObserver {
            let responses: @Sendable (Response?) -> Void
            func observe(_ event: NetworkEvent, of operation: RequestOperation) {
                if case .completed = event.kind { responses(operation.finalResponse) }
            }
        }
        let (queue, transport, client) = try make()
        let response = Mutex<Response?>(nil)
        client.addObserver(Checker { new in response.withLock { $0 = new } })
        queue.enqueue(.get("http://a.test/"))
        transport.transfers[0].respond(body: Data("hello".utf8))
        #expect(try response.withLock { $0 }?.info?.body.contents() == Data("hello".utf8))
    }
}
