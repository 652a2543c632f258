import FoundationEssentials
import HTTPTypes
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import Testing

@Suite struct MockTransportTests {
    let story = Story()
    let transport: MockTransport

    init() {
        transport = MockTransport(time: story.time)
    }

    @Test func `PSE-1 the key is the absolute URL in lower case, without its fragment`() {
        transport.register(.hello, at: URL(string: "http://A.test/Path?Q=1")!)
        #expect(transport.isRegistered(URL(string: "HTTP://a.TEST/path?q=1#part")!))
        #expect(!transport.isRegistered(URL(string: "http://a.test/path?q=2")!))
        #expect(!transport.isRegistered(URL(string: "https://a.test/path?q=1")!))
    }

    @Test func `a closure answers what isn't registered, and what was sent can be looked at`() async throws {
        let transport = MockTransport { request in
            switch request.url.path() {
            case "/knot": .text("red")
            case "/lost": throw NetworkError.mocked(.connectionLost)
            case "/new": .status(.created)
            default: nil
            }
        }
        transport.register(.json([1]), at: "https://birds.test/all")
        let client = NetworkClient(transport: transport)
        #expect(try await client.get("https://birds.test/knot").text == "red")
        #expect(await client.response(for: .get("https://birds.test/lost")).error?.code == .connectionLost)
        #expect(try await client.post("https://birds.test/new").status == .created)
        #expect(try await client.get("https://birds.test/all").text == "[1]")
        #expect(await client.response(for: .get("https://birds.test/none")).error?.type == "mock.not_registered")
        #expect(transport.requests.map { $0.url.lastPathComponent } == ["knot", "lost", "new", "all", "none"])
    }

    @Test func `of very many requests the last ones are kept`() async {
        let transport = MockTransport { _ in .status(.ok) }
        for number in 0...2000 { _ = transport.start(TransferRequest(request: .get("https://birds.test/\(number)"))) { _ in } }
        #expect(transport.requests.count == 1001)
        #expect(transport.requests.last?.url.lastPathComponent == "2000")
    }

    @Test func `PSE-1 the last registration counts, and can be taken back`() {
        transport.register(.redirect(), at: .a)
        transport.register(.hello, at: .a)
        story.start(Request(url: .a), transport)
        #expect(story.body == "hello")
        transport.unregister(.a)
        #expect(!transport.isRegistered(.a))
    }

    @Test func `PSE-1 what is registered for one method is registered, and taken back with the URL`() {
        transport.register(.hello, at: .a, method: .post)
        #expect(transport.isRegistered(.a))
        story.start(Request(url: .a), transport)
        #expect(story.lines == ["0 finished mock.not_registered"])
        transport.unregister(.a)
        #expect(!transport.isRegistered(.a))
        let other = Story()
        other.start(Request(url: .a, method: .post), transport)
        #expect(other.lines == ["0 finished mock.not_registered"])
    }

    @Test func `PSE-1 a rule answers whatever queries it allows, the more it asks for the sooner`() {
        let orders = URL(string: "http://a.test/orders")!
        func answer(_ query: String, _ method: HTTPRequest.Method = .get) -> String {
            let story = Story()
            story.start(Request(url: URL(string: "http://A.test/orders\(query)")!, method: method), transport)
            return story.body
        }
        func text(_ text: String) -> MockResponse { MockResponse(body: Data(text.utf8)) }
        transport.register(text("any"), at: orders, query: .any)
        transport.register(text("posted"), at: orders, query: .any, method: .post)
        transport.register(text("page 2"), at: orders, query: .including(["page": "2"]))
        transport.register(text("page 2 of red knots"), at: orders, query: .including(["page": "2", "q": "red knot"]))
        transport.register(text("very"), at: URL(string: "http://a.test/orders?page=2&z=1")!)
        #expect(answer("") == "any")
        #expect(answer("", .post) == "posted")
        #expect(answer("?z=1&page=2") == "page 2")
        #expect(answer("?page=2&z=1") == "very")
        #expect(answer("?q=red%20knot&page=2&page=3") == "page 2 of red knots")
        #expect(answer("?page=3") == "any")
        #expect(transport.isRegistered(URL(string: "http://a.test/orders?x")!))
        transport.unregister(orders)
        #expect(!transport.isRegistered(URL(string: "http://a.test/orders?x")!))
        #expect(answer("?page=2&z=1") == "very")
    }

