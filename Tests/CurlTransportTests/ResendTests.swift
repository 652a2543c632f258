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
        TransferRequest(
            request: Request(url: try #require(URL(string: "http://127.0.0.1:\(server.port)/")), method: method, body: body))
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
