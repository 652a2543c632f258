import Foundation
import HTTPTypes
import NetworkLayer
import Testing

@testable import RequestCollections

@Suite struct SessionDefinitionTests {
    private static let whole = """
        turnstone: 1
        name: Prices
        requests:
          prices:
            websocket: wss://prices.example/v2
            subprotocols: [prices.v2, prices.v1]
            session: { ping: never, close: 3s, compression: false, limit: 1MB }
            messages:
              - send:
                  json: { type: subscribe, symbols: [A, B] }
              - receive: { .type: ready }
                within: 2s
                capture: { ticket: .ticket }
              - send: "ticket {{ticket}}"
              - send: { file: more.json }
              - send: { binary: AAEC }
              - receive: hello
              - wait: 1s
              - close: 1000
                reason: that was all
            expect:
              close: 1000
              messages: { count: ">= 2", any: { .type: tick, .n: 3 }, first: hello, last: { .type: exists } }

        """

    private static func request(_ text: String) throws -> RequestDefinition {
        let collection = RequestCollection.of(text)
        let request = try #require(collection.requests.first)
        #expect(collection.problems + request.problems == [])
        return request
    }

    private static func one(_ lines: String) -> RequestDefinition? {
        RequestCollection.requests("  a:\n    websocket: ws://h/\n" + lines.split(separator: "\n").map { "    \($0)\n" }.joined())
            .requests.first
    }

