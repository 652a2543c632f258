import FoundationEssentials
import HTTPTypes
import NetworkLayerTesting
import Testing

@testable import NetworkLayer

/// A body as bytes, lines and events, the head before it, and progress beside it.
@Suite(.watchesEvents) struct ReadingTests {
    let time = ManualTimeSource()

    /// The body arrives in these pieces.
    private func stream(_ pieces: [String], retry: RetryPolicies = []) async throws -> (RequestOperation, ScriptedTransfer) {
        let transport = ScriptedTransport(time: time)
        let client = NetworkClient(transport: transport, time: time).watched()
        let queue = try RequestOperationQueue(identifier: "test", client: client)
        let operation = queue.stream(.get("http://a.test/"), configuration: .init(retry: retry))
        let transfer = transport.transfers[0]
        if !pieces.isEmpty {
            transfer.sendHead()
            for piece in pieces { transfer.sendBody(Data(piece.utf8)) }
            transfer.finish()
        }
        return (operation, transfer)
    }

    private static let texts: [([String], [String])] = [
        (["a\nb\r\nc\rd"], ["a", "b", "c", "d"]), (["a\r", "\nb"], ["a", "b"]), (["a\r", "b\n"], ["a", "b"]), (["\n\n"], ["", ""]),
        (["kn", "öt\n", "sand", "erling"], ["knöt", "sanderling"]), ([""], []), (["a\n"], ["a"]), (["a\r"], ["a"]),
    ]

    @Test(arguments: texts) func `lines end as people end them, wherever pieces do`(pieces: [String], lines: [String]) async throws
    {
        var read: [String] = []
        for try await line in try await stream(pieces).0.body.lines { read.append(line) }
        #expect(read == lines)
    }

    @Test func `a letter may be cut by the end of a piece`() {
        var splitter = LineSplitter()
        var lines: [String] = []
        for byte in "knöt\r\n\u{1F426}\n".utf8 {
            splitter.add(Data([byte]))
            while let line = splitter.nextLine() { lines.append(String(decoding: line, as: UTF8.self)) }
        }
        #expect(lines == ["knöt", "\u{1F426}"])
        #expect(splitter.flush() == nil)
    }

    @Test func `bytes come one after the other`() async throws {
        var read: [UInt8] = []
        for try await byte in try await stream(["ab", "c"]).0.body.bytes { read.append(byte) }
        #expect(read == Array("abc".utf8))
    }

    @Test func `server-sent events are those of the standard's examples`() async throws {
        let text = """
            \u{FEFF}: a comment
            data: YHOO
            data:+2
            data
            id: 7
            retry: 1500

            event: add
            data:  two blanks, one is kept

            id
            event: none without data

            data: {"n":1}
            unknown: field
            retry: soon

            data: no empty line behind it
            """
        var events: [ServerSentEvent] = []
        for try await event in try await stream([text]).0.body.serverSentEvents { events.append(event) }
        #expect(
            events == [
                ServerSentEvent(data: "YHOO\n+2\n", id: "7", retry: .milliseconds(1500)),
                ServerSentEvent(event: "add", data: " two blanks, one is kept", id: "7", retry: .milliseconds(1500)),
                ServerSentEvent(data: #"{"n":1}"#, id: "", retry: .milliseconds(1500)),
            ])
    }

    @Test func `the head is there before the body`() async throws {
        let (operation, transfer) = try await stream([])
        transfer.sendHead()
        #expect(try await operation.head.status == .ok)
        #expect(operation.state == .running)
        transfer.sendBody(Data("hello".utf8))
        transfer.finish()
        var text = ""
        for try await line in operation.body.lines { text += line }
        #expect(text == "hello")
        #expect(try await operation.head.status == .ok)
    }

    @Test func `the head of a redirect isn't the final one`() async throws {
        let transport = ScriptedTransport(time: time) { request in
            request.request.url.path == "/" ? .redirect(to: "http://a.test/next") : .respond(status: .created)
        }
        let client = NetworkClient(transport: transport, time: time).watched()
        #expect(try await client.send(.get("http://a.test/")).head.status == .created)
    }

    @Test func `the head of an answer that may be tried again is final when the policies have been asked`() async throws {
        let (operation, transfer) = try await stream([], retry: [ClosureRetryPolicy("never") { _ in .stop(reason: "no") }])
        transfer.sendHead(.serviceUnavailable)
        async let head = operation.head
        transfer.finish()
        #expect(try await head.status == .serviceUnavailable)
        #expect(operation.state == .succeeded)
    }

    @Test func `without an answer the head throws the error`() async throws {
        let (operation, transfer) = try await stream([])
        transfer.finish(.reset)
        let error = await #expect(throws: NetworkError.self) { try await operation.head }
        #expect(error == .reset)
    }

    @Test func `cancelling the task that waits for the head cancels the operation`() async throws {
        let (operation, transfer) = try await stream([])
        let task = Task { try await operation.head }
        task.cancel()
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(transfer.isCancelled)
    }

    @Test func `progress tells of both directions, and begins anew with each attempt`() async throws {
        let operation = RequestOperation(.get("http://a.test/"))
        var progress: [OperationProgress] = []
        let (other, transfer) = try await stream([])
        transfer.sendHead()
        transfer.send(.body(Data("ab".utf8), received: 2, expected: 4))
        time.advance(by: .seconds(1))
        transfer.send(.body(Data("cd".utf8), received: 4, expected: 4))
        transfer.finish()
        for await step in other.progress { progress.append(step) }
        #expect(progress.last == OperationProgress(attempt: 1, download: TransferProgress(bytes: 4, expected: 4)))
        operation.cancel()
        for await _ in operation.progress { Issue.record("there was nothing to tell") }
    }
}
