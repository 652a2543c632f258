import Glibc
import TerminalTesting
import TerminalUI
import Testing

/// The terminal is given back as it was, on every way out.
@Suite(.serialized) struct TerminalReturnTests {
    private func started(_ term: String = "xterm-256color") async throws -> Program {
        let program = try Program(term: term)
        try await program.terminal.wait(for: "A first request")
        #expect(!program.isGivenBack)
        return program
    }

    @Test(arguments: ["xterm-256color", "tmux-256color", "screen", "vt100"])
    func `by the key, on any terminal`(term: String) async throws {
        let program = try await started(term)
        defer { program.terminal.stop() }
        program.terminal.type("q")
        #expect(try await program.terminal.waitForExit() == .status(0))
        #expect(program.isGivenBack)
        #expect(program.terminal.screen.unknown == [])
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT])
    func `by a signal that asks`(signal: Int32) async throws {
        let program = try await started()
        defer { program.terminal.stop() }
        program.terminal.signal(signal)
        #expect(try await program.terminal.waitForExit() == .status(128 + signal))
        #expect(program.isGivenBack)
    }

    @Test(arguments: [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGQUIT])
    func `by a crash`(signal: Int32) async throws {
        let program = try await started()
        defer { program.terminal.stop() }
        program.terminal.signal(signal)
        #expect(try await program.terminal.waitForExit() == .signal(signal))
        #expect(program.isGivenBack)
    }

    @Test func `while it is stopped by Ctrl+Z, and taken again by fg`() async throws {
        // What is typed before the shell has its terminal again would be read in the explorer's settings, without line ends.
        @Sendable func isAtPrompt(_ screen: VirtualScreen) -> Bool {
            !screen.isAlternate && screen.lines[screen.cursor.row] == "ready>"
        }
        let home = Program.Home()
        let terminal = try PseudoTerminal(
            ["/bin/bash", "--norc", "--noprofile", "--noediting", "-i"], size: Size(columns: 120, rows: 40),
            environment: ["PS1": "ready> ", "HOME": home.path, "HISTFILE": "", "BASH_SILENCE_DEPRECATION_WARNING": "1"])
        defer { terminal.stop() }
        try await terminal.wait(for: "ready>")
        let settings = terminal.settings
        for _ in 0..<2 {
            terminal.type("\(Program.path) demo<enter>")
            try await terminal.wait(for: "A first request")
            #expect(terminal.settings != settings)

            terminal.type("<c-z>")
            try await terminal.wait(for: "the shell") { isAtPrompt($0) && $0.contains("Stopped") }
            #expect(terminal.settings == settings)
            #expect(terminal.screen.isCursorVisible)
            #expect(terminal.screen.modes.isDisjoint(with: [1000, 1002, 1006, 2004]))

            terminal.type("clear; fg<enter>")
            try await terminal.wait(for: "the explorer again") { $0.isAlternate && $0.contains("A first request") }
            #expect(terminal.screen.modes.isSuperset(of: [1000, 1002, 1006, 2004]))
            terminal.type("jj<f5>")
            try await terminal.wait(for: "succeeded")
            terminal.type("q")
            try await terminal.wait(for: "the shell again") { isAtPrompt($0) && $0.isCursorVisible }
            terminal.type("clear; echo status=$?<enter>")
            try await terminal.wait(for: "status=0")
            #expect(terminal.settings == settings)
            terminal.type("clear<enter>")
            try await terminal.wait(for: "an empty screen") { $0.text.trimmingPrefix("ready>").allSatisfy { $0 == " " } }
        }
        #expect(terminal.screen.unknown == [])
    }

    @Test func `by a terminal that isn't one, with a sentence`() async throws {
        let terminal = try PseudoTerminal(["/bin/sh", "-c", "\(Program.path) demo </dev/null; echo status=$?"])
        defer { terminal.stop() }
        try await terminal.wait(for: "status=")
        #expect(terminal.screen.contains("the explorer needs a terminal"))
        #expect(!terminal.screen.contains("status=0"))
    }

    @Test func `by a TERM that nobody knows, with a sentence`() async throws {
        let terminal = try PseudoTerminal(["/bin/sh", "-c", "\(Program.path) demo; echo status=$?"], term: "nonsense")
        defer { terminal.stop() }
        try await terminal.wait(for: "status=")
        #expect(terminal.screen.contains("no terminal `nonsense` (TERM) is known here"))
        #expect(!terminal.screen.contains("status=0"))
    }

    /// What can't be opened is said on the terminal as it was, before anything is drawn.
    @Test(arguments: [
        ("\"$HOME\"", "there is no collection in"),
        ("demo --theme /nowhere/dusk.yaml", "the theme /nowhere/dusk.yaml can't be read"),
    ])
    func `by something that can't be opened, with a sentence`(arguments: String, complaint: String) async throws {
        let home = Program.Home()
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", "\(Program.path) \(arguments); echo status=$?"], size: Size(columns: 200, rows: 20),
            environment: ["HOME": home.path])
        defer { terminal.stop() }
        try await terminal.wait(for: "status=2")
        #expect(terminal.screen.contains(complaint))
        #expect(!terminal.screen.isAlternate)
    }
}
