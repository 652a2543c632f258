import TerminalTesting
import TerminalUI
import Testing

/// `turnstone demo --tour`, from its first key to its last: each step waits for what happens.
@Suite(.serialized) struct GuidedDemoTests {
    private func isThere(_ text: String) -> @Sendable (VirtualScreen) -> Bool {
        { $0.lines.suffix(2).contains { $0.contains(text) } }
    }

    @Test func `the tour shows a dropped token, a retry, an expired certificate, a large body and a lab`() async throws {
        let program = try Program(["demo", "--tour", "--no-history"], size: Size(columns: 80, rows: 24))
        let terminal = program.terminal
        defer { terminal.stop() }
        try await terminal.wait(for: "the first step", until: isThere("A token goes to a server"))
        // Of a frame the upper rows may have been read alone.
        try await terminal.wait(for: "how to leave") { $0.lines.last?.contains("any other key leaves the tour") == true }

        terminal.type("s")
        try await terminal.wait(for: "the hop", until: isThere("The token doesn't go to another origin"))
        try await terminal.wait(for: "what was dropped") { screen in
            screen.lines.contains { line in
                let line = line.lowercased()
                return line.contains("authorization") && (line.contains("dropped") || line.contains("withheld"))
            }
        }

        terminal.type("<enter>")
        try await terminal.wait(for: "the second step", until: isThere("This server is busy"))
        terminal.type("s")
        try await terminal.wait(for: "the countdown", until: isThere("It waits as long as it was asked to"))
        try await terminal.wait(for: "what the server said") { $0.contains("503") }
        terminal.type("?")
        try await terminal.wait(for: "The tour: 2 of 5")
        try await terminal.wait(for: "Press + (retry now).")
        terminal.type("<esc>")
        try await terminal.wait(for: "no dialog") { !$0.contains("The tour: 2 of 5") }
        terminal.type("+")
        try await terminal.wait(for: "the second attempt", until: isThere("Two attempts on one connection"))

        terminal.type("<enter>")
        try await terminal.wait(for: "the third step", until: isThere("whose certificate has expired"))
        terminal.type("s")
        try await terminal.wait(for: "the refusal", until: isThere("It was refused before anything was sent."))
        terminal.type("!")
        try await terminal.wait(for: "the card", until: isThere("What is wrong"))
        try await terminal.wait(for: "the date") { $0.contains("expired") && $0.contains("2015-04-12") }
        terminal.type("t")
        try await terminal.wait(for: "the answer", until: isThere("This request takes that one certificate now"))

        terminal.type("<enter>")
        try await terminal.wait(for: "the fourth step", until: isThere("100 MB of JSON."))
        terminal.type("s")
        try await terminal.wait(for: "all of it", until: isThere("All of it is here"))
        terminal.type("/")
        try await terminal.wait(for: "what to type", until: isThere("Type 500000"))
        terminal.type("500000")
        try await terminal.wait(for: "the match") { $0.contains(": 500000,") }
        terminal.type("<enter>")
        try await terminal.wait(for: "what was searched", until: isThere("That was all of the 100 MB"))
        terminal.type("<enter>")
        try await terminal.wait(for: "the fifth step", until: isThere("One time is no figure"))
        terminal.type("B")
        try await terminal.wait(for: "how often", until: isThere("A hundred times, four at once"))
        terminal.type("<enter>")
        try await terminal.wait(for: "the figures", until: isThere("What made its connection, and what found one"))
        try await terminal.wait(for: "cold apart from warm") {
            $0.contains("✓ 100 × 200") && $0.contains("warm") && $0.contains("cold") && $0.contains("p99")
        }
        terminal.type("<esc>")
        try await terminal.wait(for: "the end", until: isThere("That was the tour."))
        terminal.type("q")
        // The changed request isn't saved.
        try await terminal.wait(for: "Discard")
        terminal.type("d")
        #expect(try await terminal.waitForExit() == .status(0))
        #expect(program.isGivenBack)
    }
}
