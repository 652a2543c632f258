import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

@testable import CurlTransport

/// RFC 9113, section 8.1: a server may answer, and end the stream, before it has read the request to its end.
struct `HTTP version 2 answers that don't say how long they are, before the body has gone` {
    private typealias Step = ScriptedServer.Step

    private static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt8, _ payload: [UInt8] = []) -> Data {
        Data([0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload)
    }

    private static let settings = frame(4, stream: 0)
    /// HEADERS with `:status: 200`, and DATA that ends the stream.
    private static let answer = frame(1, flags: 4, stream: 1, [0x88]) + frame(0, flags: 1, stream: 1, Array("ok".utf8))
    /// RST_STREAM with NO_ERROR: the rest of the body isn't wanted.
    private static let enough = frame(3, stream: 1, [0, 0, 0, 0])

    /// - Parameter end: what the server sends once its answer has been told.
    private func post(ending end: Data, over transport: CurlTransport) async throws -> Recording {
        // 60,000 bytes are less than what the window lets through.
        let server = try ScriptedServer([
            [.sendBytes(Self.settings), .read(60_000), .sendBytes(Self.answer), .await, .sendBytes(end), .readToEnd]
        ])
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let body = RequestBody.data(Data(repeating: 0x78, count: 300_000))
        var request = TransferRequest(request: Request(url: url, method: .post, body: body))
        request.options.httpVersion = .http2PriorKnowledge
        let recorder = TransferRecorder()
        _ = transport.start(request, receive: recorder.record)
        await recorder.first { if case .body = $0 { true } else { false } }
        server.proceed()
        let recording = await recorder.finished()
        #expect(recording.violations == [])
        return recording
    }

    @Test(.timeLimit(.minutes(1))) func `one whose end the server confirms is whole`() async throws {
        let recording = try await post(ending: Self.enough, over: CurlTransport())
        #expect(recording.error == nil)
        #expect(recording.text == "ok")
    }

    /// Where libcurl doesn't tell the end of the stream.
    @Test(.timeLimit(.minutes(1)), .enabled(if: CurlBehaviour.present.endangersEarlyAnswers))
    func `one whose end nobody confirms isn't waited for without end`() async throws {
        let transport = CurlTransport(descriptors: Descriptors(), longestSilence: .milliseconds(500))
        let recording = try await post(ending: Data(), over: transport)
        #expect(recording.text == "ok")
        #expect(recording.error?.code == .connectionLost)
        #expect(recording.error?.message.contains("Send the request by HTTP/1.1") == true)
    }
}
