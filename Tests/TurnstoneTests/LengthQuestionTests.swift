import Foundation
import ServerTesting
import TerminalTesting
import TerminalUI
import Testing

/// `send` at a terminal, and a body that is longer than one goes into a file unasked.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LengthQuestionTests {
    private static let body = String(repeating: "turnstone ", count: 60_000)

    private func server(announces: Bool) throws -> ScriptedServer {
        let length = announces ? "Content-Length: \(Self.body.utf8.count)\r\n" : "Connection: close\r\n"
        return try ScriptedServer([[.readHead, .send("HTTP/1.1 200 OK\r\n\(length)\r\n\(Self.body)"), .close]])
    }

    private func terminal(_ words: String, _ server: ScriptedServer, in home: Program.Home) throws -> PseudoTerminal {
        try PseudoTerminal(
            ["/bin/sh", "-c", "$T send \(words) http://127.0.0.1:\(server.port)/; echo ends with $?"],
            size: Size(columns: 120, rows: 20), environment: ["HOME": home.path, "T": Program.path, "NO_COLOR": "1"],
            directory: home.path)
    }

    private func text(_ home: Program.Home) -> String? { try? String(contentsOfFile: home.path("out"), encoding: .utf8) }

    @Test func `whoever says yes gets all of it`() async throws {
        let home = Program.Home()
        let server = try server(announces: true)
        defer { server.stop() }
        let terminal = try terminal("-o out --ask-above 100k", server, in: home)
        defer { terminal.stop() }
        try await terminal.wait(for: "The body has 600 kB. Go on? [y/N]")
        terminal.type("y<enter>")
        try await terminal.wait(for: "ends with 0")
        #expect(text(home) == Self.body)
    }

    @Test func `whoever says yes gets what is still to come`() async throws {
        let home = Program.Home()
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(2 * Self.body.utf8.count)\r\n\r\n"
        let server = try ScriptedServer([[.readHead, .send(head + Self.body), .await, .send(Self.body), .close]])
        defer { server.stop() }
        let terminal = try terminal("-o out --ask-above 100k", server, in: home)
        defer { terminal.stop() }
        try await terminal.wait(for: "Go on? [y/N]")
        terminal.type("y<enter>")
        server.proceed()
        try await terminal.wait(for: "ends with 0")
        #expect(text(home) == Self.body + Self.body)
    }

    @Test func `whoever says no, or nothing, keeps what came until then`() async throws {
        let home = Program.Home()
        let server = try server(announces: false)
        defer { server.stop() }
        let terminal = try terminal("-o out --ask-above 100k", server, in: home)
        defer { terminal.stop() }
        try await terminal.wait(for: "Go on? [y/N]")
        terminal.type("<enter>")
        try await terminal.wait(for: "turnstone: the rest of the body was refused; out has what came until then.")
        try await terminal.wait(for: "ends with 130")
        let text = try #require(self.text(home))
        #expect(text.utf8.count <= 100 << 10)
        #expect(Self.body.hasPrefix(text))
    }

    @Test(arguments: [true, false]) func `Ctrl-C answers it, too`(isWhole: Bool) async throws {
        let home = Program.Home()
        let half = "HTTP/1.1 200 OK\r\nContent-Length: 1200000\r\n\r\n\(Self.body)"
        let server = isWhole ? try server(announces: true) : try ScriptedServer([[.readHead, .send(half), .readToEnd]])
        defer { server.stop() }
        let terminal = try terminal("-o out --ask-above 100k", server, in: home)
        defer { terminal.stop() }
        try await terminal.wait(for: "Go on? [y/N]")
        terminal.type("<c-c>")
        try await terminal.wait(for: isWhole ? "the rest of the body was refused" : "Cancelled while receiving the body")
    }

    @Test(arguments: [("--ask-above 100k", "</dev/null"), ("", "")])
    func `nobody is asked where nobody is, or where it is expected`(option: String, redirection: String) async throws {
        let home = Program.Home()
        let server = try server(announces: true)
        defer { server.stop() }
        let terminal = try terminal("\(redirection) -o out \(option)", server, in: home)
        defer { terminal.stop() }
        try await terminal.wait(for: "ends with 0")
        #expect(!terminal.screen.contains("Go on?"))
        #expect(text(home) == Self.body)
    }
}
