import DemoServer
import Testing

@Suite struct DemoServerTests {
    @Test func `the kernel chooses two ports, and both answer`() async throws {
        try await withServer { server in
            #expect(server.port != server.secondPort)
            #expect(server.baseURL == "http://127.0.0.1:\(server.port)")
            for port in [server.port, server.secondPort] {
                let received = try await RawClient.exchange("GET /anything HTTP/1.1\r\nConnection: close\r\n\r\n", port: port)
                #expect(try RawResponse(parsing: received.bytes).text.contains("\"port\": \(port)"))
            }
        }
    }

    @Test func `a port that is taken is named in the error`() async throws {
        try await withServer { server in
            await #expect(
                throws: DemoServerError(
                    description:
                        "Can't listen on port \(server.port): another program has it; choose another with --port, or 0 for one that is free."
                )
            ) { try await DemoServer(port: server.port) }
        }
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
