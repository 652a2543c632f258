import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

@testable import CurlTransport

struct `HTTP version 2` {
    private let transport = CurlTransport()

    @Test func `TLS negotiates it (ALPN)`() async throws {
        let nginx = try NginxServer.shared()
        let recording = try await transport.get("https://127.0.0.1:\(nginx.good)/small") {
            $0.options.tls.authorities = nginx.certificates.authority
        }
        #expect(recording.error == nil)
        #expect(recording.head?.version == "HTTP/2")
        #expect(recording.connection?.httpVersion == "HTTP/2")
        #expect(recording.tls?.applicationProtocol == "h2")
        #expect(recording.body.count == 1024)
        #expect(recording.sentHead.hasPrefix("GET /small HTTP/2\r\n"))
    }

    @Test func `the longest head has room in libcurl's buffer where it must`() throws {
        var request = TransferRequest(request: Request(url: try #require(URL(string: "https://h.example/"))))
        let (old, new) = (CurlBehaviour(version: 0x07_58_01), CurlBehaviour(version: 0x08_05_00))
        #expect(CurlEasyHandle.receiveBufferSize(for: request, old) > ResponseLimits().headerBytes)
        #expect(CurlEasyHandle.receiveBufferSize(for: request, new) == 60 << 10)
        request.request.url = try #require(URL(string: "http://h.example/"))
        #expect(CurlEasyHandle.receiveBufferSize(for: request, old) == 60 << 10)
        request.options.httpVersion = .http2PriorKnowledge
        #expect(CurlEasyHandle.receiveBufferSize(for: request, old) > ResponseLimits().headerBytes)
    }

    @Test func `who asks for version 1 gets it`() async throws {
        let nginx = try NginxServer.shared()
        let recording = try await transport.get("https://127.0.0.1:\(nginx.good)/small") {
            $0.options.tls.authorities = nginx.certificates.authority
            $0.options.httpVersion = .http1
        }
        #expect(recording.head?.version == "HTTP/1.1")
        #expect(recording.connection?.httpVersion == "HTTP/1.1")
    }

    @Test func `prior knowledge needs no TLS`() async throws {
        let server = try NghttpdServer()
        // Twice: libcurl 7.88 can't use such a connection again.
        for _ in 1...2 {
            let recording = try await transport.get("http://127.0.0.1:\(server.port)/hello.txt") {
                $0.options.httpVersion = .http2PriorKnowledge
            }
            #expect(recording.error == nil)
            #expect(recording.text == NghttpdServer.text)
            #expect(recording.head?.version == "HTTP/2")
            #expect(recording.connection?.httpVersion == "HTTP/2")
        }
    }

    @Test func `nghttpd over TLS`() async throws {
        let certificates = try TestCertificates.shared()
        let server = try NghttpdServer(certificate: certificates.good)
        let recording = try await transport.get("https://localhost:\(server.port)/hello.txt") {
            $0.options.tls.authorities = certificates.authority
        }
        #expect(recording.error == nil)
        #expect(recording.text == NghttpdServer.text)
        #expect(recording.tls?.applicationProtocol == "h2")
        #expect(recording.tls?.chain.map(\.subject) == ["O=Turnstone, CN=localhost", "O=Turnstone, CN=Turnstone Test Authority"])
    }

    @Test func `a body goes up over HTTP version 2`() async throws {
        let nginx = try NginxServer.shared()
        let url = try #require(URL(string: "https://127.0.0.1:\(nginx.good)/upload"))
        for body in [RequestBody.data(Data("short".utf8)), .data(Data(repeating: 1, count: 300_000))] {
            var request = TransferRequest(request: Request(url: url, method: .post, body: body))
            request.options.tls.authorities = nginx.certificates.authority
            let recording = await transport.perform(request)
            #expect(recording.error == nil)
            #expect(recording.status == 200)
            #expect(recording.story.contains("requestSent"))
            #expect(recording.result?.bytes.requestBody == body.length)
        }
    }

    @Test func `cancelling one stream leaves the connection to the others`() async throws {
        let nginx = try NginxServer.shared()
        let url = try #require(URL(string: "https://127.0.0.1:\(nginx.good)/slow"))
        var request = TransferRequest(request: Request(url: url))
        request.options.tls.authorities = nginx.certificates.authority
        let recorder = TransferRecorder()
        let transfer = transport.start(request, receive: recorder.record)
        await recorder.first { if case .body = $0 { true } else { false } }
        transfer.cancel()
        #expect(await recorder.finished().error?.code == .cancelled)
        request.request.url = try #require(URL(string: "https://127.0.0.1:\(nginx.good)/small"))
        let next = await transport.perform(request)
        #expect(next.body.count == 1024)
        #expect(next.connection?.id == 1)
        #expect(next.connection?.isReused == true)
    }
}

/// What `nghttpd` says of the frames that it got.
struct `The weight of an HTTP version 2 stream` {
    private let transport = CurlTransport()

    @Test func `PRI-1 each priority has a weight between 1 and 256, the normal one that of streams without any`() {
        #expect((-4...4).map { Priority(rawValue: $0).streamWeight } == [1, 1, 2, 5, 16, 49, 147, 256, 256])
    }

    @Test(arguments: [Priority.veryHigh, .veryLow, Priority(rawValue: 9)])
    func `PRI-1 the request's head has the weight of its priority`(priority: Priority) async throws {
        let server = try NghttpdServer()
        let recording = await transport.perform(try request("/hello.txt", of: server, priority))
        #expect(recording.error == nil)
        try await server.frames(contain: "weight=\(priority.streamWeight)")
    }

    @Test func `PRI-1 a priority that changes on the way becomes a new weight`() async throws {
        let server = try NghttpdServer()
        let recorder = TransferRecorder()
        let transfer = transport.start(try request("/large", of: server, .normal), receive: recorder.record)
        await recorder.first { if case .body = $0 { true } else { false } }
        transfer.pauseReceiving()
        transfer.setPriority(.veryHigh)
        transfer.resumeReceiving()
        let recording = await recorder.finished()
        #expect(recording.error == nil)
        #expect(recording.body.count == 8 << 20)
        try await server.frames(contain: "recv PRIORITY frame", "weight=147")
        // A handle that is used again doesn't keep it.
        let frames = server.frames.count
        #expect(await transport.perform(try request("/hello.txt", of: server, .normal)).error == nil)
        #expect(!server.frames.dropFirst(frames).contains("weight=147"))
    }

    private func request(_ path: String, of server: NghttpdServer, _ priority: Priority) throws -> TransferRequest {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
        var request = TransferRequest(request: Request(url: url), priority: priority)
        request.options.httpVersion = .http2PriorKnowledge
        return request
    }
}

extension NghttpdServer {
    /// Waits until the log has these words, in this order.
    fileprivate func frames(contain words: String...) async throws {
        let limit = ContinuousClock.now + .seconds(30)
        while true {
            var rest = Substring(frames)
            let isThere = words.allSatisfy { word in
                guard let range = rest.range(of: word) else { return false }
                rest = rest[range.upperBound...]
                return true
            }
            if isThere { return }
            try #require(ContinuousClock.now < limit, "nghttpd got no \(words):\n\(frames)")
            await Task.yield()
        }
    }
}

/// libcurl takes a connection of version 1.1 for one that several requests can share, if the server speaks version 2 as well.
struct `Requests of HTTP versions 1.1 and 2 to one server` {
    private func get(_ path: String, from server: EndingConnectionsServer, over transport: CurlTransport) async throws -> Recording
    {
        try await transport.get(server.url + path) { $0.options.tls.authorities = server.certificates.authority }
    }

    @Test func `none goes over a connection of version 1.1 that another one is on`() async throws {
        let server = try EndingConnectionsServer(requestsPerConnection: 1000)
        let transport = CurlTransport()
        var request = TransferRequest(request: Request(url: try #require(URL(string: server.url + "/held"))))
        request.options.httpVersion = .http1
        request.options.tls.authorities = server.certificates.authority
        let recorder = TransferRecorder()
        let held = transport.start(request, receive: recorder.record)
        held.pauseReceiving()
        // The answer is there, and the connection stays with it as long as nobody takes the body.
        await recorder.first { if case .head = $0 { true } else { false } }

        for path in ["/first", "/second", "/third"] {
            let recording = try await get(path, from: server, over: transport)
            #expect(recording.error == nil)
            #expect(recording.text == "GET \(path)")
            #expect(recording.head?.version == "HTTP/2")
        }
        #expect(recorder.recording.body.isEmpty)
        held.resumeReceiving()
        let recording = await recorder.finished()
        #expect(recording.error == nil)
        #expect(recording.text == "GET /held")
        #expect(recording.violations == [])
        #expect(try server.counts().count == 4)
    }
}

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
        let body = RequestBody.data(Data(repeating: 0x78, count: 300_000))
        var request = TransferRequest(request: Request(url: server.url, method: .post, body: body))
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
        let transport = CurlTransport(longestSilence: .milliseconds(500))
        let recording = try await post(ending: Data(), over: transport)
        #expect(recording.text == "ok")
        #expect(recording.error?.code == .connectionLost)
        #expect(recording.error?.message.contains("Send the request by HTTP/1.1") == true)
    }
}

/// Of an HTTP/2 connection libcurl 7.88 reads what there is for all of its streams into one buffer, and goes no further once the buffer of
/// one of them is full.
struct `Streams that nobody reads for a while` {
    private let transport = CurlTransport()
    private let nginx: NginxServer

    init() throws {
        nginx = try NginxServer.shared()
    }

    private func request(_ path: String) throws -> TransferRequest {
        var request = TransferRequest(request: Request(url: try #require(URL(string: "https://127.0.0.1:\(nginx.good)\(path)"))))
        request.options.tls.authorities = nginx.certificates.authority
        return request
    }

    /// A large answer that is paused with its first bytes.
    private func paused() async throws -> (transfer: any Transfer, recorder: TransferRecorder) {
        let recorder = TransferRecorder()
        let transfer = transport.start(try request("/large"), receive: recorder.record)
        transfer.pauseReceiving()
        await recorder.first { if case .head = $0 { true } else { false } }
        return (transfer, recorder)
    }

    @Test(.timeLimit(.minutes(1))) func `cancelling one of them loses nothing of the others`() async throws {
        for _ in 1...20 {
            let (transfer, recorder) = try await paused()
            let others = [TransferRecorder(), TransferRecorder(), TransferRecorder()]
            for other in others { _ = transport.start(try request("/small"), receive: other.record) }
            for other in others { await other.first { if case .requestSent = $0 { true } else { false } } }
            transfer.cancel()
            #expect(await recorder.finished().error?.code == .cancelled)
            for other in others {
                let recording = await other.finished()
                #expect(recording.error == nil)
                #expect(recording.body.count == 1024)
            }
            #expect(await transport.perform(try request("/small")).body.count == 1024)
        }
    }
}
