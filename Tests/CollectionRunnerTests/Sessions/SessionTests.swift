import Foundation
import HTTPTypes
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import Testing
import WebSockets

@testable import CollectionRunner

@Suite struct SessionTests {
    /// A runner and a peer that plays a script.
    private struct Bench {
        let time = ManualTimeSource()
        let transport: MockTransport
        let collection: RequestCollection
        let runner: CollectionRunner

        init(_ lines: String, _ peer: MockResponse, others: String = "") throws {
            let text =
                "turnstone: 1\nrequests:\n  a:\n    websocket: ws://shop/prices\n    session: { ping: never }\n"
                + lines.split(separator: "\n").map { "    \($0)\n" }.joined() + others
            collection = RequestCollection.load(path: "shop.yaml", bytes: Array(text.utf8))
            #expect(collection.problems + collection.requests.flatMap(\.problems) == [])
            transport = MockTransport(time: time)
            transport.register(peer, at: "http://shop/prices")
            transport.register(.json(["room": "r1"]), at: "http://shop/r1")
            runner = CollectionRunner(
                queue: try RequestOperationQueue(
                    identifier: "sessions", client: NetworkClient(transport: transport, time: time)), trust: .open)
        }

        func run(_ id: String = "a", secrets: [String: String] = [:]) async throws -> RunResult {
            let definition = try #require(collection.request(RequestID(rawValue: id)))
            return await runner.run(
                RunJob(
                    definition, in: collection, variables: secrets.mapValues { .string($0) },
                    secretVariables: secrets.mapValues { _ in [OriginPattern(Origin(URL(string: "http://shop")!)!)] }))
        }
    }

    private static func transcript(_ result: RunResult) -> [JSONValue] {
        (result.response?.text ?? "").split(separator: "\n").compactMap { JSONParser.parse(String($0)) }
    }

    private static func texts(_ result: RunResult) -> [String] {
        transcript(result).map { "\($0["direction"]?.plainText ?? ""): \($0["text"]?.plainText ?? "")" }
    }

