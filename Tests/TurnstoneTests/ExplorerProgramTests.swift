import DemoServer
import Foundation
import ServerTesting
import TerminalTesting
import TerminalUI
import Testing

/// The real program against the real demo server, as a user would sit before it.
@Suite(.serialized) struct ExplorerProgramTests {
    @Test func `a request is sent with one key, and its life, its response and its phases appear`() async throws {
        let program = try Program()
        let terminal = program.terminal
        defer { terminal.stop() }
        try await program.choose("JSON without length")
        terminal.type("<f5>")
        try await terminal.wait(for: "the verdict, and the phases to scale") { $0.contains("✓ 200 OK") && $0.contains("━") }
        terminal.type("4]")
        try await terminal.wait(for: "the headers") { $0.contains("Transfer-Encoding") || $0.contains("transfer-encoding") }
        terminal.type("]")
        try await terminal.wait(for: "the waterfall") { $0.contains("  wait  ") && $0.contains("█") }
        terminal.type("q")
        #expect(try await terminal.waitForExit() == .status(0))
        #expect(program.isGivenBack)
        #expect(terminal.screen.unknown == [])
    }

    @Test func `a delayed request shows that it runs, and x cancels it`() async throws {
        let program = try Program()
        let terminal = program.terminal
        defer { terminal.stop() }
        try await program.choose("Delay, 30 s")
        terminal.type("s")
        try await terminal.wait(for: "▶ wait")
        try await terminal.wait(for: "gauges of the timeouts") { $0.contains("left") && $0.contains("attempt") }
        terminal.type("x")
        try await terminal.wait(for: "■ cancelled")
        terminal.type("q")
        #expect(try await terminal.waitForExit() == .status(0))
    }

    @Test func `a certificate that isn't trusted is shown, with the reason`() async throws {
        let server = try NginxServer.shared()
        let home = Program.Home()
        let collection = "turnstone: 1\nrequests:\n  secure:\n    get: https://127.0.0.1:\(server.selfSigned)/small\n"
        try Data(collection.utf8).write(to: URL(filePath: home.path("secure.yaml")))
        let program = try Program([home.path("secure.yaml")], home: home)
        let terminal = program.terminal
        defer { terminal.stop() }
        try await terminal.wait(for: "secure")
        terminal.type("s")
        try await terminal.wait(for: "failed")
        terminal.type("gt")
        try await terminal.wait(for: "the chain and why") { screen in
            screen.contains("self-signed certificate") && screen.contains("CN=")
        }
        terminal.type("q")
        #expect(try await terminal.waitForExit() == .status(0))
    }

    @Test func `a WebSocket takes messages from a line, shows what comes back, and is closed at the end`() async throws {
        let server = try await DemoServer(port: 0)
        let home = Program.Home()
        let collection = """
            turnstone: 1
            variables: { bird: knot }
            requests:
              echo: { websocket: "\(server.baseURL)/websocket/echo" }

            """
        try Data(collection.utf8).write(to: URL(filePath: home.path("birds.yaml")))
        let program = try Program([home.path("birds.yaml")], home: home)
        let terminal = program.terminal
        defer { terminal.stop() }
        try await terminal.wait(for: "→ ws://127.0.0.1")
        terminal.type("s")
        try await terminal.wait(for: "▶ open")
        terminal.type("4ea {{bird}}<enter>")
        try await terminal.wait(for: "the echo, and what went out") { screen in
            ["↑ text   a knot", "↓ text   a knot", "↑ 1  ↓ 1"].allSatisfy(screen.contains)
        }
        terminal.type("two{{<enter>")
        try await terminal.wait(for: "the message wasn't sent")
        terminal.type("<esc>qq")
        #expect(try await terminal.waitForExit() == .status(0))
        let kept = try Program(["history", "list", "--json"], home: home).terminal
        try await kept.wait(for: "the run, which was closed and not cancelled") { $0.contains("\"succeeded\"") }
        kept.stop()
        await server.stop()
    }

