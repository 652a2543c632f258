import Foundation
import ServerTesting
import TerminalTesting
import Testing

/// `run --watch` at a terminal: again after each change.
@Suite(.serialized, .timeLimit(.minutes(2))) struct WatchTests {
    @Test func `it runs again after each change, says what can't be read, and ends with the last status`() async throws {
        func answer(_ status: String) -> [ScriptedServer.Step] {
            [.readHead, .send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"), .close]
        }
        let server = try ScriptedServer([answer("200 OK"), answer("404 Not Found")])
        defer { server.stop() }
        let home = Program.Home()
        func write(_ requests: String) throws {
            let file = URL(filePath: home.path("shop.yaml"))
            try Data("turnstone: 1\nrequests:\n\(requests)\n".utf8).write(to: file, options: .atomic)
        }
        func request(_ name: String) -> String {
            "  \(name): { get: \"http://127.0.0.1:\(server.port)/\", expect: { status: 200 } }"
        }
        try write(request("first"))
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", "trap : INT; $T run shop.yaml --watch --no-history; echo status=$?"],
            environment: ["HOME": home.path, "T": Program.path, "NO_COLOR": "1"], directory: home.path)
        defer { terminal.stop() }
        try await terminal.wait(for: "1 passed")
        try await terminal.wait(for: "waiting for a change; Ctrl-C ends")
        try write("  second: [")
        try await terminal.wait(for: "shop.yaml has changed")
        try await terminal.wait(for: "shop.yaml:")
        try write(request("second"))
        try await terminal.wait(for: "✗ second  404 Not Found")
        try await terminal.wait(for: "1 failed")
        terminal.type("\u{3}")
        try await terminal.wait(for: "status=1")
    }
}
