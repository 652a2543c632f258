import Foundation
import ServerTesting
import TerminalTesting
import Testing

/// What the real program writes to the terminal's clipboard (OSC 52), which other programs and other machines may read.
@Suite(.serialized) struct ClipboardTests {
    private static let start = Data("\u{1B}]52;".utf8)

    @Test func `what is cut out of a field stays in the program, and what is copied doesn't`() async throws {
        let program = try Program()
        let terminal = program.terminal
        defer { terminal.stop() }
        try await terminal.wait(for: "A first request")
        terminal.type("2<enter><c-u>http://127.0.0.1:9/other")
        try await terminal.wait(for: "the new text") { $0.contains("http://127.0.0.1:9/other") }
        terminal.type("<c-u>http://127.0.0.1:9/third<enter>")
        try await terminal.wait(for: "it resolved") { $0.contains("→ http://127.0.0.1:9/third") }
        #expect(Data(terminal.written).firstRange(of: Self.start) == nil)

        terminal.type("y")
        try await terminal.wait(for: "what can be copied") { $0.contains("curl") }
        terminal.type("<enter>")
        try await terminal.wait(for: "a word about it") { $0.contains("copied") }
        #expect(Data(terminal.written).firstRange(of: Self.start) != nil)
    }
}
