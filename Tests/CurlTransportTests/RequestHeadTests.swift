import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

struct `What goes over the wire` {
    private let transport = CurlTransport(userAgent: "tests/1")

    /// The request's head as the server got it, and as the events tell it: they must be the same.
    private func sent(
        method: HTTPRequest.Method = .get, headers: HTTPFields = [:], body: RequestBody = .none,
        _ configure: (inout TransportOptions) -> Void = { _ in }
    ) async throws -> [String] {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 204 Fine\r\n\r\n"), .readToEnd]])
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/a/../b%20c?d=e#fragment"))
        var request = TransferRequest(request: Request(url: url, method: method, headers: headers, body: body))
        configure(&request.options)
        let recording = await transport.perform(request)
        #expect(recording.error == nil)
        let wire = String(decoding: server.received(by: 0), as: UTF8.self)
        #expect(recording.sentHead == wire)
        return wire.replacing(":\(server.port)", with: ":PORT").split(separator: "\r\n").map(String.init)
    }

    @Test func `a GET has few fields of our own`() async throws {
        #expect(
            try await sent() == [
                "GET /a/../b%20c?d=e HTTP/1.1", "Host: 127.0.0.1:PORT", "User-Agent: tests/1", "Accept: */*",
                "Accept-Encoding: deflate, gzip, br, zstd",
            ])
    }

    @Test func `the request's fields take the place of ours, in their order`() async throws {
        let headers: HTTPFields = [
            .userAgent: "mine", .accept: "text/html", .init("X-Empty")!: "", .init("Host")!: "elsewhere.example",
            .init("X-Twice")!: "1", .init("x-twice")!: "2",
        ]
        #expect(
            try await sent(headers: headers) { $0.acceptsCompression = false } == [
                "GET /a/../b%20c?d=e HTTP/1.1", "Host: elsewhere.example", "User-Agent: mine", "Accept: text/html", "X-Empty:",
                "X-Twice: 1", "x-twice: 2",
            ])
    }

    @Test func `without a name of its own the transport sends no User-Agent`() async throws {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 204 Fine\r\n\r\n"), .readToEnd]])
        let recording = try await CurlTransport().get("http://127.0.0.1:\(server.port)/")
        #expect(recording.error == nil)
        #expect(!recording.sentHead.contains("User-Agent"))
    }

    @Test func `a custom method is sent as it is`() async throws {
        #expect(try await sent(method: .init("PURGE")!).first == "PURGE /a/../b%20c?d=e HTTP/1.1")
    }

    @Test func `a method about content says that it has none (RFC 9110, section 8.6)`() async throws {
        for method in [HTTPRequest.Method.post, .put, .patch] {
            let lines = try await sent(method: method)
            #expect(lines.first == "\(method.rawValue) /a/../b%20c?d=e HTTP/1.1")
            #expect(lines.contains("Content-Length: 0"))
            #expect(!lines.contains { $0.hasPrefix("Content-Type") })
        }
        #expect(try await !sent(method: .delete).contains { $0.hasPrefix("Content-Length") })
    }

    @Test func `HEAD waits for no body`() async throws {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"), .readToEnd]])
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let recording = await transport.perform(TransferRequest(request: Request(url: url, method: .head)))
        #expect(recording.error == nil)
        #expect(recording.status == 200)
        #expect(recording.head?.headers[.contentLength] == "1000")
        #expect(recording.body == Data())
    }

    @Test func `handles that are used again keep nothing of the request before`() async throws {
        #expect(try await sent(method: .post, headers: [.init("X-Mine")!: "1"], body: .data(Data("abc".utf8))).count > 5)
        #expect(try await sent(method: .head).first?.hasPrefix("HEAD ") == true)
        #expect(try await sent(method: .init("PURGE")!).first?.hasPrefix("PURGE ") == true)
        #expect(
            try await sent() == [
                "GET /a/../b%20c?d=e HTTP/1.1", "Host: 127.0.0.1:PORT", "User-Agent: tests/1", "Accept: */*",
                "Accept-Encoding: deflate, gzip, br, zstd",
            ])
    }
}
