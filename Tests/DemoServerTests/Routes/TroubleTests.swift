import Foundation
import Testing

@testable import DemoServer

@Suite struct TroubleTests {
    private func trouble(_ target: String, silence: Int = 20, after end: String = "") async throws -> RawClient.Received {
        try await withServer { server in
            try await RawClient.exchange(
                "GET /trouble/\(target) HTTP/1.1\r\nHost: a\r\n\r\n", port: server.port, silence: silence, after: end)
        }
    }

    @Test func `503 with Retry-After for the first calls of a key, then 200 once`() async throws {
        try await withServer { server in
            var statuses: [Int] = []
            for _ in 0..<6 { statuses.append(try await server.call("GET", "/unavailable?key=a&times=2").status) }
            #expect(statuses == [503, 503, 200, 503, 503, 200])
            let other = try await server.call("GET", "/unavailable?key=b&retry-after=7")
            #expect(other["retry-after"] == "7")
            let date = try #require(try await server.call("GET", "/unavailable?key=c&date=true")["retry-after"])
            #expect(date.hasSuffix(" GMT"))
        }
    }

    @Test func `closed before the first byte`() async throws {
        #expect(try await trouble("close") == RawClient.Received(bytes: [], ending: .closed))
    }

    @Test func `reset before the first byte`() async throws {
        #expect(try await trouble("reset") == RawClient.Received(bytes: [], ending: .reset))
    }

    @Test func `reset in the middle of the body`() async throws {
        let received = try await trouble("reset-mid-body")
        #expect(received.ending == .reset)
        #expect(received.text.hasSuffix("Content-Length: 1000\r\n\r\n" + String(repeating: ".", count: 500)))
    }

    @Test func `closed in the middle of the body`() async throws {
        let received = try await trouble("truncated")
        #expect(received.ending == .closed)
        #expect(received.text.hasSuffix("Content-Length: 1000\r\n\r\n" + String(repeating: ".", count: 500)))
    }

    @Test(arguments: [
        ("truncated-chunks", "\r\n\r\nff\r\n" + String(repeating: ".", count: 100)),
        ("bad-chunk", "\r\n\r\n5\r\nhello\r\nxyzzy\r\n"),
        ("ssh", "SSH-2.0-OpenSSH_9.6\r\n"), ("half-head", "\r\nContent-Le"),
        ("lengths", "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!"),
        ("bad-header", "this is no field\r\nContent-Length: 5\r\n\r\nhello"),
        ("slow-head?duration=10ms", "Connection: close\r\n\r\nat last"),
    ])
    func `wrong bytes, to the last`(target: String, end: String) async throws {
        let received = try await trouble(target)
        #expect(received.ending == .closed)
        #expect(received.text.hasSuffix(end))
    }

    @Test func `garbage instead of a head`() async throws {
        #expect(try await trouble("garbage") == RawClient.Received(bytes: Noise.bytes(0..<512, seed: 42), ending: .closed))
    }

    @Test func `more than Content-Length says, with the connection open`() async throws {
        let received = try await trouble("extra", silence: 1, after: "some")
        #expect(received.ending == .silent)
        #expect(received.text.hasSuffix("Content-Length: 5\r\n\r\nhelloand then some"))
    }

    @Test func `a body that says it is gzip and isn't`() async throws {
        let response = try await withServer { try await $0.call("GET", "/trouble/bad-gzip") }
        #expect(response["content-encoding"] == "gzip")
        #expect(response.text == "this was never compressed")
    }

    @Test func `a connection that dies when it is reused`() async throws {
        let request = "GET /trouble/stale HTTP/1.1\r\nHost: a\r\n\r\n"
        let received = try await withServer { try await RawClient.exchange(request + request, port: $0.port) }
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
        let response = try await withServer { try await $0.call("GET", "/trouble/bomb?size=3MB") }
        #expect(response.body.count < 4_000)
        #expect(response.body.suffix(4) == [0xC0, 0xC6, 0x2D, 0x00])
    }

    @Test func `trouble for the first calls only`() async throws {
        try await withServer { server in
            let request = "GET /trouble/reset?times=1&key=k HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            #expect(try await RawClient.exchange(request, port: server.port).ending == .reset)
            let second = try RawResponse(parsing: try await RawClient.exchange(request, port: server.port).bytes)
            #expect(second.text.contains("All is well this time."))
        }
    }
}
