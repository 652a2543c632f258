import Foundation
import Testing

@testable import DemoServer

@Suite struct TroubleTests {
    private func trouble(_ target: String, silence: Int = 20, after end: String = "") async throws -> RawClient.Received {
        try await DemoServer().exchange("GET /trouble/\(target) HTTP/1.1\r\nHost: a\r\n\r\n", silence: silence, after: end)
    }

    @Test func `503 with Retry-After for the first calls of a key, then 200 once`() async throws {
        let server = try await DemoServer()
        var statuses: [Int] = []
        for _ in 0..<6 { statuses.append(try await server.call("GET", "/unavailable?key=a&times=2").status) }
        #expect(statuses == [503, 503, 200, 503, 503, 200])
        let other = try await server.call("GET", "/unavailable?key=b&retry-after=7")
        #expect(other["retry-after"] == "7")
        let date = try #require(try await server.call("GET", "/unavailable?key=c&date=true")["retry-after"])
        #expect(date.hasSuffix(" GMT"))
    }

    @Test(arguments: [
        ("close", [], RawClient.Ending.closed), ("reset", [], .reset), ("garbage", Noise.bytes(0..<512, seed: 42), .closed),
    ])
    func `no head at all`(target: String, bytes: [UInt8], ending: RawClient.Ending) async throws {
        #expect(try await trouble(target) == RawClient.Received(bytes: bytes, ending: ending))
    }

    @Test(arguments: [
        ("reset-mid-body", "Content-Length: 1000\r\n\r\n" + String(repeating: ".", count: 500)),
        ("truncated", "Content-Length: 1000\r\n\r\n" + String(repeating: ".", count: 500)),
        ("truncated-chunks", "\r\n\r\nff\r\n" + String(repeating: ".", count: 100)),
        ("bad-chunk", "\r\n\r\n5\r\nhello\r\nxyzzy\r\n"),
        ("ssh", "SSH-2.0-OpenSSH_9.6\r\n"), ("half-head", "\r\nContent-Le"),
        ("lengths", "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
        ("bad-header", "this is no field\r\nContent-Length: 5\r\n\r\nhello"),
        ("slow-head?duration=10ms", "Connection: close\r\n\r\nat last"),
    ])
    func `wrong bytes, to the last`(target: String, end: String) async throws {
        let received = try await trouble(target)
        #expect(received.ending == (target.hasPrefix("reset") ? .reset : .closed))
        #expect(received.text.hasSuffix(end))
    }

    @Test func `more than Content-Length says, with the connection open`() async throws {
        let received = try await trouble("extra", silence: 1, after: "some")
        #expect(received.ending == .silent)
        #expect(received.text.hasSuffix("Content-Length: 5\r\n\r\nhelloand then some"))
    }

    @Test func `a body that says it is gzip and isn't`() async throws {
        let response = try await DemoServer().call("GET", "/trouble/bad-gzip")
        #expect(response["content-encoding"] == "gzip")
        #expect(response.text == "this was never compressed")
    }

    @Test func `a connection that dies when it is reused`() async throws {
        let request = "GET /trouble/stale HTTP/1.1\r\nHost: a\r\n\r\n"
        let received = try await DemoServer().exchange(request + request)
        let response = try RawResponse(parsing: received.bytes)
        #expect(response.status == 200 && response["connection"] == nil)
        #expect(response.rest.isEmpty)
        #expect(received.ending != .silent)
    }

    @Test func `a connection that closes unannounced`() async throws {
        let received = try await trouble("closes")
        let response = try RawResponse(parsing: received.bytes)
        #expect(response.status == 200 && response["connection"] == nil)
        #expect(received.ending == .closed)
    }

    @Test func `a head of any size`() async throws {
        let received = try await trouble("huge-head?size=300kB")
        #expect(received.bytes.count > 300_000)
        #expect(try RawResponse(parsing: received.bytes).all("x-filler").count == 300)
    }

    @Test func `a bomb is small, and gzip takes it apart to its full size`() async throws {
        let response = try await DemoServer().call("GET", "/trouble/bomb?size=3MB")
        #expect(response.body.count < 4_000)
        #expect(response.body.suffix(4) == [0xC0, 0xC6, 0x2D, 0x00])
    }

    @Test func `trouble for the first calls only`() async throws {
        let server = try await DemoServer()
        let request = "GET /trouble/reset?times=1&key=k HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        #expect(try await RawClient.exchange(request, port: server.port).ending == .reset)
        let second = try RawResponse(parsing: try await RawClient.exchange(request, port: server.port).bytes)
        #expect(second.text.contains("All is well this time."))
    }
}

@Suite struct SlowTests {
    @Test func `a delay echoes the request when it is over`() async throws {
        let start = ContinuousClock.now
        let response = try await DemoServer().call("POST", "/delay/30ms", body: "x")
        #expect(response.text.contains("\"bytes\": 1"))
        #expect(ContinuousClock.now - start >= .milliseconds(30))
    }

    @Test func `a drip with a length`() async throws {
        let response = try await DemoServer().call("GET", "/drip?bytes=20&duration=20ms&status=206")
        #expect(response.status == 206)
        #expect(response["content-length"] == "20")
        #expect(response.text == String(repeating: "*", count: 20))
    }

