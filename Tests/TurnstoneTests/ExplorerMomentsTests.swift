import DemoServer
import Foundation
import ServerTesting
import TerminalTesting
import TerminalUI
import Testing

/// The real program in the moments in which something goes another way than it was meant.
@Suite(.serialized) struct `The explorer's moments` {
    /// An explorer on a file of its own, with a demo server for it.
    private final class Shop {
        let server: DemoServer
        let home = Program.Home()
        let terminal: PseudoTerminal
        var file: String { home.path("shop.yaml") }

        init(_ requests: (_ base: String) -> String, size: Size = Size(columns: 120, rows: 40)) async throws {
            server = try await DemoServer(port: 0)
            try Data("turnstone: 1\nrequests:\n\(requests(server.baseURL))".utf8).write(to: URL(filePath: home.path("shop.yaml")))
            terminal = try Program([home.path("shop.yaml")], size: size, home: home).terminal
        }

        func leave() async throws {
            terminal.type("q")
            #expect(try await terminal.waitForExit() == .status(0))
            terminal.stop()
            await server.stop()
        }
    }

    @Test func `a dialog that comes up while a question is answered takes none of its keys`() async throws {
        let shop = try await Shop { base in
            """
              aslow: { get: "\(base)/{{missing}}", needs: wait }
              bask: { get: "\(base)/anything/{{prompt('Which bird?')}}" }
              wait: { get: "\(base)/delay/1s" }

            """
        }
        let terminal = shop.terminal
        try await terminal.wait(for: "aslow")
        terminal.type("<f5>")
        try await terminal.wait(for: "the need that runs") { $0.contains("1 running") }
        terminal.type("j<f5>")
        // Its words alone stand in the URL as well, before it is asked: what is typed then are commands.
        try await terminal.wait(for: "the question") { $0.contains("Before it is sent") && $0.contains("Which bird?  ") }
        terminal.type("turnst")
        try await terminal.wait(for: "1 message for you")
        terminal.type("one<enter>")
        try await terminal.wait(for: "Not sent")
        terminal.type("<esc>")
        try await terminal.wait(for: "the bird") { $0.contains("/anything/turnstone") && !$0.contains("Not sent") }
        try await shop.leave()
    }

    @Test func `B sends a request a hundred times, and says how long each phase took`() async throws {
        let shop = try await Shop { "  bird: { get: \"\($0)/anything/bird\" }\n" }
        let terminal = shop.terminal
        try await terminal.wait(for: "bird")
        terminal.type("B")
        try await terminal.wait(for: "Lab: bird")
        terminal.type("<enter>")
        try await terminal.wait(for: "all of it") { $0.contains("100 of 100") && $0.contains("✓ 100 × 200") && $0.contains("p99") }
        // At once they would be Alt and a point.
        terminal.type("<esc>")
        try await terminal.wait(for: "the panes again") { !$0.contains("Lab: bird") }
        terminal.type(".")
        try await terminal.wait(for: "Again, but")
        terminal.type("<down><down><right><enter>")
        // While it runs, q would ask.
        try await terminal.wait(for: "its end") { $0.contains("what if: fresh connection") && $0.contains("✓ 200 OK") }
        try await shop.leave()
    }

    @Test func `a variable without a value is set in the dialog, and the request is sent`() async throws {
        let shop = try await Shop { "  bird: { get: \"\($0)/anything/{{bird}}\" }\n" }
        let terminal = shop.terminal
        try await terminal.wait(for: "bird")
        terminal.type("s")
        try await terminal.wait(for: "has no value")
        terminal.type("f")
        try await terminal.wait(for: "Set bird")
        terminal.type("sanderling<enter>")
        try await terminal.wait(for: "the answer") { $0.contains("200 OK") && $0.contains("/anything/sanderling") }
        let text = try String(contentsOfFile: shop.file, encoding: .utf8)
        #expect(text.hasPrefix("turnstone: 1\n") && text.contains("variables:\n  bird: sanderling\n"))
        try await shop.leave()
    }

    @Test func `while it waits to retry, the answer that came is there with the time that is left`() async throws {
        let shop = try await Shop { "  busy: { get: \"\($0)/status/503\", retry: { attempts: 4, on: [503] } }\n" }
        let terminal = shop.terminal
        try await terminal.wait(for: "busy")
        terminal.type("s")
        try await terminal.wait(for: "what came, and when it goes on") {
            $0.contains("503 Service Unavailable") && $0.contains("tries again because of status 503  Retry-After 1 s")
        }
        terminal.type("-")
        try await terminal.wait(for: "a verdict that isn't good") { $0.contains("› completed") && $0.contains("! 503") }
        try await shop.leave()
    }

