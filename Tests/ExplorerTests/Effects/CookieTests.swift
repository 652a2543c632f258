import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalTesting
import TerminalUI
import Testing

@testable import Explorer

/// Cookies of a collection that names no jar: they last as long as the explorer.
@MainActor @Suite(.serialized) struct CookieTests: LoopScript {
    private static let shop = """
        turnstone: 1
        requests:
          login: { post: "http://shop.test/login" }
          orders: { get: "http://shop.test/orders" }
          alone: { get: "http://shop.test/alone", cookie-jar: "" }
          other: { get: "http://other.test/orders" }

        """

    private func run(_ steps: [ScriptedTerminal.Step], state: String? = nil) throws -> (ScriptedTerminal, [String]) {
        let folder = try TemporaryFolder(["shop.yaml": Self.shop])
        let transport = ScriptedTransport { request in
            request.request.url.path() == "/login" ? .respond(headers: [.setCookie: "sid=s3cret; Path=/; Max-Age=600"]) : .respond()
        }
        let terminal = ScriptedTerminal(size: Size(columns: 160, rows: 50), steps: [shows("login")] + steps)
        let jars = CookieJars(directory: state)
        let services = ExplorerServices(client: NetworkClient(transport: transport, cookies: jars), editor: NoEditor())
        try terminal.play(in: folder, with: services)
        return (terminal, transport.requests.map { "\($0.url.path()) \($0.headers[.cookie] ?? "-")" })
    }

    @Test func `a request is signed in by the one before it, unless it wants no jar or goes elsewhere`() throws {
        let directory = try TemporaryFolder()
        let (terminal, sent) = try run(
            [
                type("s"), ends(1), type("js"), ends(2), type("js"), ends(3), type("js"),
                ends(4), type("q"),
            ], state: directory.path("cookies"))
        #expect(sent == ["/login -", "/orders sid=s3cret", "/alone -", "/orders -"])
        // Nothing of it is written, and its value is shown nowhere.
        #expect(!FileManager.default.fileExists(atPath: directory.path("cookies")))
        #expect(!terminal.text.contains("s3cret"))
    }

    @Test func `what explains the request names the cookie and where it came from, and a key forgets it`() throws {
        let (_, sent) = try run([
            type("s"), ends(1), type("j2[G"), key(.enter),
            .until { $0.text.contains("cookies of this session") && $0.text.contains("set by an answer of shop.test") },
            type(":>forget-cookies"), key(.enter), shows("the session's cookie is forgotten"),
            .until { !$0.text.contains("cookies of this session") }, type("s"), ends(2), type("q"),
        ])
        #expect(sent == ["/login -", "/orders -"])
    }

    @Test func `what if it went without cookies`() throws {
        let (_, sent) = try run([
            type("s"), ends(1), type("j."), shows("Again, but"), key(.down), key(.down), key(.down), key(.down),
            key(.down), key(.down), key(.right), key(.enter), shows("what if: no cookies"), ends(2),
            type("s"), ends(3), type("q"),
        ])
        #expect(sent.suffix(2) == ["/orders -", "/orders sid=s3cret"])
    }
}
