import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

struct `Compressed bodies` {
    private let transport = CurlTransport()

    private func answer(_ coding: String, _ body: [UInt8]) throws -> ScriptedServer {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(body.count)\r\n\r\n"
        return try ScriptedServer([[.readHead, .sendBytes(Data(head.utf8) + Data(body)), .readToEnd]])
    }

    @Test func `gzip is decoded, and both sizes are told`() async throws {
        let nginx = try NginxServer.shared()
        let recording = try await transport.get("\(nginx.url)/text.txt")
        #expect(recording.error == nil)
        #expect(recording.head?.headers[.contentEncoding] == "gzip")
        #expect(recording.body == Data(repeating: UInt8(ascii: "a"), count: NginxServer.textSize))
        let bytes = try #require(recording.result?.bytes)
        #expect(bytes.decodedResponseBody == Int64(NginxServer.textSize))
        #expect(bytes.responseBody > 100 && bytes.responseBody < 10_000)
    }

    @Test func `without compression the bytes come as they are`() async throws {
        let nginx = try NginxServer.shared()
        let recording = try await transport.get("\(nginx.url)/text.txt") { $0.options.acceptsCompression = false }
        #expect(recording.head?.headers[.contentEncoding] == nil)
        #expect(recording.result?.bytes.responseBody == Int64(NginxServer.textSize))
    }

    @Test func `br is decoded`() async throws {
        // A stream of one uncompressed meta-block (RFC 7932, section 9.2), written by hand.
        let server = try answer("br", [0x0b, 0x02, 0x80] + Array("hello".utf8) + [0x03])
        let recording = try await transport.get("http://127.0.0.1:\(server.port)/")
        #expect(recording.error == nil)
        #expect(recording.text == "hello")
    }

    @Test func `zstd is decoded`() async throws {
        // A frame of one raw block (RFC 8878, section 3.1.1): magic, descriptor, size, block header, content.
        let server = try answer("zstd", [0x28, 0xb5, 0x2f, 0xfd, 0x20, 5, 0x29, 0, 0] + Array("hello".utf8))
        let recording = try await transport.get("http://127.0.0.1:\(server.port)/")
        #expect(recording.error == nil)
        #expect(recording.text == "hello")
    }

    @Test(arguments: ["rot13", "rot13, gzip", "gzip, x-unknown"])
    func `ENC-2 a coding that libcurl doesn't know leaves the body as it is, for this transfer`(coding: String) async throws {
        let server = try answer(coding, Array("uryyb".utf8))
        let recording = try await transport.get("http://127.0.0.1:\(server.port)/")
        #expect(recording.error == nil)
        #expect(recording.text == "uryyb")
        #expect(recording.result?.bytes.decodedResponseBody == 5)
        let nginx = try NginxServer.shared()
        let next = try await transport.get("\(nginx.url)/text.txt")
        #expect(next.result?.bytes.decodedResponseBody == Int64(NginxServer.textSize))
    }

    @Test func `ENC-2 the codings of the transport are those of its libcurl`() {
        #expect(transport.contentCodings == ["deflate", "gzip", "br", "zstd"])
    }

    @Test func `what can't be decoded says so`() async throws {
        let server = try answer("gzip", Array("this is not gzip".utf8))
        let recording = try await transport.get("http://127.0.0.1:\(server.port)/")
        #expect(recording.error?.code == .contentDecodingFailed)
        #expect(recording.error?.phase == .body)
    }

    @Test func `a small body can't become a large one beyond the limit`() async throws {
        let nginx = try NginxServer.shared()
        let recording = try await transport.get("\(nginx.url)/text.txt") { $0.limits.bodyBytes = 100_000 }
        #expect(recording.error?.code == .limitExceeded)
        #expect(recording.error?.message == "The body is longer than 100000 bytes, decoded. Raise the limit if that is expected.")
        #expect(recording.body.count <= 100_000)
    }

    @Test func `a body can't be many times as long as it came, unless it is short`() async throws {
        let nginx = try NginxServer.shared()
        let recording = try await transport.get("\(nginx.url)/text.txt") {
            $0.limits.decodedRatio = DecodedRatio(2, beyond: 100_000)
        }
        #expect(recording.error?.code == .limitExceeded)
        #expect(
            recording.error?.message
                == "The body is longer than 100000 bytes, decoded, and that is 2 times as long as it came. Raise the limit if that is expected."
        )
        let short = try await transport.get("\(nginx.url)/text.txt") { $0.limits.decodedRatio = DecodedRatio(2, beyond: 1 << 30) }
        #expect(short.error == nil)
    }
}
