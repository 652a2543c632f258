import Foundation
import TerminalTesting
import TerminalUI
import Testing

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

    @Test(arguments: 1...5) func `both save at once, and both saves are there`(round: Int) async throws {
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
