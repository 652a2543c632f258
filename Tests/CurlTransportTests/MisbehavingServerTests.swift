import CurlTransport
import Foundation
import HTTPTypes
import NetworkLayer
import ServerTesting
import Testing

struct `Servers that misbehave` {
    private let transport = CurlTransport()

    @Test func `a plain answer tells its whole story`() async throws {
        let server = try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"), .readToEnd]])
        let recording = try await transport.get("http://127.0.0.1:\(server.port)/a?b=c")
        #expect(recording.error == nil)
        #expect(recording.text == "hello")
        #expect(
            recording.story == [
                "connectStarted", "connectEnded", "connectionAcquired", "requestHeadSent", "requestSent", "head", "body",
                "finished",
            ])
        #expect(Data(recording.sentHead.utf8) == server.received(by: 0))
    }
}