    @Test func `a failed check and a need that failed are seen in the tree and in the history`() async throws {
        let shop = try await Shop { base in
            """
              wants: { get: "\(base)/status/200", expect: { status: 201 } }
              stopped: { get: "\(base)/status/200", needs: wants }

            """
        }
        let terminal = shop.terminal
        try await terminal.wait(for: "wants")
        terminal.type("s")
        try await terminal.wait(for: "the failed check") { $0.contains("› check failed") && $0.contains("✗ 200") }
        terminal.type("js")
        try await terminal.wait(for: "what was stopped") { screen in
            screen.contains("× need") && screen.contains("which it needs, failed")
        }
        try await shop.leave()
    }

    @Test func `at 80×24 the request's line stays after a send, and so do the ways out`() async throws {
        let shop = try await Shop({ "  bird: { get: \"\($0)/json\" }\n" }, size: Size(columns: 80, rows: 24))
        let terminal = shop.terminal
        try await terminal.wait(for: "bird")
        let url = "\(shop.server.baseURL)/json"
        terminal.type("s")
        try await terminal.wait(for: "the line, the answer, and the ways out") { screen in
            screen.contains("200 OK") && screen.lines[1].contains("GET \(url)")
                && screen.lines[23].contains(": all  ? help  q quit")
        }
        try await shop.leave()
    }

    @Test(arguments: [(80, 24), (120, 40), (160, 50), (200, 60)])
    func `the screen follows the moment, and moves no border by itself`(columns: Int, rows: Int) async throws {
        let size = Size(columns: columns, rows: rows)
        let shop = try await Shop({ "  drip: { get: \"\($0)/drip?bytes=40000&duration=1s\" }\n" }, size: size)
        let terminal = shop.terminal
        try await terminal.wait(for: "· not sent yet")
        terminal.type("s")
        let verdict = rows >= 30 ? 4 : 3
        let stage = rows >= 30 ? 9 : 5
        try await terminal.wait(for: "bar and rate in the body's place") {
            $0.contains("of 40.0 kB") && $0.lines[verdict].contains("▶") && $0.lines[stage].contains("[body]")
        }
        try await terminal.wait(for: "the verdict and the stage in their places") {
            $0.lines[verdict].contains("✓ 200 OK") && $0.lines[stage].contains("[body]")
                && $0.lines[stage].contains(" 3 timing ") == (columns >= 140)
        }
        terminal.type("2")
        try await terminal.wait(for: "the request large") {
            $0.lines[verdict].contains("✓ 200 OK") && $0.lines[stage].contains("[URL]")
                && $0.lines[stage].contains(" will be sent ") == (columns >= 140)
        }
        terminal.type("<esc>")
        try await terminal.wait(for: "the frame before") {
            $0.lines[verdict].contains("✓ 200 OK") && $0.lines[stage].contains("[body]")
                && !$0.lines[stage].contains(" will be sent ") && (columns >= 180 || !$0.lines[stage].contains("[URL]"))
        }
        try await shop.leave()
    }

    @Test func `what is under the cursor is expected, saved, and checked by the next run`() async throws {
        let shop = try await Shop { "  bird: { get: \"\($0)/anything/dunlin\" }\n" }
        let terminal = shop.terminal
        try await terminal.wait(for: "bird")
        terminal.type("s")
        try await terminal.wait(for: "200 OK")
        terminal.type("4j=")
        try await terminal.wait(for: "expect .method")
        terminal.type("<enter>")
        try await terminal.wait(for: "added to the request's tab checks")
        terminal.type("ws")
        try await terminal.wait(for: "1/1 checks")
        let text = try String(contentsOfFile: shop.file, encoding: .utf8)
        #expect(text.contains(".method: GET"))
        try await shop.leave()
    }

    @Test func `events are a table while they come: it is filtered, held still, opened, and read as lines`() async throws {
        let shop = try await Shop { "  birds: { get: \"\($0)/events?count=0&every=20ms\" }\n" }
        let terminal = shop.terminal
        try await terminal.wait(for: "birds")
        terminal.type("s4")
        try await terminal.wait(for: "rate and records") {
            $0.contains("▶ live") && $0.contains("/s") && $0.contains("arrived") && $0.contains("{\"tick\":")
        }
        terminal.type(" ")
        try await terminal.wait(for: "what came since") { $0.contains("came since, G follows") }
        terminal.type("<enter>")
        try await terminal.wait(for: "the members of a record") { $0.contains("▾") && $0.contains("\"tick\": ") }
        terminal.type("Gf.tick % 10 == 0<enter>")
        try await terminal.wait(for: "every tenth, and no other") { screen in
            let rows = screen.lines.filter { $0.contains("{\"tick\":") }
            return screen.contains("shown ") && rows.count > 2 && rows.allSatisfy { $0.contains("0}") }
        }
        // At once they would be Alt and x.
        terminal.type("<esc>")
        try await terminal.wait(for: "all of them") { !$0.contains("shown ") }
        terminal.type("x")
        try await terminal.wait(for: "the end") { $0.contains("■ ended") }
        terminal.type("o")
        try await terminal.wait(for: "the lines") { $0.contains("event: tick") && $0.contains("data: ") }
        try await shop.leave()
    }

