import Foundation
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import ServerTesting
import Testing
import WebSockets

@testable import CollectionRunner

/// What a person sees of a session that is open, and does with it.
@Suite struct SessionNewsTests {
    private static func entry(_ number: Int, _ text: String = "a") -> WebSocket.Entry {
        WebSocket.Entry(number: number, direction: .received, content: .message(.text(text)), time: .zero)
    }

    @Test func `nothing is kept where nobody looks`() {
        let news = SessionNews()
        news.add(Self.entry(1))
        #expect(news.take(atMost: 10).isEmpty)
    }

    @Test func `what nobody has looked at for long is forgotten, but for the newest`() {
        let news = SessionNews()
        news.keep()
        for number in 1...25_001 { news.add(Self.entry(number)) }
        #expect(news.take(atMost: 2).map(\.number) == [5_002, 5_003])
        #expect(news.take(atMost: .max).last?.number == 25_001)
        let long = String(repeating: "a", count: 3 << 20)
        for number in 1...3 { news.add(Self.entry(number, long)) }
        #expect(news.take(atMost: .max).map(\.number) == [3])
    }

    /// As for a step: not where the program was started.
    @Test func `a file that is typed lies beside the collection`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("note.txt", "from beside")
        let text = "turnstone: 1\nrequests: { a: { websocket: 'ws://shop/', session: { ping: never } } }"
        let collection = RequestCollection.load(path: directory.file("shop.yaml"), bytes: Array(text.utf8))
        let transport = MockTransport()
        transport.register(.webSocket([.echo]), at: "http://shop/")
        let runner = CollectionRunner(
            queue: try RequestOperationQueue(identifier: "typed", client: NetworkClient(transport: transport)), trust: .open)
        let run = try await runner.fill(
            RunJob(try #require(collection.request(RequestID(rawValue: "a"))), in: collection), in: NodeContext())
        runner.enqueue(run)
        async let answer = runner.answer(to: run)
        #expect(await runner.send(#"{{file("note.txt")}}"#, through: run) == nil)
        run.closeSession()
        #expect(await answer.response.text.contains(#""sent","kind":"text","text":"from beside""#))
    }

    @Test func `a text goes through the open session, its variables filled in, and is in the transcript without secrets`()
        async throws
    {
        let text = """
            turnstone: 1
            variables: { bird: knot }
            requests:
              a: { websocket: "ws://shop/prices", session: { ping: never } }
            """
        let collection = RequestCollection.load(path: "shop.yaml", bytes: Array(text.utf8))
        let transport = MockTransport()
        transport.register(.webSocket([.echo]), at: "http://shop/prices")
        let runner = CollectionRunner(
            queue: try RequestOperationQueue(identifier: "news", client: NetworkClient(transport: transport)), trust: .open)
        let definition = try #require(collection.request(RequestID(rawValue: "a")))
        let job = RunJob(
            definition, in: collection, variables: ["key": .string("s3cret-key")],
            secretVariables: ["key": [OriginPattern(Origin(URL(string: "http://shop")!)!)]])
        let run = try await runner.fill(job, in: NodeContext())
        run.keepNews()
        runner.enqueue(run)
        async let answer = runner.answer(to: run)
        #expect(await runner.send("a {{bird}} {{key}}", through: run) == nil)
        #expect(await runner.send("{{nobody}}", through: run)?.contains("nobody") == true)
        #expect(await runner.send(#"{"a":{"b":{}}}"#, through: run) == nil)
        run.closeSession()
        let response = await answer.response
        #expect(response.error == nil)
        #expect(response.text.contains(#""sent","kind":"text","text":"a knot s3cret-key""#))
        #expect(run.redactor.text("s3cret-key") != "s3cret-key")
        let news = try #require(run.news(atMost: .max) { run.redactor })
        #expect(news.first == 1 && news.lines == Data(response.text.utf8))
        #expect(run.news(atMost: .max) { run.redactor } == nil)
        #expect(await runner.send("late", through: run) == "The session isn't open: nothing can be sent.")
    }
}
