import Foundation
import Glibc
import Testing

@testable import CollectionRunner

@Suite struct LoopbackListenerTests {
    private let answer = AuthorizationAnswer(path: "/callback", state: "st")

    @Test func `it takes the answer among other knocks, says so in the browser, and listens no more`() async throws {
        let listener = try LoopbackListener(.standard)
        let port = listener.address.port
        #expect(listener.address.text == "http://127.0.0.1:\(port)/callback")
        let waiting = Task { [answer] in await listener.wait(for: answer) }
        // Opened, and never used, as browsers do.
        let idle = try #require(Loopback.ask("", port: port))
        let partial = try #require(Loopback.ask("GET /callb", port: port))
        defer { for descriptor in [idle, partial] { close(descriptor) } }
        #expect(Loopback.get("/favicon.ico", port: port).hasPrefix("HTTP/1.1 404 Not Found\r\n"))
        #expect(Loopback.get("/callback?code=evil&state=guess", port: port).hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        let page = Loopback.get("/callback?code=c-1&state=st", port: port)
        #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(page.contains("<h1>Signed in</h1>"))
        #expect(page.contains("Cache-Control: no-store\r\n"))
        #expect(await waiting.value == .success("c-1"))
        #expect(Loopback.get("/callback?code=c-2&state=st", port: port) == "")
    }

    @Test func `a cancelled task ends the waiting`() async throws {
        let listener = try LoopbackListener(.standard)
        let waiting = Task { [answer] in await listener.wait(for: answer) }
        waiting.cancel()
        #expect(await waiting.value == nil)
    }

    @Test func `a port that is taken is named`() throws {
        let first = try LoopbackListener(.standard)
        let port = first.address.port
        #expect(
            throws: OAuth2Error(
                "can't listen on 127.0.0.1 port \(port) for the end of the sign-in: address already in use")
        ) { try LoopbackListener(RedirectAddress(host: "127.0.0.1", port: port, path: "/callback")) }
    }
}