    @Test func `PSE-1 without a rule for all, other queries have no mock`() {
        transport.register(.hello, at: URL(string: "http://a.test/orders")!, query: .including(["page": "2"]))
        #expect(transport.isRegistered(URL(string: "http://a.test/orders?page=2")!))
        #expect(!transport.isRegistered(URL(string: "http://a.test/orders?page=3")!))
        transport.register(.redirect(), at: URL(string: "http://a.test/orders")!, query: .including(["page": "2"]))
        story.start(Request(url: URL(string: "http://a.test/orders?page=2")!), transport)
        #expect(story.lines.contains { $0.contains("302") })
    }

    @Test func `PSE-1 all registrations can be taken back`() {
        transport.register(.hello, at: .a)
        transport.register(.hello, at: .b)
        transport.unregisterAll()
        #expect(!transport.isRegistered(.a))
        #expect(!transport.isRegistered(.b))
    }

    @Test func `PSE-1 a URL that isn't registered fails and says how to go on`() {
        story.start(Request(url: .a), transport)
        #expect(story.lines == ["0 finished mock.not_registered"])
        #expect(
            story.result?.error?.message
                == "No mock is registered for http://a.test/; register one, or give the mock transport another to fall back on.")
    }

    @Test func `PSE-1 a URL that isn't registered goes to the other transport, where there is one`() {
        let other = ScriptedTransport { _ in .respond(status: .accepted) }
        let transport = MockTransport(time: story.time, fallback: other)
        transport.register(.hello, at: .b)
        story.start(Request(url: .a), transport)
        #expect(story.head?.status == .accepted)
        story.start(Request(url: .b), transport)
        #expect(other.requests == [Request(url: .a)])
    }

    @Test func `PRI-1 the priorities of the last transfer are kept, from its start on`() {
        transport.register(.hello, at: .a, behavior: MockBehavior(delay: .seconds(1)))
        let first = transport.start(TransferRequest(request: Request(url: .a), priority: .low)) { _ in }
        first.setPriority(.high)
        #expect(transport.priorities(at: .a) == [.low, .high])
        let second = transport.start(TransferRequest(request: Request(url: .a))) { _ in }
        first.setPriority(.veryLow)
        second.setPriority(.veryHigh)
        #expect(transport.priorities(at: .a) == [.normal, .veryHigh])
        #expect(transport.priorities(at: .b) == [])
        transport.unregister(.a)
        #expect(transport.priorities(at: .a) == [])
        first.cancel()
        second.cancel()
    }

    @Test func `TN-11 a file answers, as it is at the time of the request`() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "mock-\(UUID()).json").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        transport.register(.file(path, headers: [.contentType: "application/json"]), at: .a)
        for text in ["{}", "[1]"] {
            try Data(text.utf8).write(to: URL(filePath: path))
            let story = Story()
            story.start(Request(url: .a), transport)
            #expect(story.body == text)
            #expect(story.head?.headers == [.contentType: "application/json", .contentLength: String(text.count)])
        }
    }

    @Test func `TN-11 a missing file is an error that names it`() {
        transport.register(.file("/nowhere/orders.json"), at: .a)
        story.start(Request(url: .a), transport)
        #expect(story.result?.error?.code == .fileFailed)
        #expect(
            story.result?.error?.message
                == "The mock of http://a.test/ can't be read from /nowhere/orders.json; create the file, or register another for the URL."
        )
    }

    @Test func `TN-11 a range of delays is drawn from anew for every request`() {
        let range: ClosedRange<Duration> = .milliseconds(10)...(.milliseconds(70))
        let transport = MockTransport(time: story.time, generator: Countdown())
        transport.register(.hello, at: .a, behavior: MockBehavior(delay: range))
        var delays: Set<Duration> = []
        for _ in 0..<20 {
            let story = Story()
            let start = self.story.time.now
            story.start(Request(url: .a), transport)
            if let deadline = self.story.time.nextDeadline { delays.insert(deadline - start) }
            self.story.time.advance(by: .seconds(1))
            #expect(story.body == "hello")
        }
        #expect(delays.allSatisfy { range.contains($0) })
        #expect(delays.count > 10)
    }
}

/// A generator whose numbers are the same in every run.
private struct Countdown: RandomNumberGenerator {
    var state: UInt64 = .max

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}