    @Test func `a session is read step by step`() throws {
        let request = try Self.request(Self.whole)
        #expect(request.isWebSocket && request.url == "wss://prices.example/v2")
        #expect(request.subprotocols == ["prices.v2", "prices.v1"])
        #expect(request.session?.ping == .never && request.session?.close == .seconds(3))
        #expect(request.session?.compression == false && request.session?.limit == 1_000_000)
        let steps = request.messages
        #expect(steps.count == 8)
        #expect(steps[1].receive?.conditions.map(\.subject) == [.filter(".type")])
        #expect(steps[1].receive?.within == .seconds(2))
        #expect(steps[1].receive?.captures.map(\.name) == ["ticket"])
        #expect(steps[2].action == .send(.text("ticket {{ticket}}")))
        #expect(steps[3].action == .send(.file("more.json")))
        #expect(steps[4].action == .send(.binary("AAEC")))
        #expect(steps[5].receive?.limit == .seconds(10))
        #expect(steps[6].action == .wait(.seconds(1)))
        #expect(steps[7].action == .close(code: 1000, reason: "that was all"))
        #expect(steps[7].location.line == 19)
        #expect(
            request.expectations.map(\.subject) == [
                .close, .messageCount, .message(.any, ".type"), .message(.any, ".n"), .message(.first, nil),
                .message(.last, ".type"),
            ])
    }

    @Test func `it is written as people write it`() throws {
        let text = try RequestCollection.of(Self.whole).text()
        #expect(text.contains("    websocket: wss://prices.example/v2\n"), "\(text)")
        #expect(text.contains("    messages:\n      - send: { json: {"), "\(text)")
        #expect(
            text.contains("      - receive: { .type: ready }\n        within: 2s\n        capture: { ticket: .ticket }\n"),
            "\(text)")
        #expect(text.contains("      - close: 1000\n        reason: that was all\n"), "\(text)")
        #expect(try Self.request(text).withoutPlaces == Self.request(Self.whole).withoutPlaces)
    }

    @Test(arguments: [
        ("messages: [{ send: a, wait: 1s }]", "one of `send`, `receive`, `wait` and `close`, and this one has 2"),
        ("messages: [{ within: 1s }]", "this one has 0"),
        ("messages: [{ send: a, within: 1s }]", "`within` belongs to `receive`"),
        ("messages: [{ send: a, reason: b }]", "`reason` belongs to `close`"),
        ("messages: [{ send: { json: 1, file: a } }]", "a message has one of `json`, `file` and `binary`"),
        ("messages: [{ close: 1000 }, { send: a }]", "can't follow `close`"),
        ("messages: [{ close: 1000, reason: \(String(repeating: "é", count: 62)) }]", "at most 123 bytes, and this one has 124"),
        ("messages: [{ close: 1005 }]", "`close` can't be 1005"), ("messages: [{ close: 99 }]", "`close` takes"),
        ("messages: [{ receive: a, capture: { \"a b\": .x } }]", "can't name a variable"),
        ("messages: [hello]", "takes a map"), ("messages: [{ sent: a }]", "did you mean `send`"),
        ("body: { text: a }", "has no `body`"), ("mock: { status: 200 }", "can't play the peer"),
        ("expect: { messages: { second: a } }", "unknown key `second`"),
    ])
    func `what can't be is named, with the way out`(_ line: String, _ words: String) throws {
        let problems = try #require(Self.one(line)).problems
        #expect(problems.contains { $0.message.contains(words) }, "\(problems)")
    }

    @Test func `messages without a session are no request`() {
        let problems = RequestCollection.requests("  a: { get: http://h/, messages: [{ send: a }] }\n").requests.first?.problems
        #expect(problems?.first?.message.contains("belong to `websocket: URL`") == true)
        let vain = RequestCollection.requests("  a: { get: http://h/, expect: { close: 1000 } }\n").requests.first?
            .vainExpectations()
        #expect(vain?.first?.message.contains("only a `websocket`") == true)
    }

    // MARK: Resolving

    private static func resolved(_ lines: String, files: [String: String] = [:]) throws -> ResolvedRequest {
        let text =
            "turnstone: 1\nvariables: { host: h, greeting: \"hi {{who}}\" }\nrequests:\n  a:\n"
            + lines.split(separator: "\n").map { "    \($0)\n" }.joined()
        let collection = RequestCollection.of(text)
        let request = try #require(collection.requests.first)
        #expect(request.problems == [])
        return try collection.resolve(request, environment: nil, with: TemplateEnvironment(trust: .everything))
    }

    @Test func `its request is a GET by HTTP, and steps are filled in`() throws {
        let resolved = try Self.resolved(
            "websocket: wss://{{host}}/x\nsubprotocols: [\"{{host}}\"]\nmessages:\n  - send: \"{{host}}\"\n  - send: { binary: AAEC }"
        )
        #expect(resolved.request.method == .get && resolved.request.url.absoluteString == "https://h/x")
        #expect(resolved.session?.subprotocols == ["h"])
        #expect(resolved.session?.steps.map(\.action) == [.send(.text("h")), .send(.binary(Data([0, 1, 2])))])
        #expect(resolved.session?.steps.map(\.isDeferred) == [false, false])
    }

    @Test func `what an earlier step captures is waited for, also through another variable`() throws {
        let steps = try #require(
            Self.resolved(
                """
                websocket: ws://h/
                messages:
                  - receive: exists
                    capture: { who: .name, n: .n }
                  - send: "{{greeting}}"
                  - receive: { .n: "> {{n}}" }
                  - send: { json: { n: "{{n}}" } }
                  - send: "{{host}}"
                """
            ).session?.steps)
        #expect(steps.map(\.isDeferred) == [false, true, true, true, false])
        let collection = RequestCollection.requests(
            "  a: { websocket: ws://h/, messages: [{ receive: exists, capture: { n: .n } }, { send: { json: { n: \"{{n}}\" } } }] }\n"
        )
        let sources = TemplateEnvironment(captured: ["n": CapturedValue(.number("7"), from: RequestID(rawValue: "a"))])
        let request = try #require(collection.requests.first)
        let filled = try collection.resolve(step: 1, of: request, to: URL(string: "http://h/")!, environment: nil, with: sources)
            .step
        guard case .send(.text(let text))? = filled.action else { throw CancellationError() }
        #expect(JSONParser.parse(text) == JSONParser.parse(#"{"n":7}"#))
    }

    @Test func `it needs what it doesn't capture itself, and gives what it does to others`() throws {
        let collection = RequestCollection.requests(
            """
              login: { post: http://h/, capture: { token: .token, id: .id } }
              a:
                websocket: ws://h/
                messages:
                  - send: "{{token}}"
                  - receive: exists
                    capture: { id: .id, room: .room }
                  - send: "{{id}}"
              b: { get: "http://h/{{room}}" }

            """)
        let finder = TemplateReadsFinder(collection, environment: nil, variables: [])
        #expect(finder.reads(of: try #require(collection.request("a"))).names.map(\.name) == ["token"])
        #expect(collection.requests(capturing: "room").map(\.rawValue) == ["a"])
    }

    @Test func `the secrets in its messages and its files are wanted as those of a body`() throws {
        let collection = RequestCollection.requests(
            """
              a:
                websocket: wss://h/
                variables: { key: { secret: { env: KEY } } }
                messages: [{ receive: exists, capture: { n: .n } }, { send: "{{key}} {{n}}" }, { send: { file: /etc/hosts } }]

            """)
        let wants = collection.wants(of: collection.requests, environment: nil).map { "\($0.want)" }.joined(separator: "\n")
        #expect(wants.contains("https://h"), "\(wants)")
        #expect(wants.contains("/etc/hosts"), "\(wants)")
    }

    @Test func `a reason that is too long when it is filled in is named`() {
        #expect {
            try Self.resolved(
                """
                websocket: ws://h/
                variables: { long: \(String(repeating: "x", count: 124)) }
                messages: [{ close: 1000, reason: "{{long}}" }]
                """)
        } throws: { "\($0)".contains("at most 123 bytes") }
    }

    /// `random(length:)` refuses the placeholder of what a message will give.
    @Test(arguments: [
        #""{{random(length: n)}} {{bound}}""#, #""{{both}}""#,
        #"{ json: { a: "{{sha256(random(length: n))}}", b: "{{bound}}" } }"#,
    ])
    func `a secret beside what isn't known yet is known before, and looked at again when it is sent`(_ message: String) throws {
        func collection(_ origins: String) -> RequestCollection {
            RequestCollection.requests(
                """
                  a:
                    websocket: wss://h/
                    variables: { bound: { secret: { env: KEY }\(origins) }, both: "{{random(length: n)}} {{bound}}" }
                    messages: [{ receive: exists, capture: { n: .n } }, { send: \(message) }]

                """)
        }
        let answers = [TemplateRequirement.secret(.environment("KEY")): TemplateAnswer(.string("s3cret-key"), isSecret: true)]
        let captured = ["n": CapturedValue(.number("3"), from: RequestID(rawValue: "a"))]
        func step(_ collection: RequestCollection, to url: String, _ trust: Trust) throws {
            _ = try collection.resolve(
                step: 1, of: collection.requests[0], to: URL(string: url)!, environment: nil,
                with: TemplateEnvironment(trust: trust, captured: captured, answers: answers))
        }
        let free = collection("")
        #expect(free.wants(of: free.requests, environment: nil).contains { "\($0.want)".contains("https://h") })
        let resolved = try free.resolve(
            free.requests[0], environment: nil, with: TemplateEnvironment(trust: .everything, answers: answers))
        #expect(resolved.request.secrets.uses.map(\.part) == [.body])
        #expect(throws: ResolutionError.self) { try step(free, to: "https://h/", .nothing) }

        let bound = collection(#", for: "https://h""#)
        try step(bound, to: "https://h/", .everything)
        #expect { try step(bound, to: "https://elsewhere/", .everything) } throws: { "\($0)".contains("is for https://h") }
        let stray = collection(#", for: "https://api.example.com""#)
        #expect { try stray.resolve(stray.requests[0], environment: nil, with: TemplateEnvironment(trust: .everything)) } throws: {
            "\($0)".contains("is for https://api.example.com")
        }
    }

    // MARK: What is expected of messages

    private static func facts(_ messages: [String], close: Int? = 1000) -> ResponseFacts {
        let head = ResponseHead(status: .switchingProtocols)
        let request = Request(url: URL(string: "http://h/")!)
        func facts(_ body: String) -> ResponseFacts {
            let info = ResponseInfo(finalRequest: request, head: head, body: .data(Data(body.utf8)))
            return ResponseFacts(
                Response(originalRequest: request, info: info, metrics: OperationMetrics()), body: Data(body.utf8))
        }
        var all = facts("")
        all.messages = messages.map(facts)
        return all
    }

    @Test func `what any message is must be one and the same message`() throws {
        let expectations = try #require(
            Self.one("expect: { messages: { any: { .type: tick, .n: 3 }, last: { .type: end } } }")
        ).expectations
        let good = Self.facts([#"{"type":"tick","n":1}"#, #"{"type":"tick","n":3}"#, #"{"type":"end"}"#])
        #expect(expectations.check(good).map(\.isMet) == [true, true, true])
        let bad = expectations.check(Self.facts([#"{"type":"tick","n":1}"#, #"{"type":"other","n":3}"#, #"{"type":"end"}"#]))
        #expect(bad.map(\.isMet) == [true, false, true])
        #expect(bad[1].complaint == "expected messages any .n to be 3, and found 1 in the nearest of 3 messages")
        let none = expectations.check(Self.facts([]))
        #expect(none.allSatisfy { !$0.isMet })
    }
}
