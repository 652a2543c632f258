import CurlTransport
import Foundation
import HTTPTypes
import MockTransport
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

@testable import WebSockets

extension WebSocket {
    /// All that comes until the end, as lines, and what it ended with.
    func story() async -> (lines: [String], error: NetworkError?) {
        var lines: [String] = []
        do {
            for try await entry in transcript {
                let arrow = entry.direction == .sent ? "↑" : "↓"
                switch entry.content {
                case .message(.text(let text)): lines.append("\(arrow) \(text)")
                case .message(.binary(let data)): lines.append("\(arrow) \(data.count) bytes")
                case .ping: lines.append("\(arrow) ping")
                case .pong: lines.append("\(arrow) pong")
                case .close(let code, let reason): lines.append("\(arrow) close \(code)\(reason.isEmpty ? "" : " \(reason)")")
                }
            }
        } catch {}
        return (lines, await ended())
    }
}

/// Over a mock: the shell around the machine.
@Suite struct MockedSessionTests {
    private let transport = MockTransport()

    private func connect(
        _ response: MockResponse, _ options: WebSocket.Options = .init(), configuration: RequestConfiguration = .init()
    ) -> WebSocket {
        let url = URL(string: "http://a.test/")!
        transport.register(response, at: url)
        let client = NetworkClient(transport: transport)
        return WebSocket.connect(
            Request(url: URL(string: "ws://a.test/")!), configuration: configuration, options: options, on: client.defaultQueue)
    }

    @Test func `cancelling the task that waits for the end cancels the session`() async throws {
        let socket = connect(.webSocket([.receive]))
        try await socket.opened()
        let waiting = Task { await socket.ended() }
        waiting.cancel()
        #expect(await waiting.value?.code == .cancelled)
        #expect(socket.operation?.state == .cancelled)
    }

