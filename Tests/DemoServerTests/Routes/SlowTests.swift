import DemoServer
import Testing

@Suite struct SlowTests {
    @Test func `a delay echoes the request when it is over`() async throws {
        let start = ContinuousClock.now
        let response = try await withServer { try await $0.call("POST", "/delay/30ms", body: "x") }
        #expect(response.text.contains("\"bytes\": 1"))
        #expect(ContinuousClock.now - start >= .milliseconds(30))
    }

    @Test func `a drip with a length`() async throws {
        let response = try await withServer { try await $0.call("GET", "/drip?bytes=20&duration=20ms&status=206") }
        #expect(response.status == 206)
        #expect(response["content-length"] == "20")
        #expect(response.text == String(repeating: "*", count: 20))
    }

    @Test func `a drip without a length has a chunk for each drop`() async throws {
        let response = try await withServer { try await $0.call("GET", "/drip?bytes=7&duration=3ms&length=false") }
        #expect(response["content-length"] == nil)
        #expect(response.chunks == [2, 2, 3])
    }

    @Test func `chunks of a size`() async throws {
        let response = try await withServer { try await $0.call("GET", "/chunks?count=3&size=20&every=1ms&head=1ms") }
        #expect(response.chunks == [20, 20, 20])
        #expect(response.text.hasPrefix("chunk 1 of 3 ......\nchunk 2 of 3 "))
    }

    @Test func `events go on behind the last one seen`() async throws {
        let response = try await withServer { server in
            try await server.call("GET", "/events?count=2&every=1ms", fields: ["Last-Event-ID: 41"])
        }
        #expect(response["content-type"] == "text/event-stream")
        #expect(
            response.text
                == "retry: 2000\n\nid: 42\nevent: tick\ndata: {\"tick\": 42}\n\nid: 43\nevent: tick\ndata: {\"tick\": 43}\n\n")
    }

    @Test func `a stalled body is half there, and then nothing comes`() async throws {
        let received = try await withServer { server in
            try await RawClient.exchange(
                "GET /stall?bytes=1000 HTTP/1.1\r\nHost: a\r\n\r\n", port: server.port, silence: 1,
                after: String(repeating: ".", count: 500))
        }
        #expect(received.ending == .silent)
        #expect(received.text.contains("Content-Length: 1000\r\n"))
        #expect(received.text.hasSuffix("\r\n\r\n" + String(repeating: ".", count: 500)))
    }

    @Test func `a hanging request hears nothing`() async throws {
        let received = try await withServer { server in
            try await RawClient.exchange("GET /hang HTTP/1.1\r\nHost: a\r\n\r\n", port: server.port, silence: 1)
        }
        #expect(received == RawClient.Received(bytes: [], ending: .silent))
    }

    @Test func `a client that leaves ends a slow answer at once`() async throws {
        try await withServer { server in
            let received = try await RawClient.exchange(
                "GET /delay/1h HTTP/1.1\r\nHost: a\r\n\r\n", port: server.port, halfCloses: true)
            #expect(received == RawClient.Received(bytes: [], ending: .closed))
        }
    }

    @Test func `a next request in the socket doesn't end a delay early`() async throws {
        try await withServer { server in
            let start = ContinuousClock.now
            let received = try await RawClient.exchange(
                "GET /delay/40ms HTTP/1.1\r\nHost: a\r\n\r\nGET /status/204 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
                port: server.port)
            #expect(try RawResponse(parsing: RawResponse(parsing: received.bytes).rest).status == 204)
            #expect(ContinuousClock.now - start >= .milliseconds(40))
        }
    }

    @Test(arguments: ["/delay/x", "/delay/2h", "/drip?bytes=x", "/chunks?count=0", "/drip?length=maybe"])
    func `a time that is none is refused`(target: String) async throws {
        #expect(try await withServer { try await $0.call("GET", target) }.status == 400)
    }
}
