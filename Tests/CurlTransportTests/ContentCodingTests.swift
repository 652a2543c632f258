import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

@testable import CurlTransport

/// "hello" in one stored block (RFC 1951, section 3.2.4), with the CRC and the length behind it.
private let hello: [UInt8] =
    [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 5, 0, 0xfa, 0xff] + Array("hello".utf8) + [0x86, 0xa6, 0x10, 0x36, 5, 0, 0, 0]

/// The same in one uncompressed meta-block (RFC 7932, section 9.2), written by hand; in a frame of one raw block (RFC 8878, section 3.1.1): magic,
/// descriptor, size, block header, content; in one stored block alone; in that of zlib, with its checksum.
private let others: [(String, [UInt8])] = {
    let text = Array("hello".utf8)
    let br: [UInt8] = [0x0b, 0x02, 0x80] + text + [0x03]
    let zstd: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 5, 0x29, 0, 0] + text
    let block = Array(hello[10..<20])
    let zlib: [UInt8] = [0x78, 0x01] + block + [0x06, 0x2c, 0x02, 0x15]
    return [("br", br), ("zstd", zstd), ("deflate", block), ("deflate", zlib)].filter {
        CurlTransport.contentCodings.contains($0.0)
    }
}()

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

    enum Framing: CaseIterable {
        case length, chunks, close
    }

    private func answer(_ body: ArraySlice<UInt8>, _ framing: Framing) throws -> ScriptedServer {
        var bytes = Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n".utf8)
        switch framing {
        case .length: bytes += Data("Content-Length: \(body.count)\r\n\r\n".utf8) + body
        case .close: bytes += Data("Connection: close\r\n\r\n".utf8) + body
        case .chunks:
            bytes += Data("Transfer-Encoding: chunked\r\n\r\n".utf8)
            // Pieces of one byte, the last of all the rest, so that none of them has the end alone.
            let half = body.count / 2
            for piece in body.prefix(half).map({ [$0] }) + [Array(body.dropFirst(half))] where !piece.isEmpty {
                bytes += Data("\(String(piece.count, radix: 16));a=b\r\n".utf8) + piece + Data("\r\n".utf8)
            }
            bytes += Data("0\r\nTrailer: x\r\n\r\n".utf8)
        }
        return try ScriptedServer([[.readHead, .sendBytes(bytes)] + (framing == .close ? [] : [.readToEnd])])
    }

    @Test(arguments: Framing.allCases)
    func `gzip that ends early is no whole body, however its end is told`(framing: Framing) async throws {
        let whole = try answer(hello[...], framing)
        let good = try await transport.get("http://127.0.0.1:\(whole.port)/")
        #expect(good.error == nil)
        #expect(good.text == "hello")
        for missing in [1, 4, 8, 10] {
            let server = try answer(hello.dropLast(missing), framing)
            let recording = try await transport.get(server.url)
            #expect(recording.error?.code == .contentDecodingFailed, "\(missing)")
            #expect(recording.error?.message.contains("ends in the middle of its compressed data") == true)
        }
        let none = try answer([], framing)
        #expect(try await transport.get("http://127.0.0.1:\(none.port)/").error == nil)
    }

    @Test(arguments: others)
    func `br, zstd and deflate are decoded, and may not be cut either`(coding: String, body: [UInt8]) async throws {
        let whole = try answer(coding, body)
        let good = try await transport.get("http://127.0.0.1:\(whole.port)/")
        #expect(good.error == nil)
        #expect(good.text == "hello")
        for missing in [1, 3, body.count - 1] {
            let server = try answer(coding, body.dropLast(missing))
            let error = try await transport.get(server.url).error
            #expect(error?.message.contains("ends in the middle of its compressed data") == true, "\(missing)")
        }
    }

    @Test func `codings come off one after another, the last one first`() async throws {
        let start: [UInt8] = [0x8b, 0x0d, 0x80]
        let server = try answer("gzip, br", start + hello + [0x03])
        let recording = try await transport.get(server.url)
        #expect(recording.error == nil)
        #expect(recording.text == "hello")
    }

    @Test(.enabled(if: CurlLibrary.current.features.contains(.zstd)))
    func `three kilobytes of zstd that are 100 MB are the body that they are`() async throws {
        let count = 100_000_000
        // A frame with a window of 2 MB, of blocks of one byte that is repeated (RFC 8878, sections 3.1.1.1 and 3.1.1.2).
        var frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0, 0x58]
        for start in stride(from: 0, to: count, by: 128 << 10) {
            let length = min(128 << 10, count - start)
            let header = length << 3 | 1 << 1 | (start + length == count ? 1 : 0)
            frame += [UInt8(header & 0xff), UInt8(header >> 8 & 0xff), UInt8(header >> 16), UInt8(ascii: "x")]
        }
        let server = try answer("zstd", frame)
        let recording = try await transport.get(server.url)
        #expect(recording.error == nil)
        #expect(frame.count < 3_100)
        #expect(recording.result?.bytes.decodedResponseBody == Int64(count))
    }

    @Test(arguments: ["rot13", "rot13, gzip", "gzip, x-unknown"])
    func `ENC-2 a coding that isn't known leaves the body as it is, for this transfer`(coding: String) async throws {
        let server = try answer(coding, Array("uryyb".utf8))
        let recording = try await transport.get(server.url)
        #expect(recording.error == nil)
        #expect(recording.text == "uryyb")
        #expect(recording.result?.bytes.decodedResponseBody == 5)
        let nginx = try NginxServer.shared()
        let next = try await transport.get("\(nginx.url)/text.txt")
        #expect(next.result?.bytes.decodedResponseBody == Int64(NginxServer.textSize))
    }

    @Test func `ENC-2 the codings of the transport are those of zlib, and what its libcurl brings`() {
        let features = CurlLibrary.current.features
        let brought = (features.contains(.brotli) ? ["br"] : []) + (features.contains(.zstd) ? ["zstd"] : [])
        #expect(transport.contentCodings == ["deflate", "gzip"] + brought)
    }

    /// RFC 1952, section 2.2.
    @Test(arguments: Framing.allCases)
    func `gzip of several members is all of them`(framing: Framing) async throws {
        let server = try answer((hello + hello)[...], framing)
        let recording = try await transport.get(server.url)
        #expect(recording.error == nil)
        #expect(recording.text == "hellohello")
        let cut = try answer((hello + hello.dropLast())[...], framing)
        #expect(try await transport.get("http://127.0.0.1:\(cut.port)/").error?.type == "http.response.body.truncated")
    }

    @Test func `what follows compressed data and is none says so`() async throws {
        let server = try answer("gzip", hello + Array("more".utf8))
        let recording = try await transport.get(server.url)
        #expect(recording.error?.code == .contentDecodingFailed)
        #expect(recording.error?.message.contains("can't be decoded: incorrect header check.") == true)
    }

    @Test func `what can't be decoded says so`() async throws {
        let server = try answer("gzip", Array("this is not gzip".utf8))
        let recording = try await transport.get(server.url)
        #expect(recording.error?.code == .contentDecodingFailed)
        #expect(recording.error?.phase == .body)
    }

    @Test func `a small body can't become a large one beyond the limit`() async throws {
        let nginx = try NginxServer.shared()
        let recording = try await transport.get("\(nginx.url)/text.txt") { $0.limits.bodyBytes = 100_000 }
        #expect(recording.error?.code == .limitExceeded)
        let host = nginx.url.dropFirst("http://".count)
        #expect(
            recording.error?.message
                == "The body from \(host) is longer than 100000 bytes, decoded; raise the limit if it may be that long.")
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
                == "The body from \(nginx.url.dropFirst("http://".count)) is longer than 100000 bytes, decoded, and 2 times as long as it came; "
                + "raise the limit if it may be that long.")
        let short = try await transport.get("\(nginx.url)/text.txt") { $0.limits.decodedRatio = DecodedRatio(2, beyond: 1 << 30) }
        #expect(short.error == nil)
    }
}