    @Test func `messages go to and fro`() async throws {
        let socket = connect(.webSocket([.receive, .send(.text("hi")), .send(.binary(Data([1, 2]))), .ping, .echo]))
        try await socket.send(.text("hello"))
        var seen: [String] = []
        for try await entry in socket.transcript {
            seen.append("\(entry.direction) \(entry.number) \(entry.bytes)")
            if case .pong = entry.content, entry.direction == .sent { socket.close() }
        }
        #expect(
            seen == ["sent 1 5", "received 2 2", "received 3 2", "received 4 0", "sent 5 0", "sent 6 2", "received 7 2"])
        #expect(await socket.ended() == nil)
        #expect(socket.closeReport == SessionClose(code: 1000, initiator: .us, isClean: true))
        #expect(socket.operation?.state == .succeeded)
        let attempt = try #require(socket.operation?.metrics.attempts.last)
        #expect(attempt.session?.counts.received.messages == 2)
        #expect(attempt.session?.close == socket.closeReport)
        #expect(attempt.bytes.requestBody == socket.counts.sent.wireBytes)
        #expect(attempt.phases.receive != nil)
    }

    @Test func `the events tell the session`() async throws {
        let socket = connect(
            .webSocket([.send(.text("a")), .close(code: 4001, reason: "enough")], subprotocol: "v2"),
            {
                var options = WebSocket.Options()
                options.subprotocols = ["v1", "v2"]
                return options
            }())
        #expect(try await socket.opened() == SessionInfo(subprotocol: "v2"))
        let (lines, error) = await socket.story()
        #expect(lines == ["↓ a", "↓ close 4001 enough", "↑ close 4001"])
        #expect(error?.code == .sessionClosed)
        #expect(socket.operation?.state == .failed)
        #expect(await socket.operation?.response.error == error)
        let kinds = socket.operation?.events(from: 0).map(\.kind) ?? []
        #expect(kinds.contains(.sessionOpened(SessionInfo(subprotocol: "v2"))))
        let close = SessionClose(code: 4001, reason: "enough", initiator: .peer, isClean: true)
        #expect(kinds.contains(.sessionClosed(close, socket.counts)))
    }

    @Test func `an answer that isn't 101 is an answer, and no session`() async throws {
        let socket = connect(.text("no sockets here", status: .forbidden))
        await #expect(throws: NetworkError.self) { try await socket.send(.text("x")) }
        let error = await socket.ended()
        #expect(error?.code == .unsuccessfulStatus)
        #expect(
            error?.message == "ws://a.test/ opened no session: it answered 403 Forbidden instead of 101 (RFC 6455, section 4.1).")
        #expect(socket.operation?.state == .succeeded)
        #expect(socket.refusal?.head.status == .forbidden)
        #expect(socket.refusal.map { String(decoding: $0.body, as: UTF8.self) } == "no sockets here")
        #expect(socket.closeReport == nil)
    }

    @Test func `200 without a body opens no session either`() async {
        let socket = connect(.status(.ok))
        #expect(await socket.story().error?.details[.status] == "200")
        #expect(socket.refusal?.body == Data())
    }

    @Test func `a lost connection is a failure, and nothing is tried again`() async {
        var configuration = RequestConfiguration()
        configuration.retry = [RetryRules()]
        let socket = connect(.webSocket([.send(.text("a")), .end]), configuration: configuration)
        let (lines, error) = await socket.story()
        #expect(lines == ["↓ a"])
        #expect(error?.code == .connectionLost)
        #expect(socket.closeReport?.code == 1006)
        #expect(socket.operation?.metrics.attempts.count == 1)
    }

    @Test func `a violation ends the session from our side`() async {
        let socket = connect(.webSocket([.bytes(Data([0x83, 0])), .wait(.seconds(3600)), .end]))
        let (lines, error) = await socket.story()
        #expect(lines == ["↑ close 1002"])
        #expect(error?.message == "ws://a.test/ sent a frame with the reserved opcode 3 (RFC 6455, section 5.2).")
        #expect(socket.operation?.state == .failed)
    }

    @Test(arguments: [true, false])
    func `a cancel ends it at once`(isOpen: Bool) async throws {
        let socket = connect(.webSocket([]))
        if isOpen { try await socket.opened() }
        socket.operation?.cancel("enough")
        #expect(await socket.ended()?.code == .cancelled)
        #expect(socket.operation?.state == .cancelled)
        await #expect(throws: NetworkError.self) { try await socket.send(.text("x")) }
    }

    @Test func `the transcript has one reader`() async throws {
        let socket = connect(.webSocket([.close(code: 1000)]))
        _ = await socket.story()
        await #expect(throws: NetworkError.self) { for try await _ in socket.messages {} }
    }

    @Test func `who waits for a message is let go by a cancel`() async throws {
        let socket = connect(.webSocket([]))
        try await socket.opened()
        let reading = Task { for try await _ in socket.messages {} }
        reading.cancel()
        try await reading.value
        #expect(socket.operation?.state.isFinal == false)
        socket.close()
        #expect(await socket.ended() == nil)
    }

    @Test func `secrets that a peer repeats in its reason are masked in events`() async {
        let socket = connect(.webSocket([.close(code: 4001, reason: "no token s3cret-token-1 here")]))
        _ = await socket.story()
        let redactor = Redactor(["s3cret-token-1"])
        for event in socket.operation?.events(from: 0) ?? [] { #expect(!"\(redactor.event(event))".contains("s3cret")) }
    }
}