    @Test func `what the terminal answers about its ground counts more than COLORFGBG`() async throws {
        let program = try Program(environment: ["COLORFGBG": "0;15"])
        let terminal = program.terminal
        defer { terminal.stop() }
        try await terminal.wait(for: "A first request")
        terminal.type("\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\")
        terminal.type(":>theme<enter>")
        try await terminal.wait(for: "the theme for a dark ground") { $0.contains("› dark") }
        terminal.type("<esc>q")
        #expect(try await terminal.waitForExit() == .status(0))
    }

    @Test func `it fits any size, while it runs`() async throws {
        let program = try Program()
        let terminal = program.terminal
        defer { terminal.stop() }
        try await terminal.wait(for: "A first request")
        for size in [
            Size(columns: 80, rows: 24), Size(columns: 40, rows: 10), Size(columns: 12, rows: 3), Size(columns: 160, rows: 50),
        ] {
            terminal.resize(size)
            try await terminal.wait(for: "a screen of \(size.columns)×\(size.rows)") { screen in
                let bottom = screen.lines[size.rows - 1]
                return size.columns < 40 ? screen.contains("too small") : screen.contains("Requests") && bottom.contains("send")
            }
        }
        #expect(terminal.screen.unknown == [])
        terminal.type("q")
        #expect(try await terminal.waitForExit() == .status(0))
    }

    @Test func `an edit goes through the user's editor, and is there again after a crash`() async throws {
        let home = Program.Home()
        let shop =
            "turnstone: 1\nrequests:\n  greet:\n    name: Greeting\n    post: http://127.0.0.1:9/\n    body: { text: hello }\n"
        try Data(shop.utf8).write(to: URL(filePath: home.path("shop.yaml")))
        func start() throws -> Program {
            try Program([home.path("shop.yaml")], home: home, environment: ["EDITOR": "sed -i s/hello/goodbye/"])
        }

        let first = try start()
        defer { first.terminal.stop() }
        try await first.terminal.wait(for: "Greeting")
        first.terminal.type("2]]")
        try await first.terminal.wait(for: "hello")
        first.terminal.type("E")
        try await first.terminal.wait(for: "goodbye")
        try await first.terminal.wait(for: "unsaved")
        // Nothing can be done about this one: the draft has to be there before.
        first.terminal.signal(SIGKILL)
        #expect(try await first.terminal.waitForExit() == .signal(SIGKILL))

        let second = try start()
        defer { second.terminal.stop() }
        try await second.terminal.wait(for: "brought back")
        second.terminal.type("2]]")
        try await second.terminal.wait(for: "goodbye")
        second.terminal.type("w")
        try await second.terminal.wait(for: "saved greet")
        second.terminal.type("q")
        #expect(try await second.terminal.waitForExit() == .status(0))
        #expect(try String(contentsOfFile: home.path("shop.yaml"), encoding: .utf8) == shop.replacing("hello", with: "goodbye"))
    }
}

/// The real program, while other programs change its files.
@Suite(.serialized) struct LiveReloadTests {
    @Test func `a file replaced by rename is on the screen without a key`() async throws {
        let home = Program.Home()
        let path = home.path("shop.yaml")
        func write(_ name: String) throws {
            try Data("turnstone: 1\nrequests:\n  a: { name: \(name), get: http://127.0.0.1:9/ }\n".utf8)
                .write(to: URL(filePath: path), options: .atomic)
        }
        try write("Before")
        let terminal = try Program([path], home: home).terminal
        defer { terminal.stop() }
        try await terminal.wait(for: "Before")
        try write("Afterwards")
        try await terminal.wait(for: "Afterwards")
        terminal.type("q")
        #expect(try await terminal.waitForExit() == .status(0))
    }

    @Test func `a pasted command for curl is sent with its token, which gets into no file`() async throws {
        let server = try RecordingServer()
        defer { server.stop() }
        let home = Program.Home()
        let file = home.path("shop.yaml")
        try Data("turnstone: 1\nrequests:\n  first:\n    get: http://127.0.0.1:9/\n".utf8).write(to: URL(filePath: file))
        let program = try Program([file], home: home)
        let terminal = program.terminal
        defer { terminal.stop() }
        try await terminal.wait(for: "first")
        let command = "curl -X PUT http://127.0.0.1:\(server.port)/orders \\\n  -H 'Authorization: Bearer sk_live_123456' -d qty=2"
        terminal.send(Array("\u{1B}[200~\(command)\u{1B}[201~".utf8))
        try await terminal.wait(for: "added put-orders")
        terminal.type("<f5>")
        try await terminal.wait(for: "the answer") { $0.contains("200 OK") }
        terminal.type("q")
        // The file can't be sent without the token.
        try await terminal.wait(for: "what only this session knows")
        terminal.type("q")
        #expect(try await terminal.waitForExit() == .status(0))
        let sent = try #require(server.requests.first)
        #expect(sent.hasPrefix("PUT /orders HTTP/1.1\r\n"))
        #expect(sent.contains("uthorization: Bearer sk_live_123456\r\n") && sent.hasSuffix("qty=2"))
        let saved = try String(contentsOfFile: file, encoding: .utf8)
        #expect(saved.contains("put: http://127.0.0.1:\(server.port)/orders") && saved.contains("bearer: "))
        for path in try #require(FileManager.default.enumerator(atPath: home.path)).compactMap({ $0 as? String }) {
            let bytes = FileManager.default.contents(atPath: home.path(path)) ?? Data()
            #expect(bytes.firstRange(of: Data("sk_live".utf8)) == nil, "\(path)")
        }
    }
}

/// The real program: what is sent, in which order, with which cookies, and what waits for it.
@Suite(.serialized) struct `The explorer's queue` {
    private func explore(
        _ size: Size = Size(columns: 120, rows: 40), _ requests: (_ base: String) -> String,
        _ steps: (PseudoTerminal) async throws -> Void
    ) async throws {
        let server = try await DemoServer(port: 0)
        let home = Program.Home()
        let file = home.path("shop.yaml")
        try Data("turnstone: 1\nrequests:\n\(requests(server.baseURL))".utf8).write(to: URL(filePath: file))
        let terminal = try Program([file], size: size, home: home).terminal
        try await steps(terminal)
        terminal.type("q")
        #expect(try await terminal.waitForExit() == .status(0))
        terminal.stop()
        await server.stop()
    }

