import DemoServer
import Foundation
import TerminalTesting
import TerminalUI
import Testing

/// The real program: one line for everything, letters to jump by, keys and colours of one's own.
@Suite(.serialized) struct `Finding everything in the program` {
    /// A demo server, and a collection with requests to it.
    private func shop() async throws -> (server: DemoServer, home: Program.Home, file: String) {
        let server = try await DemoServer(port: 0)
        let home = Program.Home()
        let file = home.path("shop.yaml")
        let text = """
            turnstone: 1
            requests:
              first: { get: "\(server.baseURL)/json" }
              second: { get: "\(server.baseURL)/status/404" }
              third: { get: "\(server.baseURL)/anything" }

            """
        try Data(text.utf8).write(to: URL(filePath: file))
        return (server, home, file)
    }

    private func leave(_ terminal: PseudoTerminal, _ keys: String = "q") async throws {
        terminal.type(keys)
        #expect(try await terminal.waitForExit() == .status(0))
        terminal.stop()
    }

    @Test func `a request is found by some letters and sent with F5; what was used is first the next time`() async throws {
        let (server, home, file) = try await shop()
        let terminal = try Program([file], home: home).terminal
        try await terminal.wait(for: "first")
        terminal.type(":thi")
        try await terminal.wait(for: "the row with its kind") { $0.contains("request  third") && $0.contains("F5 send") }
        terminal.type("<f5>")
        try await terminal.wait(for: "the answer") { $0.contains("200 OK") && $0.contains("/anything") }
        try await leave(terminal)

        let again = try Program([file], home: home).terminal
        try await again.wait(for: "first")
        again.type(":")
        try await again.wait(for: "what was used last, at the top") { screen in
            screen.lines.contains { $0.contains("› request  third") }
        }
        again.type("<esc>")
        try await again.wait(for: "the panes") { !$0.contains("Everything") }
        try await leave(again)
        await server.stop()
    }

    @Test func `a pasted curl command is sent by Enter, and its token gets into no file`() async throws {
        let (server, home, file) = try await shop()
        let before = try String(contentsOfFile: file, encoding: .utf8)
        let terminal = try Program([file], home: home).terminal
        try await terminal.wait(for: "first")
        terminal.type(":")
        try await terminal.wait(for: "Everything")
        terminal.type("\u{1B}[200~curl '\(server.baseURL)/anything/birds?page=2' -H 'Authorization: Bearer tok_41xyz'\u{1B}[201~")
        try await terminal.wait(for: "the request") { $0.contains("send") && $0.contains("1 secret for this session") }
        terminal.type("<enter>")
        try await terminal.wait(for: "the answer") { $0.contains("200 OK") && $0.contains("/anything/birds") }
        #expect(try String(contentsOfFile: file, encoding: .utf8) == before)
        terminal.type("w")
        try await terminal.wait(for: "it is saved") { $0.contains("added") }
        let after = try String(contentsOfFile: file, encoding: .utf8)
        #expect(after.contains("/anything/birds"))
        #expect(!after.contains("tok_41xyz"))
        terminal.type("q")
        try await terminal.wait(for: "Quit without")
        try await leave(terminal)
        await server.stop()
    }

    @Test func `letters lead to a row, and Ctrl-C ends them`() async throws {
        let (server, home, file) = try await shop()
        let terminal = try Program([file], home: home).terminal
        try await terminal.wait(for: "third")
        terminal.type("'")
        try await terminal.wait(for: "a letter on the second request") { screen in
            screen.lines.contains { $0.contains("sET") && $0.contains("second") }
        }
        terminal.type("s")
        try await terminal.wait(for: "the second request") { $0.lines[1].contains("/status/404") }
        terminal.type("'")
        try await terminal.wait(for: "letters again") { $0.contains("sET") }
        terminal.type("<c-c>")
        try await terminal.wait(for: "none any more") { !$0.contains("sET") }
        try await leave(terminal)
        await server.stop()
    }

    @Test func `a keymap file gives other keys; what is wrong with it is shown, and stops nothing`() async throws {
        let (server, home, file) = try await shop()
        try FileManager.default.createDirectory(atPath: home.path(".config/turnstone"), withIntermediateDirectories: true)
        let keys = "keys:\n  quit: Z\n  send: [Z, s]\n  sned: x\n"
        try Data(keys.utf8).write(to: URL(filePath: home.path(".config/turnstone/keys.yaml")))
        let environment = ["XDG_CONFIG_HOME": home.path(".config")]
        let terminal = try Program([file], size: Size(columns: 160, rows: 50), home: home, environment: environment).terminal
        try await terminal.wait(for: "the first problem, and where all are told") {
            $0.contains("keys.yaml:3: Z is `quit` already, in line 2") && $0.contains("`turnstone keys` tells all 2")
        }
        terminal.type("j")
        try await terminal.wait(for: "its key in the status line") { $0.contains("Z quit") }
        try await leave(terminal, "Z")
        await server.stop()
    }

    @Test(arguments: [("15;0", false), ("0;15", true), ("0;default;15", true), ("", false)])
    func `a light terminal that says so gets the light theme`(value: String, isLight: Bool) async throws {
        let (server, home, file) = try await shop()
        let terminal = try Program([file], home: home, environment: ["COLORFGBG": value]).terminal
        // Pseudo-terminals of tests say that they have true colour.
        let ground = 256 + (isLight ? 0xFBFAF7 : 0x14171C)
        try await terminal.wait(for: "its ground") { screen in
            screen.contains("first") && screen.cell(column: 60, row: 20).look.background == ground
        }
        try await leave(terminal)
        await server.stop()
    }
}