/// Over real connections to servers that say what a test wrote.
@Suite(.timeLimit(.minutes(2))) struct ScriptedSessionTests {
    private let client = NetworkClient(transport: CurlTransport())

    private func connect(
        _ server: ScriptedServer, headers: HTTPFields = [:], _ change: (inout RequestConfiguration) -> Void = { _ in }
    ) -> WebSocket {
        var configuration = RequestConfiguration()
        change(&configuration)
        var headers = headers
        headers[WebSocketHandshake.key] = Self.key
        return WebSocket.connect(
            Request(url: URL(string: "ws://127.0.0.1:\(server.port)/")!, headers: headers), configuration: configuration,
            on: client.defaultQueue)
    }

    static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    static let head =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"

    private static func bytes(_ frames: WebSocketFrame...) -> Data { Data(frames.flatMap { $0.encoded(mask: nil) }) }

    @Test func `101 and the first frames in one segment, then the end`() async throws {
        let frames = Self.bytes(WebSocketFrame(.text, Array("first".utf8)), WebSocketFrame(close: 1000))
        let server = try ScriptedServer([[.readHead, .sendBytes(Data(Self.head.utf8) + frames), .read(8), .close]])
        let socket = connect(server)
        let (lines, error) = await socket.story()
        #expect(lines == ["↓ first", "↓ close 1000", "↑ close 1000"])
        #expect(error == nil)
        let sent = String(decoding: server.received(by: 0), as: UTF8.self)
        #expect(sent.hasPrefix("GET / HTTP/1.1\r\n"))
        #expect(sent.contains("\r\nUpgrade: websocket\r\n") && sent.contains("\r\nConnection: Upgrade\r\n"))
        #expect(!sent.lowercased().contains("transfer-encoding") && !sent.lowercased().contains("expect:"))
    }

    @Test(arguments: [false, true])
    func `the end of the connection without a close, while nothing is sent`(isReset: Bool) async throws {
        let server = try ScriptedServer([
            [.readHead, .send(Self.head), .sendBytes(Self.bytes(WebSocketFrame(.text, [65]))), .await, isReset ? .reset : .close]
        ])
        let socket = connect(server)
        try await socket.opened()
        server.proceed()
        let (lines, error) = await socket.story()
        #expect(lines == ["↓ A"])
        #expect(error?.code == .connectionLost)
        #expect(error?.message.contains("without a close frame (RFC 6455, section 7.1.5)") == true)
    }

    @Test func `digest is answered before the session opens`() async throws {
        let challenge =
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"a\", nonce=\"n\", qop=\"auth\"\r\nContent-Length: 0\r\n\r\n"
        let close = Self.bytes(WebSocketFrame(close: 1000))
        let rest: [ScriptedServer.Step] = [.readHead, .send(Self.head), .sendBytes(close), .read(8), .close]
        let server = try ScriptedServer([[.readHead, .send(challenge)] + rest, rest])
        let socket = connect(server) {
            $0.transport.authentication = .digest(Credential(user: "ada", password: "lovelace"))
        }
        #expect(await socket.story().error == nil)
        #expect(socket.operation?.metrics.attempts.map { $0.head?.status.code } == [401, 101])
        let received = String(decoding: server.received(by: 0) + server.received(by: 1), as: UTF8.self)
        #expect(received.contains("\r\nAuthorization: Digest "))
    }

    @Test func `a redirect to another origin's ws URL is followed without credentials`() async throws {
        let target = try ScriptedServer([
            [.readHead, .send(Self.head), .sendBytes(Self.bytes(WebSocketFrame(close: 1000))), .read(8), .close]
        ])
        let first = try ScriptedServer([
            [
                .readHead,
                .send("HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:\(target.port)/there\r\nContent-Length: 0\r\n\r\n"),
                .readToEnd,
            ]
        ])
        let socket = connect(first, headers: [.authorization: "Bearer s3cret"])
        #expect(await socket.story().error == nil)
        let sent = String(decoding: target.received(by: 0), as: UTF8.self)
        #expect(sent.hasPrefix("GET /there HTTP/1.1\r\n") && sent.contains("Sec-WebSocket-Key"))
        #expect(!sent.contains("s3cret"))
        #expect(String(decoding: first.received(by: 0), as: UTF8.self).contains("s3cret"))
    }

    @Test(arguments: [true, false])
    func `a cancelled session's connection is closed`(isClosing: Bool) async throws {
        let server = try ScriptedServer([[.readHead, .send(Self.head), .readToEnd]])
        let socket = connect(server)
        try await socket.opened()
        if isClosing { socket.close() }
        socket.operation?.cancel("enough")
        #expect(await server.waitFor(.clientClosed(0)))
        #expect(await socket.ended()?.code == .cancelled)
    }

    @Test func `a proxy is asked for a tunnel`() async throws {
        let server = try ScriptedServer([
            [.readHead, .send(Self.head), .sendBytes(Self.bytes(WebSocketFrame(close: 1000))), .read(8), .close]
        ])
        let proxy = try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\n\r\n"), .relay(to: server.port)]])
        let socket = connect(server) { $0.transport.proxy = "http://127.0.0.1:\(proxy.port)" }
        #expect(await socket.story().error == nil)
        #expect(String(decoding: proxy.received(by: 0), as: UTF8.self).hasPrefix("CONNECT 127.0.0.1:\(server.port) HTTP/1.1\r\n"))
    }
}

