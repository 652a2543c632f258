import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// What becomes of a body, seen from outside of an operation.
@Suite(.watchesEvents) struct ConsumptionTests {
    let time = ManualTimeSource()

    func start(
        _ consumption: ResponseConsumption, timeouts: Timeouts = .init()
    ) throws -> (RequestOperation, ScriptedTransfer) {
        let transport = ScriptedTransport(time: time)
        let queue = try RequestOperationQueue(identifier: "test", client: NetworkClient(transport: transport, time: time).watched())
        var configuration = RequestConfiguration()
        configuration.consumption = consumption
        configuration.timeouts = timeouts
        let operation = queue.enqueue(.get("http://a.test/"), configuration: configuration)
        return (operation, transport.transfers[0])
    }

    @Test func `CON-1 none drops the body`() async throws {
        let (operation, transfer) = try start(.none)
        transfer.respond(body: Data("hello".utf8))
        let response = await operation.response
        #expect(response.info?.body.count == 0)
        #expect(response.metrics.attempts[0].bytes.decodedResponseBody == 5)
    }

    @Test func `CON-2 a file that can't be made fails the operation with 209`() async throws {
        let (operation, transfer) = try start(.file(directory: "/nowhere/at/all"))
        transfer.sendHead()
        transfer.sendBody(Data("hello".utf8))
        let response = await operation.response
        #expect(response.error?.code == .fileFailed)
        #expect(response.info?.head.status == .ok)
        #expect(transfer.isCancelled)
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
    }

    @Test func `CON-2 a file of a body without bytes fails just as well`() async throws {
        let (operation, transfer) = try start(.file(directory: "/nowhere/at/all"))
        transfer.respond()
        #expect(await operation.response.error?.code == .fileFailed)
        #expect(EventRules.violations(in: operation.events(from: 0)) == [])
    }

    @Test func `CON-1 a stream hands out the pieces as they come, then ends`() async throws {
        let (operation, transfer) = try start(.stream)
        let reader = Task { try await operation.body.reduce(into: [Data]()) { $0.append($1) } }
        transfer.sendHead()
        transfer.sendBody(Data("hello".utf8))
        transfer.sendBody(Data("world".utf8))
        transfer.finish()
        #expect(operation.state == .succeeded)
        #expect(try await reader.value == [Data("hello".utf8), Data("world".utf8)])
        #expect(operation.finalResponse?.info?.body.count == 0)
    }

    @Test func `CON-1 a stream throws the operation's error after the pieces that came before it`() async throws {
        let (operation, transfer) = try start(.stream)
        transfer.sendHead()
        transfer.sendBody(Data("hello".utf8))
        transfer.finish(.reset)
        var iterator = operation.body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("hello".utf8))
        let error = await #expect(throws: NetworkError.self) { try await iterator.next() }
        #expect(error == .reset)
    }

    @Test func `CON-1 a slow reader stops the transfer above one mark and lets it go on below the other`() async throws {
        let (operation, transfer) = try start(.stream)
        transfer.sendHead()
        let piece = Data(count: 1 << 18)
        for _ in 0..<4 { transfer.sendBody(piece) }
        #expect(transfer.calls == [])
        transfer.sendBody(piece)
        #expect(transfer.calls == [.pauseReceiving])
        transfer.sendBody(piece)
        #expect(transfer.calls == [.pauseReceiving])
        var iterator = operation.body.makeAsyncIterator()
        for _ in 0..<5 { _ = try await iterator.next() }
        #expect(transfer.calls == [.pauseReceiving])
        _ = try await iterator.next()
        #expect(transfer.calls == [.pauseReceiving, .resumeReceiving])
        transfer.finish()
        #expect(try await iterator.next() == nil)
    }

    @Test func `CON-1 a paused transfer isn't idle, a resumed one is`() async throws {
        let (operation, transfer) = try start(.stream, timeouts: .init(idle: .seconds(1), attempt: nil, operation: nil))
        transfer.sendHead()
        transfer.sendBody(Data(count: BodyStream.highWaterMark + 1))
        time.advance(by: .seconds(100))
        #expect(operation.state == .running)
        var iterator = operation.body.makeAsyncIterator()
        _ = try await iterator.next()
        time.advance(by: .seconds(2))
        #expect(operation.finalResponse?.error?.code == .idleTimedOut)
    }

    @Test func `CON-1 the end of the reader's task is the end of the operation`() async throws {
        let (operation, transfer) = try start(.stream)
        let reader = Task { for try await _ in operation.body {} }
        transfer.sendHead()
        reader.cancel()
        await #expect(throws: NetworkError.self) { try await reader.value }
        #expect(operation.state == .cancelled)
        #expect(transfer.isCancelled)
    }

    @Test func `CON-1 who stops reading in the middle ends the operation, which nobody else could read on`() async throws {
        let (operation, transfer) = try start(.stream)
        transfer.sendHead()
        transfer.sendBody(Data("hello".utf8))
        for try await piece in operation.body {
            #expect(piece == Data("hello".utf8))
            break
        }
        #expect(operation.finalResponse?.error?.code == .cancelled)
        #expect(transfer.isCancelled)
    }

    @Test func `CON-1 who stops reading when all is there ends nothing`() async throws {
        let (operation, transfer) = try start(.stream)
        transfer.respond(body: Data("hello".utf8))
        for try await _ in operation.body { break }
        #expect(operation.finalResponse?.error == nil)
    }

    @Test func `CON-1 a reader that was cancelled waits for the end, and doesn't ask for it again and again`() async {
        let stream = BodyStream()
        let reader = Task {
            // Returns at once while it may be cancelled.
            await stream.wait()
            await stream.wait(isCancellable: false)
            guard case .end(nil) = stream.next() else { return false }
            return true
        }
        reader.cancel()
        await Task.yield()
        stream.finish(with: nil)
        #expect(await reader.value)
    }

    @Test func `CON-1 the body of any other consumption can't be read as it comes, and says where it is`() async throws {
        let (operation, transfer) = try start(.memory(spillOver: 100))
        transfer.respond(body: Data("hello".utf8))
        let error = await #expect(throws: NetworkError.self) { for try await _ in operation.body { Issue.record("a piece") } }
        #expect(error?.message.contains("isn't streamed: its response has it") == true)
        #expect(operation.finalResponse?.info?.body.count == 5)
    }

    @Test func `CON-1 a body has one reader, and another is told so, during it and after`() async throws {
        let (operation, transfer) = try start(.stream)
        var reader = operation.body.makeAsyncIterator()
        transfer.sendHead()
        await #expect(throws: NetworkError.self) { for try await _ in operation.body {} }
        #expect(!operation.isFinished)
        transfer.sendBody(Data("hello".utf8))
        transfer.finish()
        #expect(try await reader.next() == Data("hello".utf8))
        #expect(try await reader.next() == nil)
        await #expect(throws: NetworkError.self) { for try await _ in operation.body {} }
    }
}
