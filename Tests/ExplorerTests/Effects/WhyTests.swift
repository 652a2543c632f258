import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import RequestCollections
import TerminalTesting
import TerminalUI
import Testing

@testable import Explorer

/// From a failure to the run that is good: the loop, with a transport that plays a script.
@MainActor @Suite(.serialized) struct `Mending what failed`: LoopScript {
    private static let shop = """
        turnstone: 1
        variables: { host: "http://127.0.0.1:9" }
        requests:
          moved: { get: "{{host}}/moved", redirects: { follow: never } }
          checked: { get: "{{host}}/checked", expect: { status: 201 } }
          lacking: { get: "{{host}}/{{bird}}" }

        """

    private func run(_ steps: [ScriptedTerminal.Step]) throws -> (ScriptedTransport, TemporaryFolder) {
        let folder = try TemporaryFolder(["shop.yaml": Self.shop])
        let transport = ScriptedTransport { request in
            switch request.request.url.path() {
            case "/moved": .respond(status: .found, headers: [.location: "/there"])
            case "/there": .respond(body: Data("you are there".utf8))
            default: .respond(body: Data("this is \(request.request.url.path())".utf8))
            }
        }
        let terminal = ScriptedTerminal(size: Size(columns: 120, rows: 40), steps: [shows("lacking")] + steps)
        let services = ExplorerServices(client: NetworkClient(transport: transport), editor: NoEditor())
        try terminal.play(in: folder, with: services)
        return (transport, folder)
    }

    @Test func `a redirect that was not followed is, and w keeps it so`() throws {
        let (transport, folder) = try run([
            type("s"), shows("302 Found"), type("!"), shows("redirects.follow says not to go"), type("f"),
            shows("you are there"), shows("redirects.follow is always"), type("w"), shows("saved moved"), type("q"),
        ])
        #expect(transport.requests.map { $0.url.path() } == ["/moved", "/moved", "/there"])
        #expect(folder.text("shop.yaml")?.contains("follow: always") == true)
    }

    @Test func `a check is edited where it stands, and F5 sends what is typed`() throws {
        let (transport, folder) = try run([
            type("js"), shows("found 200"), type("!c"), shows("expect"), .events([.key(KeyPress(.character("u"), .control))]),
            type("200"), key(.function(5)), shows("1/1 checks"), type("qd"),
        ])
        #expect(transport.requests.count == 2)
        #expect(folder.text("shop.yaml") == Self.shop)
    }

    @Test func `a variable is set, and the request sent`() throws {
        let (transport, _) = try run([
            type("jjs"), shows("Not sent: lacking"), type("n"), shows("Set bird"), type("turnstone"), key(.enter),
            shows("this is /turnstone"), type("q"), shows("Quit"), type("q"),
        ])
        #expect(transport.requests.map { $0.url.path() } == ["/turnstone"])
    }
}
