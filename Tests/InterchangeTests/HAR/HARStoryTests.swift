import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import SchemaTesting
import Testing

@testable import Interchange

/// What operations of all kinds leave behind, held against the schema.
@Suite struct HARStoryTests {
    /// An operation, the body of its last attempt, and the statuses that its entries have.
    struct Story: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var script: EventScript
        var body: Data?
        var statuses: [Int]

        init(_ name: String, _ script: EventScript, body: Data? = nil, statuses: [Int]) {
            testDescription = name
            self.script = script
            self.body = body
            self.statuses = statuses
        }

        func document() -> HARDocument {
            HARDocument(
                [HARDocument.Exchange(script.metrics, body: body)], creator: .init(name: "turnstone", version: "1"), masking: .none)
        }
    }

    private static let stories = [
        Story("success", .success(), body: Data(#"{"a": "ü\n"}"#.utf8), statuses: [200]),
        Story("bytes that aren't text", .success(), body: Data([0xFF, 0x00]), statuses: [200]),
        Story("redirects", .redirects(), statuses: [302, 307, 301, 200]),
        Story("retries", .retries(), statuses: [0, 503, 200]),
        Story("a refused certificate", .tlsFailure(), statuses: [0]),
        Story("a refused connection", .connectionFailure(), statuses: [0]),
        Story("a body that broke off", .idleTimeout(), statuses: [200]),
        Story("cancelled while the server is silent", .cancelled(), statuses: [0]),
        Story("cancelled before anything was sent", .cancelledEarly(), statuses: []),
        Story("still sending", .uploading(at: 500), statuses: [0]),
        Story("still receiving", .downloading(at: 500), statuses: [200]),
        Story("a form", .form(.data(Data("a=1&b=two+words".utf8))), statuses: [201]),
        Story("an upload that isn't text", .form(.data(Data([0xFF]))), statuses: [201]),
        Story("the upload of a file", .form(.file(path: "/tmp/a")), statuses: [201]),
        Story(
            "the upload of a stream", .form(.stream(RequestBodyStream(isReplayable: false) { throw CancellationError() })),
            statuses: [201]),
        Story("cookies", .cookies(), statuses: [200]),
        Story("a cache hit", .cached(.hit), body: Data("cached".utf8), statuses: [200]),
        Story("a checked cache hit", .cached(.validated), body: Data("cached".utf8), statuses: [200]),
        Story("a URL with a fragment", .cookies("http://h.example/a?b=%23#top"), statuses: [200]),
    ]

    @Test(arguments: stories) func `what is written validates`(story: Story) throws {
        let document = story.document()
        let text = String(decoding: try document.json(), as: UTF8.self)
        let value = try #require(JSONParser.parse(text))
        let validator = try HARSchema.validator()
        #expect(validator.accepts(value), "\(text)")
        #expect(document.log.entries.map(\.response.status) == story.statuses)
    }

    @Test func `all of them in one file validate too`() throws {
        let exchanges = Self.stories.map { HARDocument.Exchange($0.script.metrics, body: $0.body) }
        let document = HARDocument(exchanges, creator: .init(name: "turnstone", version: "1"), masking: .none)
        let value = try #require(JSONParser.parse(String(decoding: try document.json(), as: UTF8.self)))
        let validator = try HARSchema.validator()
        #expect(validator.accepts(value))
        #expect(document.log.entries.count == Self.stories.map(\.statuses.count).reduce(0, +))
    }

    @Test func `a fragment isn't part of the URL`() {
        let story = Story("", .cookies("http://h.example/a?b=%23#top"), statuses: [])
        #expect(story.document().log.entries.map(\.request.url) == ["http://h.example/a?b=%23"])
    }

    @Test func `cookies are those that went, the jar's too, and those that came`() {
        let entry = Story("", .cookies(), statuses: []).document().log.entries[0]
        #expect(entry.request.cookies == [.init(name: "a", value: "1"), .init(name: "jar", value: "x=y")])
        #expect(
            entry.response.cookies == [
                .init(
                    name: "s", value: "1", path: "/", domain: "h.example", expires: "1994-11-06T08:49:37Z", httpOnly: true,
                    secure: true)
            ])
    }

    @Test(arguments: [CacheOutcome.hit, .validated]) func `nothing came of a body from the cache`(outcome: CacheOutcome) {
        let response = Story("", .cached(outcome), body: Data("cached".utf8), statuses: []).document().log.entries[0].response
        #expect(response.bodySize == 0)
        #expect(response.content == .init(size: 6, compression: nil, mimeType: "text/plain", text: "cached"))
    }
}

extension EventScript {
    fileprivate static func connectionFailure() -> EventScript {
        let error = NetworkError(
            .cannotConnect, phase: .connection, type: "tcp.refused", message: "nobody listens at 127.0.0.1:8080")
        var script = EventScript()
        script.start()
        script.attempt(at: 1, request())
        script.at(2, .connectStarted(address: "127.0.0.1:8080"))
        script.at(3, .connectFailed(address: "127.0.0.1:8080", errno: 111))
        script.endAttempt(at: 3, error: error)
        script.end(at: 3, .failed, error)
        return script
    }

    fileprivate static func cancelledEarly() -> EventScript {
        var script = EventScript()
        script.start()
        script.end(at: 1, .cancelled, NetworkError(.cancelled, phase: .queue, type: "abandoned", message: "cancelled by the user"))
        return script
    }

    fileprivate static func form(_ body: RequestBody) -> EventScript {
        var request = request("http://api.example.org/form", .post, headers: [.contentType: "application/x-www-form-urlencoded"])
        request.body = body
        var script = EventScript()
        script.start()
        script.attempt(at: 1, request)
        script.send(at: script.connect(at: 2, tcp: 3), "POST /form HTTP/1.1\r\nHost: api.example.org\r\n\r\n")
        script.upload(at: 6, 15, of: 15)
        script.head(at: 9, status: 201)
        script.endAttempt(at: 9)
        script.end(at: 9, .succeeded)
        return script
    }

    fileprivate static func cookies(_ url: String = "https://h.example/") -> EventScript {
        var script = EventScript()
        script.start()
        script.attempt(at: 1, request(url, headers: [.cookie: "a=1"]))
        script.send(at: script.connect(at: 2, tcp: 3), "GET / HTTP/1.1\r\nHost: h.example\r\nCookie: a=1; jar=x=y\r\n\r\n")
        script.head(
            at: 9, status: 200,
            headers: [.setCookie: "s=1; Path=/; Domain=h.example; Secure; HttpOnly; Expires=Sun, 06 Nov 1994 08:49:37 GMT"])
        script.endAttempt(at: 9)
        script.end(at: 9, .succeeded)
        return script
    }

    /// Checked with a 304, or not: then there is no connection.
    fileprivate static func cached(_ outcome: CacheOutcome) -> EventScript {
        var script = EventScript()
        script.start()
        script.attempt(at: 1, request())
        if outcome == .validated { script.send(at: script.connect(at: 2, tcp: 3)) }
        script.at(6, .cache(outcome))
        script.head(at: 6, status: 200, headers: [.contentType: "text/plain"])
        script.download(at: 7, 6, of: 6)
        script.endAttempt(at: 7)
        script.end(at: 7, .succeeded)
        return script
    }
}