    @Test func `a drip without a length has a chunk for each drop`() async throws {
        let response = try await DemoServer().call("GET", "/drip?bytes=7&duration=3ms&length=false")
        #expect(response["content-length"] == nil)
        #expect(response.chunks == [2, 2, 3])
    }

    @Test func `chunks of a size`() async throws {
        let response = try await DemoServer().call("GET", "/chunks?count=3&size=20&every=1ms&head=1ms")
        #expect(response.chunks == [20, 20, 20])
        #expect(response.text.hasPrefix("chunk 1 of 3 ......\nchunk 2 of 3 "))
    }

    @Test func `events go on behind the last one seen`() async throws {
        let response = try await DemoServer().call("GET", "/events?count=2&every=1ms", fields: ["Last-Event-ID: 41"])
        #expect(response["content-type"] == "text/event-stream")
        #expect(
            response.text
                == "retry: 2000\n\nid: 42\nevent: tick\ndata: {\"tick\": 42}\n\nid: 43\nevent: tick\ndata: {\"tick\": 43}\n\n")
    }

    @Test func `a stalled body is half there, and then nothing comes`() async throws {
        let received = try await DemoServer().exchange(
            "GET /stall?bytes=1000 HTTP/1.1\r\nHost: a\r\n\r\n", silence: 1,
            after: String(repeating: ".", count: 500))
        #expect(received.ending == .silent)
        #expect(received.text.contains("Content-Length: 1000\r\n"))
        #expect(received.text.hasSuffix("\r\n\r\n" + String(repeating: ".", count: 500)))
    }

    @Test func `a hanging request hears nothing`() async throws {
        let received = try await DemoServer().exchange("GET /hang HTTP/1.1\r\nHost: a\r\n\r\n", silence: 1)
        #expect(received == RawClient.Received(bytes: [], ending: .silent))
    }

    @Test func `a client that leaves ends a slow answer at once`() async throws {
        let received = try await DemoServer().exchange("GET /delay/1h HTTP/1.1\r\nHost: a\r\n\r\n", halfCloses: true)
        #expect(received == RawClient.Received(bytes: [], ending: .closed))
    }

    @Test func `a next request in the socket doesn't end a delay early`() async throws {
        let server = try await DemoServer()
        let start = ContinuousClock.now
        let received = try await RawClient.exchange(
            "GET /delay/40ms HTTP/1.1\r\nHost: a\r\n\r\nGET /status/204 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            port: server.port)
        #expect(try RawResponse(parsing: RawResponse(parsing: received.bytes).rest).status == 204)
        #expect(ContinuousClock.now - start >= .milliseconds(40))
    }

    @Test(arguments: ["/delay/x", "/delay/2h", "/drip?bytes=x", "/chunks?count=0", "/drip?length=maybe"])
    func `a time that is none is refused`(target: String) async throws {
        #expect(try await DemoServer().call("GET", target).status == 400)
    }
}

@Suite struct ViewerTests {
    private static let starts: [(String, [UInt8])] = [
        ("/viewer/escapes", HostileBytes.escapes),
        ("/viewer/nuls", HostileBytes.controls),
        ("/viewer/invalid-utf8", HostileBytes.invalidUTF8),
        ("/viewer/wide", Array(HostileBytes.wide.utf8)),
        ("/viewer/numbers", Array(HostileBytes.jsonCorners.utf8)),
        ("/viewer/latin1", [0x53, 0x74, 0x72, 0x61, 0xDF]),
        ("/viewer/utf16", [0xFF, 0xFE, 0x5A, 0x00, 0xFC, 0x00]),
        ("/viewer/empty", []),
        ("/viewer/mislabelled", Array("{\"type\"".utf8)),
        ("/viewer/broken-json", Array("{\n  \"one\"".utf8)),
        ("/viewer/deep?depth=3", Array("[[[]]]\n".utf8)),
    ]

    @Test(arguments: starts)
    func `hostile bytes arrive as they are`(target: String, start: [UInt8]) async throws {
        let response = try await DemoServer().call("GET", target)
        #expect(response.status == 200)
        #expect(response.body.starts(with: start))
    }

    @Test func `hostile bytes are what they claim to be`() {
        #expect(HostileBytes.escapes.contains(0x1B) && HostileBytes.escapes.contains(0x07))
        #expect(Set(HostileBytes.controls).isSuperset(of: (0..<32).filter { $0 != 13 }))
        #expect(String(validating: HostileBytes.invalidUTF8, as: UTF8.self) == nil)
    }

    @Test func `lines of any length`() async throws {
        let response = try await DemoServer().call("GET", "/viewer/long-lines?length=100001&lines=2")
        let lines = response.body.split(separator: 10)
        #expect(lines.map(\.count) == [100_001, 100_001])
        #expect(lines[0] == lines[1])
    }

    @Test func `header values with escapes and bytes that are no UTF-8`() async throws {
        let response = try await DemoServer().call("GET", "/viewer/headers")
        #expect(response["x-escape"] == "\u{1B}[31mred\u{1B}[0m \u{1B}]0;title\u{7}")
        #expect(response["x-invalid"] == "caf\u{FFFD}\u{FFFD}")
        #expect(response["x-long"]?.count == 8000)
    }
}
