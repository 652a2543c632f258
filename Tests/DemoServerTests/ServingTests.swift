import FoundationEssentials
import Testing

@testable import DemoServer

@Suite struct ServingTests {
    @Test func `two requests in one packet are answered on one connection in order`() async throws {
        let server = try await DemoServer()
        let received = try await RawClient.exchange(
            "GET /status/201 HTTP/1.1\r\nHost: a\r\n\r\nGET /status/202 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            port: server.port)
        let first = try RawResponse(parsing: received.bytes)
        let second = try RawResponse(parsing: first.rest)
        #expect([first.status, second.status] == [201, 202])
        #expect(first["connection"] == nil)
        #expect(second["connection"] == "close")
        #expect(second.rest.isEmpty && received.ending == .closed)
    }

    @Test func `an HTTP 1.0 client gets a body that ends with the connection`() async throws {
        let received = try await DemoServer().exchange("GET /chunks?count=2&every=0&size=4 HTTP/1.0\r\n\r\n")
        let response = try RawResponse(parsing: received.bytes)
        #expect(response["transfer-encoding"] == nil)
        #expect(response["connection"] == "close")
        #expect(response.text == "chu\nchu\n")
    }

    @Test func `an HTTP 1.0 client that asks to keep the connection is told that it stays`() async throws {
        let request = "GET /status/200 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
        let received = try await DemoServer().exchange(request + request, halfCloses: true)
        let first = try RawResponse(parsing: received.bytes)
        #expect(first["connection"] == "keep-alive")
        #expect(try RawResponse(parsing: first.rest).status == 200)
    }

    @Test func `HEAD has the head of GET and no body`() async throws {
        let received = try await DemoServer().exchange("HEAD /json?size=5000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let response = try RawResponse(parsing: received.bytes, isHead: true)
        #expect(response.status == 200)
        #expect(response["content-length"] == "5000")
        #expect(response.rest.isEmpty)
    }

    @Test func `a body is asked for with 100 when the client waits for that`() async throws {
        let server = try await DemoServer()
        let received = try await RawClient.exchange(
            "PUT /upload HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
            port: server.port)
        let first = try RawResponse(parsing: received.bytes)
        #expect(first.status == 100 && first.fields.isEmpty)
        #expect(try RawResponse(parsing: first.rest).status == 200)
    }

    @Test func `a body that nobody wants is not asked for, and the connection ends`() async throws {
        let received = try await DemoServer().exchange(
            "PUT /upload/refuse HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n",
            halfCloses: true)
        let response = try RawResponse(parsing: received.bytes)
        #expect(response.status == 413)
        #expect(response["connection"] == "close")
    }

    @Test func `a chunked body is read to its end and the next request behind it`() async throws {
        let received = try await DemoServer().exchange(
            """
            POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\
            3\r\nabc\r\nA;name=value\r\n0123456789\r\n0\r\nTrailer-Field: 1\r\n\r\n\
            GET /status/204 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n
            """)
        let first = try RawResponse(parsing: received.bytes)
        #expect(first.text.contains("\"bytes\": 13"))
        #expect(first.text.contains("\"chunks\": 2"))
        #expect(try RawResponse(parsing: first.rest).status == 204)
    }

    @Test(arguments: [
        ("GET /\r\n\r\n", 400), ("GET / HTTP/2.0\r\n\r\n", 400), ("GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400), ("POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
        ("POST /upload HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("POST /upload HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n", 400),
        ("GET /nothing HTTP/1.1\r\n\r\n", 404), ("POST /json HTTP/1.1\r\n\r\n", 405),
    ])
    func `what is no request for us is refused with a status`(request: String, status: Int) async throws {
        let received = try await DemoServer().exchange(request, halfCloses: true)
        #expect(try RawResponse(parsing: received.bytes).status == status)
        #expect(received.ending == .closed)
    }

    @Test func `a head without end is refused`() async throws {
        let received = try await DemoServer().exchange("GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 1_200_000))
        #expect(try RawResponse(parsing: received.bytes).status == 431)
    }

    @Test func `OPTIONS names the methods of a path`() async throws {
        let response = try await DemoServer().call("OPTIONS", "/upload")
        #expect(response.status == 204)
        #expect(response["allow"] == "POST, PUT, PATCH, OPTIONS")
    }

    @Test func `a client that takes the server for a proxy is answered by the path of its URL`() async throws {
        let server = try await DemoServer()
        let response = try await server.call("GET", "http://example.com/anything?a=1")
        #expect(response.text.contains("\"url\": \"http://example.com/anything?a=1\""))
    }
}

@Suite struct RequestHeadTests {
    @Test func `order, repetitions and capitals stay`() throws {
        let head = try RequestHead(
            parsing: Array("GET /a?b HTTP/1.1\r\nHost: x\r\nX-One:1\r\nx-one: \t2 \r\nEmpty:\r\n\r\n".utf8)[...])
        let expected = RequestHead(
            method: "GET", target: "/a?b", version: "1.1",
            fields: [Field("Host", "x"), Field("X-One", "1"), Field("x-one", "2"), Field("Empty", "")])
        #expect(head == expected)
        #expect(head.values(of: "X-ONE") == ["1", "2"])
    }

    @Test(arguments: [
        ("1.1", "", true), ("1.1", "close", false), ("1.1", "Keep-Alive, Close", false), ("1.0", "", false),
        ("1.0", "Keep-Alive", true),
    ])
    func `a connection stays open as the version and the client say`(version: String, connection: String, keepsAlive: Bool) {
        let head = RequestHead(method: "GET", target: "/", version: version, fields: [Field("Connection", connection)])
        #expect(head.keepsAlive == keepsAlive)
    }

    @Test(arguments: [
        ("bytes=0-4", 0..<5), ("bytes=5-", 5..<10), ("bytes=-3", 7..<10), ("bytes=8-99", 8..<10), ("bytes=-99", 0..<10),
    ])
    func `one range of bytes`(text: String, range: Range<Int>) {
        #expect(ByteRange.parse(text, of: 10) == range)
    }

    @Test(arguments: ["bytes=10-", "bytes=4-2", "bytes=0-1,3-4", "bytes=-0", "bytes=-", "lines=1-2"])
    func `no range of these bytes`(text: String) {
        #expect(ByteRange.parse(text, of: 10) == nil)
    }

    @Test(arguments: [("1000", 1000), ("10MB", 10_000_000), ("64KiB", 65_536), ("1.5 kB", 1500), ("0", 0), ("2gib", 2 << 30)])
    func `sizes with units`(text: String, count: Int) {
        #expect(Units.byteCount(text) == count)
    }

    @Test(arguments: [
        ("500ms", Duration.milliseconds(500)), ("2s", .seconds(2)), ("1.5", .milliseconds(1500)), ("1m", .seconds(60)),
        ("0", .zero),
    ])
    func `times with units`(text: String, duration: Duration) {
        #expect(Units.duration(text) == duration)
    }

    @Test(arguments: ["", "s", "-1s", "1 parsec", "1e99", "NaN", "0x10"])
    func `no size and no time`(text: String) {
        #expect(Units.byteCount(text) == nil)
        #expect(Units.duration(text) == nil)
    }
}

@Suite struct DemoServerTests {
    @Test func `the kernel chooses two ports, and both answer`() async throws {
        let server = try await DemoServer()
        #expect(server.port != server.secondPort)
        #expect(server.baseURL == "http://127.0.0.1:\(server.port)")
        for port in [server.port, server.secondPort] {
            let received = try await RawClient.exchange("GET /anything HTTP/1.1\r\nConnection: close\r\n\r\n", port: port)
            #expect(try RawResponse(parsing: received.bytes).text.contains("\"port\": \(port)"))
        }
    }

    @Test func `a port that is taken is named in the error`() async throws {
        let server = try await DemoServer()
        await #expect(
            throws: DemoServerError(
                description:
                    "Can't listen on port \(server.port): another program has it; choose another with --port, or 0 for one that is free."
            )
        ) { try await DemoServer(port: server.port) }
    }

    @Test(.timeLimit(.minutes(1)))
    func `stop closes connections that wait, and frees the port`() async throws {
        let server = try await DemoServer()
        let (sent, sending) = AsyncStream.makeStream(of: Void.self)
        let hasSent: @Sendable () -> Void = { sending.yield() }
        async let hanging = RawClient.exchange("GET /hang HTTP/1.1\r\n\r\n", port: server.port, hasSent: hasSent)
        async let streaming = RawClient.exchange(
            "GET /events?count=0&every=10ms HTTP/1.1\r\n\r\n", port: server.port, hasSent: hasSent)
        for await _ in sent.prefix(2) {}
        _ = try await server.call("GET", "/status/200")
        await server.stop()
        #expect(try await hanging.bytes.isEmpty)
        #expect(try await streaming.ending != .silent)
        let again = try await DemoServer(port: server.port)
        #expect(try await again.call("GET", "/status/200").status == 200)
        await again.stop()
    }
}
