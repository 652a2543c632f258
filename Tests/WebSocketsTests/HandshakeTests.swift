import Foundation
import HTTPTypes
import NetworkLayer
import Testing

@testable import WebSockets

@Suite struct HandshakeTests {
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    private static let accept = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    private func request(_ options: WebSocket.Options = .init()) -> Request {
        let socket = WebSocket(options, target: "ws://a.test/")
        return socket.prepared(Request(url: URL(string: "ws://a.test/x?y")!, headers: [WebSocketHandshake.key: Self.key]))
    }

    private func head(_ fields: HTTPFields) -> ResponseHead {
        var headers: HTTPFields = [.upgrade: "websocket", .connection: "Upgrade", WebSocketHandshake.accept: Self.accept]
        for field in fields { headers[field.name] = field.value.isEmpty ? nil : field.value }
        return ResponseHead(status: .switchingProtocols, headers: headers, raw: Data())
    }

    private func complaint(_ fields: HTTPFields, _ options: WebSocket.Options = .init()) -> String? {
        do throws(WebSocketViolation) {
            _ = try WebSocketHandshake.check(head(fields), to: request(options))
            return nil
        } catch { return error.sentence }
    }

    @Test func `the request asks for a session`() {
        var options = WebSocket.Options()
        options.subprotocols = ["prices.v2", "prices.v1"]
        let request = request(options)
        #expect(request.url.absoluteString == "http://a.test/x?y")
        #expect(
            request.headers == [
                WebSocketHandshake.key: Self.key, .connection: "Upgrade", .upgrade: "websocket", WebSocketHandshake.version: "13",
                WebSocketHandshake.subprotocol: "prices.v2, prices.v1",
                WebSocketHandshake.extensions: "permessage-deflate; client_no_context_takeover",
            ])
        #expect(request.body.isReplayable)
        let fresh = WebSocket(target: "").prepared(Request(url: URL(string: "WSS://a.test")!))
        #expect(fresh.url.absoluteString == "https://a.test")
        #expect(Data(base64Encoded: fresh.headers[WebSocketHandshake.key] ?? "")?.count == 16)
    }

    @Test func `the key is answered as in RFC 6455, section 1_3`() {
        #expect(WebSocketHandshake.accept(Self.key) == Self.accept)
        #expect(complaint([:]) == nil)
        #expect(complaint([.upgrade: "WebSocket", .connection: "keep-alive, upgrade"]) == nil)
    }

    @Test func `a 101 that is none for this request is named`() {
        #expect(complaint([WebSocketHandshake.accept: ""]) == "answered 101 without Sec-WebSocket-Accept (RFC 6455, section 4.1)")
        #expect(
            complaint([WebSocketHandshake.accept: "AAAA"])
                == "answered 101 with a Sec-WebSocket-Accept that doesn't fit our key (RFC 6455, section 4.1)")
        #expect(complaint([.upgrade: "h2c"]) == "answered 101 without “Upgrade: websocket” (RFC 6455, section 4.1)")
        #expect(complaint([.connection: "close"]) == "answered 101 without “Connection: Upgrade” (RFC 6455, section 4.1)")
    }

    @Test func `what wasn't offered can't be chosen`() throws {
        let subprotocol: HTTPFields = [WebSocketHandshake.subprotocol: "chat"]
        #expect(complaint(subprotocol) == "chose the subprotocol “chat”, which wasn't offered (RFC 6455, section 4.1)")
        var options = WebSocket.Options()
        options.subprotocols = ["chat"]
        options.compression = false
        #expect(complaint(subprotocol, options) == nil)
        let agreement = try WebSocketHandshake.check(head(subprotocol), to: request(options))
        #expect(agreement.info == SessionInfo(subprotocol: "chat"))
        #expect(
            complaint([WebSocketHandshake.extensions: "permessage-deflate"], options)
                == "chose the extension “permessage-deflate”, which wasn't offered (RFC 6455, section 4.1)")
        #expect(
            complaint([WebSocketHandshake.extensions: "x-mux"])
                == "chose the extension “x-mux”, which wasn't offered (RFC 6455, section 4.1)")
    }

    @Test(arguments: [
        ("permessage-deflate", true), ("permessage-deflate; server_no_context_takeover; server_max_window_bits=10", false),
        ("permessage-deflate; client_no_context_takeover; server_max_window_bits=\"15\"", true),
    ])
    func `permessage-deflate is agreed on with the parameters that a server may choose`(text: String, keeps: Bool) throws {
        let agreement = try WebSocketHandshake.check(head([WebSocketHandshake.extensions: text]), to: request())
        #expect(agreement.inflates)
        #expect(agreement.keepsContext == keeps)
        #expect(agreement.info.extensions == [text])
    }

    @Test(arguments: [
        "client_max_window_bits=10", "server_max_window_bits=16", "server_max_window_bits", "server_no_context_takeover=1",
        "what", "server_no_context_takeover; server_no_context_takeover",
    ])
    func `other parameters are named`(parameters: String) {
        let said = complaint([WebSocketHandshake.extensions: "permessage-deflate; \(parameters)"])
        #expect(said?.hasSuffix("which wasn't offered (RFC 7692, section 7.1)") == true)
    }
}
