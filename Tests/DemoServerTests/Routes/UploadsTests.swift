import Testing

@testable import DemoServer

@Suite struct UploadsTests {
    @Test func `an upload is counted and hashed`() async throws {
        let body = Noise.bytes(0..<300_000, seed: 5)
        let response = try await withServer { try await $0.call("PUT", "/upload", body: body) }
        #expect(response.text.contains("\"bytes\": 300000,\n  \"announced\": 300000,"))
        #expect(response.text.contains("\"sha256\": \"\(Hexadecimal.text(MessageDigest.hash(body, by: .sha256)))\""))
    }

    @Test func `a throttled upload takes its time`() async throws {
        let start = ContinuousClock.now
        let response = try await withServer { server in
            try await server.call("POST", "/upload?rate=1MB&hash=none", body: [UInt8](repeating: 0, count: 50_000))
        }
        #expect(response.text.contains("\"sha256\": null"))
        #expect(ContinuousClock.now - start >= .milliseconds(45))
    }

    @Test func `an upload that is refused gets its answer although nobody reads it`() async throws {
        let response = try await withServer {
            try await $0.call("POST", "/upload/refuse", body: Noise.bytes(0..<2_000_000, seed: 1))
        }
        #expect(response.status == 413)
    }

    @Test func `an upload that is aborted ends in a reset`() async throws {
        let received = try await withServer { server in
            try await RawClient.exchange(
                Array("PUT /upload/abort?after=1000 HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n".utf8)
                    + [UInt8](repeating: 0, count: 2000), port: server.port)
        }
        #expect(received == RawClient.Received(bytes: [], ending: .reset))
    }
}