    @Test func `has what was sent by keys that came at once in the order of the keys`() async throws {
        for _ in 0..<4 {
            try await explore {
                """
                  ant: { post: "\($0)/anything", body: { text: "\(String(repeating: "{{uuid()}}", count: 300))" } }
                  bee: { get: "\($0)/anything" }
                  cat: { get: "\($0)/anything" }

                """
            } _: { terminal in
                try await terminal.wait(for: "cat")
                terminal.type(":>pause-queue<enter>")
                try await terminal.wait(for: "paused")
                terminal.type("sjsjs5")
                try await terminal.wait(for: "all three, in their order") { screen in
                    let names = screen.text.split(separator: "\n").map { $0.prefix(60) }
                    let places = ["1 ant  ", "2 bee  ", "3 cat  "].map { name in names.firstIndex { $0.contains(name) } ?? -1 }
                    return places[0] >= 0 && places == places.sorted()
                }
                terminal.type(":>pause-queue<enter>")
                try await terminal.wait(for: "the end of all") { $0.contains("history 3") || $0.contains("3 runs") }
            }
        }
    }

    @Test func `sends the cookie that the request before it was given, until it is forgotten`() async throws {
        try await explore {
            """
              login: { get: "\($0)/cookies/set?sid=warbler" }
              who: { get: "\($0)/cookies" }

            """
        } _: { terminal in
            try await terminal.wait(for: "login")
            terminal.type("s")
            try await terminal.wait(for: "✓ 200")
            terminal.type("js")
            // It is a session's, which nobody may read where the server sends it back.
            try await terminal.wait(for: "the cookie, masked") { $0.contains("\"sid\": \"••••••\"") }
            terminal.type(":>forget-cookies<enter>")
            try await terminal.wait(for: "the session's cookie is forgotten")
            terminal.type("s")
            try await terminal.wait(for: "no cookie") { !$0.contains("\"sid\"") && $0.contains("\"cookies\"") }
        }
    }
}

/// Two people, each with an explorer of their own, and one file.
@Suite(.serialized, .timeLimit(.minutes(5))) struct TwoExplorersTests {
    private let home = Program.Home()

    private var path: String { home.path("shop.yaml") }

    init() throws {
        let requests = (0...2).map { "  r\($0):\n    get: http://127.0.0.1:9/\($0)   # c\($0)\n" }
        try Data("turnstone: 1\nname: Shop\nrequests:\n\(requests.joined())".utf8).write(to: URL(filePath: path))
    }

    private var file: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

    /// An explorer in which the URL of one of the requests is another, and isn't saved yet.
    private func explorer(editing row: Int) async throws -> PseudoTerminal {
        let terminal = try Program([path], size: Size(columns: 110, rows: 26), home: home).terminal
        try await terminal.wait(for: "r2")
        terminal.type(String(repeating: "j", count: row))
        try await terminal.wait(for: "the request") { $0.contains("http://127.0.0.1:9/\(row)") }
        terminal.type("2e")
        try await terminal.wait(for: "the field") { $0.isCursorVisible }
        terminal.type("<c-u>http://127.0.0.1:9/mine\(row)<enter>")
        try await terminal.wait(for: "1 unsaved")
        return terminal
    }

    @Test(arguments: 1...2) func `both save at once, and both saves are there`(round: Int) async throws {
        let explorers = [try await explorer(editing: 0), try await explorer(editing: 1)]
        defer { for explorer in explorers { explorer.stop() } }
        for explorer in explorers { explorer.type("w") }
        for (row, explorer) in explorers.enumerated() {
            try await explorer.wait(for: "the end of saving") { $0.contains("saved r\(row)") }
        }
        let text = try file
        for line in ["9/mine0   # c0", "9/mine1   # c1", "9/2   # c2"] { #expect(text.contains(line), "\(text)") }
    }

    @Test func `while a stopped program holds the lock nothing is lost, and it is said`() async throws {
        let explorer = try await explorer(editing: 0)
        defer { explorer.stop() }
        let holder = Process()
        holder.executableURL = URL(filePath: "/usr/bin/flock")
        holder.arguments = ["--no-fork", home.path, "sh", "-c", "echo; exec sleep 1000"]
        let output = Pipe()
        holder.standardOutput = output
        try holder.run()
        defer { kill(holder.processIdentifier, SIGKILL) }
        _ = output.fileHandleForReading.availableData
        kill(holder.processIdentifier, SIGSTOP)
        let before = try file
        explorer.type("w")
        // Where its lines break depends on the path's length.
        try await explorer.wait(for: "the sentence") { $0.contains("Not saved") && $0.contains("another") }
        #expect(try file == before)
        explorer.type("<esc>")
        try await explorer.wait(for: "what isn't saved") { $0.contains("1 unsaved") && !$0.contains("Not saved") }
        kill(holder.processIdentifier, SIGKILL)
        holder.waitUntilExit()
        explorer.type("w")
        try await explorer.wait(for: "saved r0")
        #expect(try file.contains("9/mine0   # c0"))
    }
}
