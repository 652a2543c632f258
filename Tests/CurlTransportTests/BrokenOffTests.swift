import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

/// libcurl 7.88 ends the connection when a server breaks the rules of HTTP/2, and takes what has come of the answers for all of them.
@Suite(.timeLimit(.minutes(1))) struct `Answers that a breach of HTTP version 2 cuts off` {
    /// DATA on the stream of the connection; padding that is longer than its frame.
    private static let breaches: [HTTP2Frame] = [
        HTTP2Frame(.data, stream: 0, payload: [0x78]), HTTP2Frame(.data, flags: 0x8, stream: 1, payload: [0x7f, 0x78]),
    ]

    private let certificates: TestCertificates

    init() throws {
        certificates = try TestCertificates.shared()
    }

    private func request(_ url: String, _ configure: (inout TransportOptions) -> Void) throws -> TransferRequest {
        var request = TransferRequest(request: Request(url: try #require(URL(string: url))))
        configure(&request.options)
        return request
    }

    /// Starts two over one connection.
    private func startTwo(_ transport: CurlTransport, _ server: TLSRecordServer) async throws -> [TransferRecorder] {
        let recorders = [TransferRecorder(), TransferRecorder()]
        for recorder in recorders {
            let request = try request("https://127.0.0.1:\(server.port)/") { $0.tls.authorities = certificates.authority }
            _ = transport.start(request, receive: recorder.record)
            await recorder.first { if case .requestSent = $0 { true } else { false } }
        }
        return recorders
    }

    @Test(arguments: breaches, [true, false]) func `none is told as whole`(breach: HTTP2Frame, reuses: Bool) async throws {
        let frames: [HTTP2Frame] = [.settings, .head(stream: 1), .data("half", stream: 1), breach]
        let server = try ScriptedServer([[.readHead, .sendBytes(frames.bytes), .await, .close]])
        let request = try request("http://127.0.0.1:\(server.port)/") {
            $0.httpVersion = .http2PriorKnowledge
            $0.reusesConnections = reuses
        }
        let transport = CurlTransport()
        let recorder = TransferRecorder()
        _ = transport.start(request, receive: recorder.record)
        await recorder.first { if case .body = $0 { true } else { false } }
        // libcurl says so when it next has something to read.
        server.proceed()
        let recording = await recorder.finished()
        #expect(recording.error?.type == "http.protocol.error")
        #expect(recording.status == 200)
        #expect(recording.text == "half")
    }

    @Test(arguments: breaches) func `nor is any of those that share the connection`(breach: HTTP2Frame) async throws {
        let server = try TLSRecordServer(certificates, ["-alpn", "h2"])
        let transport = CurlTransport()
        let recorders = try await startTwo(transport, server)
        let frames: [HTTP2Frame] = [
            .settings, .head(stream: 1), .head(stream: 3), .data("half", stream: 1), .data("half", stream: 3), breach,
        ]
        try server.send(frames.bytes)
        for recorder in recorders { await recorder.first { if case .body = $0 { true } else { false } } }
        server.stop()
        for recorder in recorders {
            let recording = await recorder.finished()
            #expect(recording.error?.type == "http.protocol.error")
            #expect(recording.violations == [])
        }
    }

    @Test func `one that ends as it should is whole while others go on`() async throws {
        let server = try TLSRecordServer(certificates, ["-alpn", "h2"])
        let transport = CurlTransport()
        let recorders = try await startTwo(transport, server)
        let frames: [HTTP2Frame] = [.settings, .head(stream: 3), .data("whole", stream: 3, isLast: true)]
        try server.send(frames.bytes)
        let second = await recorders[1].finished()
        #expect(second.error == nil)
        #expect(second.text == "whole")
        try server.send([.head(stream: 1), .data("whole", stream: 1, isLast: true)].bytes)
        let first = await recorders[0].finished()
        #expect(first.error == nil)
        #expect(first.text == "whole")
    }

    @Test(arguments: [true, false]) func `one that ends as it should is whole, whoever keeps the connection`(
        reuses: Bool
    ) async throws {
        let frames: [HTTP2Frame] = [.settings, .head(stream: 1), .data("whole", stream: 1, isLast: true)]
        let server = try ScriptedServer([[.readHead, .sendBytes(frames.bytes), .readToEnd]])
        let transport = CurlTransport()
        let request = try request("http://127.0.0.1:\(server.port)/") {
            $0.httpVersion = .http2PriorKnowledge
            $0.reusesConnections = reuses
        }
        let recording = await transport.perform(request)
        #expect(recording.error == nil)
        #expect(recording.text == "whole")
        if !reuses { #expect(await server.waitFor(.clientClosed(0))) }
    }
}

/// RFC 9113, section 4.1.
struct HTTP2Frame: Sendable {
    enum Kind: UInt8 { case data, headers, priority, reset, settings }

    var bytes: [UInt8]

    init(_ kind: Kind, flags: UInt8 = 0, stream: UInt8, payload: [UInt8] = []) {
        bytes = [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xff), kind.rawValue, flags, 0, 0, 0, stream] + payload
    }

    static let settings = HTTP2Frame(.settings, stream: 0)

    /// `:status: 200`, the eighth entry of the static table (RFC 7541, appendix A).
    static func head(stream: UInt8) -> HTTP2Frame { HTTP2Frame(.headers, flags: 0x4, stream: stream, payload: [0x88]) }

    static func data(_ text: String, stream: UInt8, isLast: Bool = false) -> HTTP2Frame {
        HTTP2Frame(.data, flags: isLast ? 0x1 : 0, stream: stream, payload: Array(text.utf8))
    }
}

extension [HTTP2Frame] {
    var bytes: Data { Data(flatMap(\.bytes)) }
}
