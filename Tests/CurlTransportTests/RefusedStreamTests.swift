import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

/// RFC 9113, section 8.7: what a server says it didn't process may be sent again, whatever its method.
struct `Streams that an HTTP version 2 server refuses` {
    private typealias Step = ScriptedServer.Step

    private static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8, _ payload: [UInt8] = []) -> Data {
        Data([0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload)
    }

    private static let settings = frame(4, stream: 0)
    /// HEADERS with `:status: 200`, and DATA that ends the stream.
    private static let answer = frame(1, flags: 4, stream: 1, [0x88]) + frame(0, flags: 1, stream: 1, Array("ok".utf8))
    /// At least the preface and the beginning of the first request, which has no body: up to libcurl 8.4 the end of an answer that comes
    /// before a body has gone may be lost.
    private static let request = Step.read(80)
    private static let answering: [Step] = [.sendBytes(settings), request, .sendBytes(answer), .readToEnd]

    private static func goAway(after stream: UInt8) -> Data { frame(7, stream: 0, [0, 0, 0, stream, 0, 0, 0, 0]) }
    private static func reset(_ code: UInt8) -> Data { frame(3, stream: 1, [0, 0, 0, code]) }

    private func post(to server: ScriptedServer) async throws -> Recording {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        var request = TransferRequest(request: Request(url: url, method: .post, body: .data(Data())))
        request.options.httpVersion = .http2PriorKnowledge
        return await CurlTransport().perform(request)
    }

    @Test func `a POST that came after the last stream is sent again`() async throws {
        let server = try ScriptedServer([
            [.sendBytes(Self.settings), Self.request, .sendBytes(Self.goAway(after: 0)), .readToEnd], Self.answering,
        ])
        let recording = try await post(to: server)
        #expect(recording.error == nil)
        #expect(recording.text == "ok")
        #expect(recording.story.count { $0 == "resent" } == 1)
    }

    @Test func `a POST whose stream is refused is sent again`() async throws {
        let server = try ScriptedServer([
            [.sendBytes(Self.settings), Self.request, .sendBytes(Self.reset(7)), .readToEnd], Self.answering,
        ])
        let recording = try await post(to: server)
        #expect(recording.error == nil)
        #expect(recording.text == "ok")
        #expect(recording.story.count { $0 == "resent" } == 1)
    }

    /// HTTP_1_1_REQUIRED: such as for a certificate that HTTP version 2 has no way to ask for.
    @Test func `a POST that the server wants over HTTP version 1.1 is sent over that`() async throws {
        let server = try ScriptedServer([
            [.sendBytes(Self.settings), Self.request, .sendBytes(Self.reset(13)), .readToEnd],
            [.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .readToEnd],
        ])
        let recording = try await post(to: server)
        #expect(recording.error == nil)
        #expect(recording.text == "ok")
        #expect(recording.story.count { $0 == "resent" } == 1)
        #expect(String(decoding: server.received(by: 1), as: UTF8.self).hasPrefix("POST / HTTP/1.1\r\n"))
    }

    @Test func `a POST that the server may have acted on isn't`() async throws {
        for bytes in [Self.reset(2), Self.goAway(after: 1), Data()] {
            let server = try ScriptedServer([
                [.sendBytes(Self.settings), Self.request, .sendBytes(bytes), .close], Self.answering,
            ])
            let recording = try await post(to: server)
            #expect(recording.error != nil)
            #expect(!recording.story.contains("resent"))
            #expect(!server.events.contains(.accepted(1)))
        }
    }

    @Test func `a server that refuses everything is given up`() async throws {
        let refusing: [Step] = [.sendBytes(Self.settings), Self.request, .sendBytes(Self.goAway(after: 0)), .readToEnd]
        let server = try ScriptedServer(Array(repeating: refusing, count: 50))
        let recording = try await post(to: server)
        #expect(recording.error?.code == .connectionLost)
    }
}
