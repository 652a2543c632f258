import DemoServer
import Testing

@Suite struct ServingTests {
    @Test func `two requests in one packet are answered on one connection in order`() async throws {
        try await withServer { server in
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
    }

    @Test func `an HTTP 1.0 client gets a body that ends with the connection`() async throws {
        try await withServer { server in
            let received = try await RawClient.exchange("GET /chunks?count=2&every=0&size=4 HTTP/1.0\r\n\r\n", port: server.port)
            let response = try RawResponse(parsing: received.bytes)
            #expect(response["transfer-encoding"] == nil)
            #expect(response["connection"] == "close")
            #expect(response.text == "chu\nchu\n")
        }
    }

    @Test func `an HTTP 1.0 client that asks to keep the connection is told that it stays`() async throws {
        try await withServer { server in
            let request = "GET /status/200 HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
            let received = try await RawClient.exchange(request + request, port: server.port, halfCloses: true)
            let first = try RawResponse(parsing: received.bytes)
            #expect(first["connection"] == "keep-alive")
            #expect(try RawResponse(parsing: first.rest).status == 200)
        }
    }

    @Test func `HEAD has the head of GET and no body`() async throws {
        try await withServer { server in
            let received = try await RawClient.exchange(
                "HEAD /json?size=5000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", port: server.port)
            let response = try RawResponse(parsing: received.bytes, isHead: true)
            #expect(response.status == 200)
            #expect(response["content-length"] == "5000")
            #expect(response.rest.isEmpty)
        }
    }

    @Test func `a body is asked for with 100 when the client waits for that`() async throws {
        try await withServer { server in
            let received = try await RawClient.exchange(
                "PUT /upload HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabc",
                port: server.port)
            let first = try RawResponse(parsing: received.bytes)
            #expect(first.status == 100 && first.fields.isEmpty)
            #expect(try RawResponse(parsing: first.rest).status == 200)
        }
    }

    @Test func `a body that nobody wants is not asked for, and the connection ends`() async throws {
        try await withServer { server in
            let received = try await RawClient.exchange(
                "PUT /upload/refuse HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n", port: server.port,
                halfCloses: true)
            let response = try RawResponse(parsing: received.bytes)
            #expect(response.status == 413)
            #expect(response["connection"] == "close")
        }
    }

    @Test func `a chunked body is read to its end and the next request behind it`() async throws {
        try await withServer { server in
            let received = try await RawClient.exchange(
                """
                POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\
                3\r\nabc\r\nA;name=value\r\n0123456789\r\n0\r\nTrailer-Field: 1\r\n\r\n\
                GET /status/204 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n
                """, port: server.port)
            let first = try RawResponse(parsing: received.bytes)
            #expect(first.text.contains("\"bytes\": 13"))
            #expect(first.text.contains("\"chunks\": 2"))
            #expect(try RawResponse(parsing: first.rest).status == 204)
        }
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
        try await withServer { server in
            let received = try await RawClient.exchange(request, port: server.port, halfCloses: true)
            #expect(try RawResponse(parsing: received.bytes).status == status)
            #expect(received.ending == .closed)
        }
    }

    @Test func `a head without end is refused`() async throws {
        try await withServer { server in
            let received = try await RawClient.exchange(
                "GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 1_200_000), port: server.port)
            #expect(try RawResponse(parsing: received.bytes).status == 431)
        }
    }

    @Test func `OPTIONS names the methods of a path`() async throws {
        try await withServer { server in
            let response = try await server.call("OPTIONS", "/upload")
            #expect(response.status == 204)
            #expect(response["allow"] == "POST, PUT, PATCH, OPTIONS")
        }
    }

    @Test func `a client that takes the server for a proxy is answered by the path of its URL`() async throws {
        try await withServer { server in
            let response = try await server.call("GET", "http://example.com/anything?a=1")
            #expect(response.text.contains("\"url\": \"http://example.com/anything?a=1\""))
        }
    }
}
