import DemoServer
import Foundation
import Glibc
import NetworkLayerTesting
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

    @Test(arguments: ["xterm-256color", "vt100"])
    func `by the key, on any terminal`(term: String) async throws {
        let program = try await started(term)
        defer { program.terminal.stop() }
        program.terminal.type("q")
        #expect(try await program.terminal.waitForExit() == .status(0))
        #expect(program.isGivenBack)
        #expect(program.terminal.screen.unknown == [])
    }

    /// How often the program is left in its first moments, when other threads use their libraries for the first time.
    private static let times = Int(ProcessInfo.processInfo.environment["LEAVES"] ?? "") ?? 40

    @Test(arguments: ["q", "SIGTERM"]) func `in its first moments, again and again`(way: String) async throws {
        for _ in 0..<Self.times / 4 {
            // Side by side, so that the threads of each are in each other's way.
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        let program = try Program()
                        defer { program.terminal.stop() }
                        try await program.terminal.wait(for: "its screen") { $0.isAlternate }
                        if way == "q" { program.terminal.type("q") } else { program.terminal.signal(SIGTERM) }
                        let exit = try await program.terminal.waitForExit()
                        #expect(exit == (way == "q" ? .status(0) : .status(128 + SIGTERM)))
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `by a signal that asks`(signal: Int32) async throws {
        let program = try await started()
        defer { program.terminal.stop() }
        program.terminal.signal(signal)
        #expect(try await program.terminal.waitForExit() == .status(128 + signal))
        #expect(program.isGivenBack)
    }

    @Test(arguments: [SIGABRT, SIGSEGV])
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
            try await terminal.wait(for: "✓ 200 OK")
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

/// Any keys, pastes, clicks and sizes, by a seed, in the program as it is. `KEYS=100000 SEED=7` in the environment sends so many.
@Suite(.serialized) struct `The program under any keys` {
    private static let keys = Int(ProcessInfo.processInfo.environment["KEYS"] ?? "") ?? 300
    private static let seed = UInt64(ProcessInfo.processInfo.environment["SEED"] ?? "") ?? 14

    private static let special = [
        "\r", "\u{1B}", "\t", "\u{1B}[Z", "\u{7F}", "\u{1B}[3~", "\u{1B}OA", "\u{1B}OB", "\u{1B}OC", "\u{1B}OD", "\u{1B}[1~",
        "\u{1B}[4~",
        "\u{1B}[5~", "\u{1B}[6~", "\u{1B}[15~", "\u{1B}OP", "\u{1B}[1;2A", "\u{1B}[1;5C", "é", "日本", "👩‍👩‍👧", "\u{301}", "{{", "}}",
        "\u{2}",
        "\u{6}", "\u{C}", "\u{E}", "\u{10}", "\u{12}", "\u{15}", "\u{1B}x",
        "\u{1B}[200~curl -H 'authorization: Bearer abcdef123456' http://127.0.0.1:1/a\u{1B}[201~",
        "\u{1B}[200~http://127.0.0.1:1/?x=1#y\u{1B}[201~", "\u{1B}[200~a\tb\r\nc\u{0}\u{202E}\u{1B}[201~",
        "\u{1B}[200~\(String(repeating: "x", count: 2000))\u{1B}[201~",
    ]
    /// Without `q`: the program would end with the first of them.
    private static let letters = Array(
        "sssjjjkkhlabcdefghijklmnoprtuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~ ")

    private static func key(_ size: Size, _ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<7: return special.randomElement(using: &random) ?? ""
        case 7:
            let place = "\(Int.random(in: 1...size.columns, using: &random));\(Int.random(in: 1...size.rows, using: &random))"
            let button = [0, 2, 32, 64, 65].randomElement(using: &random) ?? 0
            return "\u{1B}[<\(button);\(place)M" + (button < 3 ? "\u{1B}[<\(button);\(place)m" : "")
        default: return String(letters.randomElement(using: &random) ?? "j")
        }
    }

    @Test(arguments: [(120, 40), (40, 10)])
    func `goes on, and gives the terminal back when it is asked to end`(columns: Int, rows: Int) async throws {
        let server = try await DemoServer()
        let home = Program.Home()
        let collection = """
            turnstone: 1
            name: Any
            variables: { host: "\(server.baseURL)", token: abcdefghijkl }
            environments: { dev: { page: 2 }, stage: { page: 3 } }
            requests:
              first: { get: "{{host}}/json?flag&a=1", headers: { authorization: "Bearer {{token}}" }, expect: { status: 200 } }
              folder: { requests: { second: { post: "{{host}}/anything", json: { a: [1, 2] } }, third: { get: "{{host}}/delay/1s" } } }
              fourth: { get: "{{host}}/redirect/2", needs: first, mock: { status: 204 } }

            """
        try Data(collection.utf8).write(to: URL(filePath: home.path("any.yaml")))
        let size = Size(columns: columns, rows: rows)
        let program = try Program(
            [home.path("any.yaml")], size: size, home: home,
            environment: ["EDITOR": "true", "PAGER": "true", "XDG_CURRENT_DESKTOP": ""])
        defer { program.terminal.stop() }
        try await program.terminal.wait(for: "the first frame") { $0.isAlternate }
        var random = SeededGenerator(seed: Self.seed &+ UInt64(columns))
        for number in 0..<Self.keys {
            program.terminal.send(Array(Self.key(size, &random).utf8))
            guard number % 60 == 59 else { continue }
            let other = Size(
                columns: Int.random(in: 1...columns + 20, using: &random), rows: Int.random(in: 1...rows + 10, using: &random))
            program.terminal.resize(number % 120 == 59 ? other : size)
        }
        program.terminal.signal(SIGTERM)
        let exit = try await program.terminal.waitForExit()
        // A click on the row of Quit, say, has ended it before.
        #expect([.status(128 + SIGTERM), .status(0)].contains(exit), "SEED=\(Self.seed) KEYS=\(Self.keys)")
        #expect(program.isGivenBack)
    }
}