    @Test func `steps are played in turn, and what a message gives goes into the next one`() async throws {
        let bench = try Bench(
            """
            messages:
              - send: { json: { type: subscribe } }
              - receive: { .type: ready }
                capture: { ticket: .ticket }
              - send: "ticket {{ticket}}"
              - receive: welcome
              - receive: { .type: tick }
              - close: 1000
                reason: enough
            expect: { close: 1000, messages: { count: 3, any: { .type: ready }, last: welcome } }
            capture: { kinds: "[.kind] | first" }
            """,
            .webSocket([
                .receive, .send(.text(#"{"type":"tick"}"#)), .send(.text(#"{"type":"ready","ticket":7}"#)), .receive,
                .send(.text("welcome")), .receive,
            ]))
        let result = try await bench.run()
        #expect(result.isPassed, "\(result.unmet.map(\.complaint)) \(result.failure?.message ?? "") \(result.errorSentence ?? "")")
        // What `receive` waited for is a check, too.
        #expect(result.expectations.map(\.isMet) == [true, true, true, true, true, true, true])
        #expect(result.captured["ticket"]?.value == .number("7"))
        #expect(result.captured["kinds"]?.value == .string("text"))
        #expect(
            Self.texts(result)
                == [
                    #"sent: {"type":"subscribe"}"#, #"received: {"type":"tick"}"#, #"received: {"type":"ready","ticket":7}"#,
                    "sent: ticket 7", "received: welcome", "sent: enough", "received: ",
                ].map { $0.replacing(#"{"type":"subscribe"}"#, with: "{\n  \"type\": \"subscribe\"\n}") })
        #expect(result.response?[header: "content-type"] == "application/jsonl")
        #expect(result.response?.status == .switchingProtocols)
    }

    @Test func `what never comes is a failed check that says what was awaited and what came`() async throws {
        let bench = try Bench(
            "messages: [{ receive: { .type: ready }, within: 2s }, { send: never }]", .webSocket([.receive]))
        let run = Task { try await bench.run() }
        while bench.time.nextDeadline != .zero + .seconds(2) { await Task.yield() }
        bench.time.advance(by: .seconds(2))
        let result = try await run.value
        #expect(!result.isPassed && result.response?.error == nil)
        #expect(result.unmet.map(\.complaint) == ["expected step 1 to receive body .type is ready within 2s, and found nothing"])
        #expect(result.unmet.first?.location.line == 6)
        #expect(Self.texts(result).allSatisfy { !$0.contains("never") })
    }

    @Test func `a session that ends too early says so`() async throws {
        let bench = try Bench(
            "messages: [{ receive: ready }, { receive: more }, { send: on }]",
            .webSocket([.send(.text("ready")), .send(.text("tick")), .close(code: 1001, reason: "bye")]))
        let result = try await bench.run()
        #expect(
            result.unmet.map(\.complaint) == [
                "expected step 2 to receive body is more within 10s, and found another message, tick before the end of the session, "
                    + "closed with 1001 “bye”"
            ])
    }

    @Test func `without steps it listens until the peer closes`() async throws {
        let bench = try Bench(
            "expect: { messages: { count: 2, first: a } }",
            .webSocket([.send(.text("a")), .send(.binary(Data([0]))), .close(code: 1000)]))
        let result = try await bench.run()
        #expect(result.isPassed, "\(result.unmet.map(\.complaint))")
        #expect(Self.transcript(result)[1]["base64"] == .string("AA=="))
    }

    private static let query = "body: { graphql: { query: 'subscription { a }', variables: { n: 1 } } }"
    private static let acknowledged: [MockSessionStep] = [.receive, .send(.text(#"{"type":"connection_ack"}"#)), .receive]

    @Test func `a subscription opens by its protocol, answers pings, and ends when it is complete`() async throws {
        let bench = try Bench(
            Self.query + "\nexpect: { close: 1000, messages: { last: { .type: complete } } }",
            .webSocket(
                Self.acknowledged + [
                    .send(.text(#"{"type":"ping"}"#)), .receive,
                    .send(.text(#"{"id":"1","type":"next","payload":{"data":{"a":1}}}"#)),
                    .send(.text(#"{"id":"1","type":"complete"}"#)), .receive,
                ]))
        let result = try await bench.run()
        #expect(result.isUsable, "\(result.unmet.map(\.complaint)) \(result.failure?.message ?? "")")
        let sent = Self.transcript(result).filter { $0["direction"] == "sent" }.compactMap { $0["text"]?.plainText }
        #expect(
            sent == [
                #"{"type":"connection_init"}"#,
                "{\"id\":\"1\",\"type\":\"subscribe\",\"payload\":{\"query\":\"subscription { a }\",\"variables\":{\n  \"n\": 1\n}}}",
                #"{"type":"pong"}"#, "",
            ])
    }

    @Test func `errors of a subscription are counted, and an error ends it`() async throws {
        let bench = try Bench(
            Self.query,
            .webSocket(
                Self.acknowledged + [
                    .send(.text(#"{"id":"1","type":"next","payload":{"data":null,"errors":[{},{}]}}"#)),
                    .send(.text(#"{"id":"1","type":"error","payload":[{"message":"no"}]}"#)), .receive,
                ]))
        let result = try await bench.run()
        #expect(result.isPassed && !result.isUsable)
        #expect(result.queryErrors?.count == 3)
    }

    @Test func `a server that doesn't acknowledge fails the first check, with its close`() async throws {
        let bench = try Bench(Self.query, .webSocket([.receive, .close(code: 4403, reason: "Forbidden")]))
        let result = try await bench.run()
        #expect(!result.isPassed)
        #expect(result.unmet.first?.complaint.contains("closed with 4403 “Forbidden”") == true)
    }

    @Test func `with steps of its own a subscription ends behind the last of them`() async throws {
        let bench = try Bench(
            Self.query + "\nmessages: [{ receive: { .type: next } }]",
            .webSocket(Self.acknowledged + [.send(.text(#"{"id":"1","type":"next","payload":{"data":{"a":1}}}"#)), .receive]))
        #expect(try await bench.run().isUsable)
    }

    @Test(arguments: [("expect: { close: 4001 }", true), ("expect: { close: 1000 }", false), ("description: words", false)])
    func `a close with another code is a failure unless it is expected`(_ line: String, _ passes: Bool) async throws {
        let bench = try Bench(line, .webSocket([.send(.text("hello")), .close(code: 4001, reason: "enough")]))
        let result = try await bench.run()
        #expect(result.isPassed == passes, "\(result.unmet.map(\.complaint))")
        #expect(Self.texts(result).first == "received: hello")
    }

    @Test func `an answer that opens no session fails, and is the body`() async throws {
        let bench = try Bench("messages: [{ send: a }]", .text("no", status: .forbidden))
        let result = try await bench.run()
        #expect(!result.isPassed)
        #expect(result.unmet.map(\.complaint) == ["expected status to be 101, and found 403"])
        #expect(result.response?.text == "no")
    }

    @Test(arguments: [("expect: { status: \"< 500\" }", false), ("expect: { status: 403 }", true)])
    func `a status that 101 meets, too, excuses no session`(_ line: String, _ passes: Bool) async throws {
        let bench = try Bench("messages: [{ receive: a }]\n\(line)", .text("no", status: .forbidden))
        #expect(try await bench.run().isPassed == passes)
    }

    @Test func `a step isn't to blame for the error that is expected`() async throws {
        let bench = try Bench(
            "messages: [{ receive: a }]\ntimeouts: { operation: 2s }\nexpect: { error: timeout }", .webSocket([.receive]))
        let run = Task { try await bench.run() }
        while bench.time.nextDeadline != .zero + .seconds(2) { await Task.yield() }
        bench.time.advance(by: .seconds(2))
        let result = try await run.value
        #expect(result.isPassed, "\(result.unmet.map(\.complaint))")
    }

    @Test func `what a message captures is for other requests, and a secret of it is masked`() async throws {
        let bench = try Bench(
            "messages: [{ receive: exists, capture: { room: .room, token: { from: .token, secret: true } } }, { send: \"{{token}}\" }]",
            .webSocket([.send(.text(#"{"room":"r1","token":"t0ps3cret"}"#)), .receive, .close(code: 1000)]),
            others: "  b: { get: \"http://shop/{{room}}\" }\n")
        let result = try await bench.run("b")
        #expect(result.isPassed, "\(result.failure?.message ?? "")")
        #expect(result.response?.text.contains("r1") == true)
        let session = try #require(result.needed.first)
        #expect(Self.texts(session).contains("sent: t0ps3cret"))
        let shown = session.redactor.text(session.response?.text ?? "")
        #expect(!shown.contains("t0ps3cret"))
    }

    @Test func `a secret that a later step sends stays at home when a redirect leads elsewhere`() async throws {
        let bench = try Bench(
            "messages: [{ receive: exists, capture: { n: .n } }, { send: \"{{random(length: n)}} {{key}}\" }]",
            .status(.temporaryRedirect, headers: [.location: "http://other/prices"]))
        bench.transport.register(.webSocket([.send(.text(#"{"n":3}"#)), .receive]), at: "http://other/prices")
        let result = try await bench.run(secrets: ["key": "s3cret-key"])
        #expect(!result.isPassed)
        #expect(!Self.texts(result).contains { $0.contains("s3cret-key") })
    }

    @Test func `a message that lacks what is captured of it ends the session`() async throws {
        let bench = try Bench(
            "messages: [{ receive: exists, capture: { a: .a } }, { send: \"{{a}}\" }]",
            .webSocket([.send(.text("{}")), .receive]))
        let result = try await bench.run()
        #expect(result.failure?.reason == .capture && !result.isPassed)
        #expect(Self.texts(result).count == 3)
    }
}