/// Against Python's `websockets`.
@Suite(
    .enabled(if: WebSocketsServer.python != nil, "no python3-websockets: make deps"), .timeLimit(.minutes(3)))
struct PeerTests {
    private let client = NetworkClient(transport: CurlTransport())

    private func connect(
        _ server: WebSocketsServer, _ path: String, scheme: String = "ws", _ options: WebSocket.Options = .init(),
        authorities: String? = nil
    ) -> WebSocket {
        var configuration = RequestConfiguration()
        configuration.transport.tls.authorities = authorities
        return WebSocket.connect(
            .get("\(scheme)://127.0.0.1:\(server.port)/\(path)"), configuration: configuration, options: options,
            on: client.defaultQueue)
    }

    private static let messages: [WebSocket.Message] = [
        .text(""), .text("hello"), .text("hello"), .text("grüße 😀"), .binary(Data([0, 255])), .binary(Data()),
        .text(String(repeating: "ä", count: 40_000)), .binary(Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })),
    ]

    @Test(arguments: [true, false], [false, true])
    func `what is sent comes back, compressed or not, over TLS or not`(compresses: Bool, isSecure: Bool) async throws {
        let certificates = try TestCertificates.shared()
        let server = try WebSocketsServer(certificate: isSecure ? certificates.good : nil)
        var options = WebSocket.Options()
        options.compression = compresses
        let socket = connect(server, "echo", scheme: isSecure ? "wss" : "ws", options, authorities: certificates.authority)
        let info = try await socket.opened()
        #expect(info.extensions.contains { $0.hasPrefix("permessage-deflate") } == compresses)
        let sending = Task { for message in Self.messages { try await socket.send(message) } }
        var received: [WebSocket.Message] = []
        for try await message in socket.messages {
            received.append(message)
            if received.count == Self.messages.count { socket.close() }
        }
        try await sending.value
        #expect(received == Self.messages)
        #expect(await socket.ended() == nil)
        #expect(socket.closeReport?.isNormal == true)
        if compresses { #expect(socket.counts.received.wireBytes < socket.counts.received.bytes) }
    }

    @Test(arguments: [false, true])
    func `a peer that is gone without a close is noticed`(isSecure: Bool) async throws {
        let certificates = try TestCertificates.shared()
        let server = try WebSocketsServer(certificate: isSecure ? certificates.good : nil)
        let socket = connect(server, "abort", scheme: isSecure ? "wss" : "ws", authorities: certificates.authority)
        let (lines, error) = await socket.story()
        #expect(lines == ["↓ last words"])
        #expect(error?.code == .connectionLost)
    }

    @Test func `the peer chooses a subprotocol, and answers pings`() async throws {
        let server = try WebSocketsServer()
        var options = WebSocket.Options()
        options.subprotocols = ["v1", "v2"]
        let socket = connect(server, "echo", options)
        #expect(["v1", "v2"].contains(try await socket.opened().subprotocol))
        socket.ping()
        for try await entry in socket.transcript {
            if case .pong = entry.content { socket.close() }
        }
        #expect(socket.counts.pongs == 1)
        #expect(socket.counts.latency != nil)
    }

    @Test func `100,000 messages while nobody reads: memory stays, and none is lost`() async throws {
        let server = try WebSocketsServer()
        let socket = connect(server, "flood/100000")
        try await socket.opened()
        // The peer is held up: what is kept here, and in the sockets between, is all that it may send.
        for await event in try #require(socket.operation).events {
            if case .sessionProgress(let counts) = event.kind, counts.received.messages >= 1_000 { break }
        }
        #expect(socket.counts.received.messages < 2_000)
        #expect(socket.counts.received.wireBytes < 1 << 20)
        var number = 0
        for try await message in socket.messages {
            if message != .text("message \(number)") { Issue.record("\(message) in place of \(number)") }
            number += 1
        }
        #expect(number == 100_000)
        #expect(await socket.ended() == nil)
    }
}