    @Test func `a long body of JSON is read while the rest of it is on its way`() async throws {
        let item = #"{"bird":"turnstone","eggs":4},"# + "\n"
        let part = String(repeating: item, count: 50_000)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(part.utf8.count * 2 + 4)\r\n\r\n"
        let server = try ScriptedServer([[.readHead, .send(head + "[" + part), .await, .send(part + "{}]"), .close]])
        defer { server.stop() }
        let shop = try await Shop { _ in "  long: { get: \"http://127.0.0.1:\(server.port)/\" }\n" }
        let terminal = shop.terminal
        try await terminal.wait(for: "long")
        terminal.type("s")
        try await terminal.wait(for: "its first lines beside how far it is") {
            $0.contains("\"bird\": \"turnstone\",") && $0.contains("of 3.1 MB")
        }
        server.proceed()
        try await terminal.wait(for: "all of it") { $0.contains("✓ 200 OK") && $0.contains("\"bird\": \"turnstone\",") }
        terminal.type("4G")
        try await terminal.wait(for: "its end") { $0.contains("{}") && $0.contains("│ ]") }
        try await shop.leave()
    }

    @Test func `a request goes out both ways and is compared, its host is watched, and its runs are found`() async throws {
        let shop = try await Shop { "  bird: { get: \"\($0)/anything/bird\" }\n" }
        let terminal = shop.terminal
        try await terminal.wait(for: "bird")
        terminal.type("s")
        try await terminal.wait(for: "✓ 200 OK")
        terminal.type(".")
        try await terminal.wait(for: "what can be different") { $0.contains("Again, but") && $0.contains("both ways, compared") }
        terminal.type("<down><right>c")
        try await terminal.wait(for: "both runs, and which is which") {
            $0.contains("- bird  as it is") && $0.contains("+ bird  what if: HTTP 1.1")
        }
        terminal.type("<esc>")
        try await terminal.wait(for: "the panes") { !$0.contains("Two runs") }
        terminal.type("H")
        try await terminal.wait(for: "the host, and its runs") { screen in
            screen.contains("Hosts of this session") && screen.lines.contains { $0.contains("127.0.0.1") && $0.contains(" 5 ") }
        }
        terminal.type("<esc>")
        try await terminal.wait(for: "the panes again") { !$0.contains("Hosts of this session") }
        terminal.type("6/is:failed<enter>")
        try await terminal.wait(for: "0 of 5 runs")
        terminal.type("<esc>")
        try await terminal.wait(for: "all runs") { $0.contains("History 5 runs") }
        try await shop.leave()
    }

    @Test func `an image is drawn, HTML is laid out, and what is declared wrong is read as what it is`() async throws {
        let body = #"{"bird":"turnstone","eggs":[4]}"#
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        let server = try ScriptedServer([[.readHead, .send(head + body), .close]])
        defer { server.stop() }
        let shop = try await Shop { base in
            """
              apicture: { get: "\(base)/image.png?width=64&height=64" }
              bpage: { get: "\(base)/html" }
              cwrong: { get: "http://127.0.0.1:\(server.port)/" }

            """
        }
        let terminal = shop.terminal
        try await terminal.wait(for: "apicture")
        terminal.type("s")
        try await terminal.wait(for: "the picture") { screen in screen.lines.count { $0.contains("▀▀▀▀") } > 5 }
        terminal.type("js")
        try await terminal.wait(for: "the page, an element a line") { screen in
            screen.lines.contains { $0.contains("│ <body>") } && screen.lines.contains { $0.contains("│ </body>") }
        }
        terminal.type("js")
        try await terminal.wait(for: "a text") { $0.contains(body) }
        terminal.type("4I")
        try await terminal.wait(for: "the types") { $0.contains("Read the body as") }
        terminal.type("<down><enter>")
        try await terminal.wait(for: "JSON, laid out") { $0.contains("\"eggs\": [") }
        try await shop.leave()
    }
}
