import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

/// ENG-7: libcurl sends a request again, by itself, when a kept connection dies without an answer.
struct `Silent re-sends` {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private let transport = CurlTransport()

    /// The first connection answers once, takes a second request, and dies.
    private func server(secondRequest: [ScriptedServer.Step]) throws -> ScriptedServer {
        try ScriptedServer([
            [.readHead, .send(Self.answer)] + secondRequest + [.close],
            [.readHead, .send(Self.answer), .readToEnd],
        ])
    }

    private func request(_ server: ScriptedServer, _ method: HTTPRequest.Method, _ body: RequestBody = .none) throws
        -> TransferRequest
    {
        TransferRequest(request: Request(url: server.url, method: method, body: body))
    }

    @Test func `ENG-7 a GET is sent again, and the events say so`() async throws {
        let server = try server(secondRequest: [.readHead])
        let get = try request(server, .get)
        #expect(await transport.perform(get).error == nil)
        let recording = await transport.perform(get)
        #expect(recording.error == nil)
        #expect(recording.text == "ok")
        #expect(
            recording.story == [
                "connectionAcquired", "requestHeadSent", "requestSent", "resent", "connectStarted", "connectEnded",
                "connectionAcquired", "requestHeadSent", "requestSent", "head", "body", "finished",
            ])
        #expect(server.received(by: 1).starts(with: Data("GET / HTTP/1.1\r\n".utf8)))
    }

    @Test func `ENG-7 a POST is not sent again`() async throws {
        let server = try server(secondRequest: [.readHead, .read(5)])
        #expect(await transport.perform(try request(server, .get)).error == nil)
        let recording = await transport.perform(try request(server, .post, .data(Data("hello".utf8))))
        #expect(recording.error?.code == .resendRefused)
        #expect(
            recording.error?.message
                == "127.0.0.1:\(server.port) closed the kept connection without an answer, and POST was not sent a second time: "
                + "the server may have acted on it. Check, then send it again.")
        #expect(!server.events.contains(.accepted(1)))
    }

    @Test func `ENG-7 a POST is sent again where the rule allows it`() async throws {
        let server = try server(secondRequest: [.readHead, .read(5)])
        #expect(await transport.perform(try request(server, .get)).error == nil)
        var post = try request(server, .post, .data(Data("hello".utf8)))
        post.resend = .always
        let recording = await transport.perform(post)
        #expect(recording.error == nil)
        #expect(recording.story.contains("resent"))
    }

    @Test func `ENG-7 a GET is not sent again under the rule never`() async throws {
        let server = try server(secondRequest: [.readHead])
        var get = try request(server, .get)
        #expect(await transport.perform(get).error == nil)
        get.resend = .never
        #expect(await transport.perform(get).error?.code == .resendRefused)
        #expect(!server.events.contains(.accepted(1)))
    }

    @Test func `ENG-7 a PUT with a long body begins its body again`() async throws {
        let body = Data((0..<200_000).map { UInt8($0 % 251) })
        let server = try ScriptedServer([
            [.readHead, .send(Self.answer), .readHead, .read(body.count), .close],
            [.readHead, .read(body.count), .send(Self.answer), .readToEnd],
        ])
        #expect(await transport.perform(try request(server, .get)).error == nil)
        let recording = await transport.perform(try request(server, .put, .data(body)))
        #expect(recording.error == nil)
        #expect(recording.story.contains("resent"))
        #expect(server.received(by: 1).suffix(body.count) == body)
    }

    @Test func `ENG-7 a long POST body is refused before it is sent twice`() async throws {
        let body = Data(repeating: 7, count: 200_000)
        let server = try ScriptedServer([[.readHead, .send(Self.answer), .readHead, .read(body.count), .close]])
        #expect(await transport.perform(try request(server, .get)).error == nil)
        #expect(await transport.perform(try request(server, .post, .data(body))).error?.code == .resendRefused)
        #expect(!server.events.contains(.accepted(1)))
    }
}

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
        var request = TransferRequest(request: Request(url: server.url, method: .post, body: .data(Data())))
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

/// A server that ends each connection after some requests, and answers a request before it has its body: none of it is an error.
struct `HTTP version 2 over connections that end` {
    /// Sends so many requests, so many at a time, and returns what went wrong.
    private func send(
        _ method: HTTPRequest.Method, _ body: RequestBody = .none, count: Int = 1000, width: Int,
        to server: EndingConnectionsServer, over transport: CurlTransport
    ) async throws -> [String] {
        @Sendable func one(_ number: Int) async throws -> String? {
            let path = "/\(UUID().uuidString)/\(number)"
            var request = TransferRequest(
                request: Request(url: try #require(URL(string: server.url + path)), method: method, body: body))
            request.options.tls.authorities = server.certificates.authority
            let recording = await transport.perform(request)
            if let error = recording.error { return error.message }
            return recording.text == "\(method.rawValue) \(path)" ? nil : "the answer to \(path) was \(recording.text)"
        }
        return try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<width { group.addTask { try await one(number) } }
            var (started, failures) = (width, [String]())
            while let failure = try await group.next() {
                if let failure { failures.append(failure) }
                guard started < count else { continue }
                group.addTask { [started] in try await one(started) }
                started += 1
            }
            return failures
        }
    }

    // A wake-up that gets lost stalls for as long as the server lets it, which is an hour.
    @Test(.timeLimit(.minutes(5)), arguments: [5])
    func `none of 2,000 requests is lost, and none is sent twice`(requestsPerConnection: Int) async throws {
        let server = try EndingConnectionsServer(requestsPerConnection: requestsPerConnection)
        let transport = CurlTransport()
        #expect(try await send(.post, .data(Data("hello".utf8)), width: 1, to: server, over: transport) == [])
        #expect(try await send(.get, width: 8, to: server, over: transport) == [])
        let counts = try server.counts()
        #expect(counts.count == 2000)
        #expect(counts.filter { $0.value != 1 } == [:])
    }

    @Test(arguments: [5, 100])
    func `what the server says it didn't take is sent again, a POST too`(requestsPerConnection: Int) async throws {
        let server = try EndingConnectionsServer(requestsPerConnection: requestsPerConnection)
        let transport = CurlTransport()
        #expect(try await send(.post, .data(Data("hello".utf8)), width: 8, to: server, over: transport) == [])
        let counts = try server.counts()
        #expect(counts.count == 1000)
        #expect(counts.filter { $0.value != 1 } == [:])
    }

    @Test(arguments: [20_000, 300_000])
    func `an answer that comes before the body has gone is the answer`(size: Int) async throws {
        let server = try EndingConnectionsServer(requestsPerConnection: 20)
        let body = RequestBody.data(Data(repeating: 0x78, count: size))
        #expect(try await send(.post, body, count: 20, width: 1, to: server, over: CurlTransport()) == [])
    }
}
