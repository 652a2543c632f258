import Foundation
import ServerTesting
import TerminalTesting
import Testing

/// The real program with files that mean harm: a sentence, status 2 or 25, and no more than the memory and the time that it is given
/// by the kernel.
@Suite(.serialized) struct HostileFileTests {
    /// With 256 MB of data and 5 s of a processor; what needs more is ended by a signal.
    private func run(_ words: String..., in directory: TemporaryDirectory) async throws -> (String, PseudoTerminal.Exit) {
        let script = "ulimit -d 262144; ulimit -t 5; exec \"$0\" \"$@\""
        let terminal = try PseudoTerminal(
            ["/bin/bash", "-c", script, Program.path] + words,
            environment: ["HOME": directory.path, "XDG_STATE_HOME": "", "NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no"],
            directory: directory.path)
        defer { terminal.stop() }
        let exit = try await terminal.waitForExit()
        return (String(decoding: terminal.written, as: UTF8.self).replacing("\r\n", with: "\n"), exit)
    }

    private static let deep = 10_000

    private static let files: [(String, @Sendable () -> Data, String, Int32)] = [
        (
            "bomb", { Data(bomb.utf8) },
            "h.yaml:9:14: the file has more than 2000000 values, each alias counted with what it stands for", 2
        ),
        (
            "100 MB", { Data("turnstone: 1\nname: ".utf8) + Data(repeating: 0x78, count: 100_000_000) },
            "h.yaml has 100000019 bytes; a file of a collection has at most 16777216", 25
        ),
        (
            "lists in lists", { nested("[", "]") }, "h.yaml:2:71: lists and maps are nested more than 64 deep", 2
        ),
        ("maps in maps", { nested("{a: ", "}") }, "h.yaml:2:260: lists and maps are nested more than 64 deep", 2),
        (
            "items in items", { Data("turnstone: 1\nname:\n  \(String(repeating: "- ", count: deep))x\n".utf8) },
            "h.yaml:3:131: lists and maps are nested more than 64 deep", 2
        ),
        ("no end", { nested("[", "") }, "h.yaml:2:71: lists and maps are nested more than 64 deep", 2),
        ("not UTF-8", { Data("turnstone: 1\nname: ".utf8) + [0xFF, 0xFE, 0x0A] }, "h.yaml:2:7: this byte is not UTF-8", 2),
        ("zeros", { Data("turnstone: 1\nname: a\u{0}b\n".utf8) }, "h.yaml:2:8: a control character can't stand here", 2),
    ]

    private static func nested(_ open: String, _ close: String) -> Data {
        Data("turnstone: 1\nname: \(String(repeating: open, count: deep))\(String(repeating: close, count: deep))\n".utf8)
    }

    private static var bomb: String {
        var text = "turnstone: 1\nvariables:\n  a: &a [x, x, x, x, x, x, x, x, x]\n"
        for (before, name) in zip("abcdefghi", "bcdefghij") {
            text += "  \(name): &\(name) [\(Array(repeating: "*\(before)", count: 9).joined(separator: ", "))]\n"
        }
        return text
    }

    @Test(arguments: files.map(\.0), ["run"])
    func `a file that means harm is refused with a sentence`(name: String, command: String) async throws {
        let file = try #require(Self.files.first { $0.0 == name })
        let directory = try TemporaryDirectory()
        try directory.write("h.yaml", file.1())
        let (told, exit) = try await run(command, "h.yaml", in: directory)
        #expect(exit == .status(file.3))
        #expect(told.contains("turnstone: \(file.2)\n"), "\(told.prefix(300))")
    }

    @Test(arguments: ["run"])
    func `what is no file isn't waited for`(command: String) async throws {
        let directory = try TemporaryDirectory()
        #expect(mkfifo(directory.file("h.yaml"), 0o600) == 0)
        #expect(symlink("/dev/zero", directory.file("z.yaml")) == 0)
        for name in ["h.yaml", "z.yaml"] {
            let (told, exit) = try await run(command, name, in: directory)
            #expect(exit == .status(25))
            #expect(told == "turnstone: \(name) is not a file\n")
        }
    }

    @Test func `directories that lead back to themselves are read once`() async throws {
        let directory = try TemporaryDirectory()
        for name in ["shop", "shop/x", "shop/y"] { #expect(mkdir(directory.file(name), 0o700) == 0) }
        try directory.write("shop/_collection.yaml", "turnstone: 1\n")
        try directory.write("shop/x/a.yaml", "get: http://127.0.0.1:9/\n")
        for (target, link) in [(".", "shop/again"), (".", "shop/more"), ("../y", "shop/x/y"), ("../x", "shop/y/x")] {
            #expect(symlink(target, directory.file(link)) == 0)
        }
        let (told, exit) = try await run("list", "shop", in: directory)
        #expect(exit == .status(2))
        #expect(told.contains("turnstone: shop/again:1:1: leads back to shop, which it is in; take the link away\n"))
        #expect(told.contains("turnstone: shop/x/y/x:1:1: leads back to shop/x, which it is in; take the link away\n"))
    }

    @Test(arguments: ["/^(a+)+$/", "{ not: /^(a+)+$/ }"])
    func `a regular expression that never ends is ended, and its check fails`(check: String) async throws {
        let directory = try TemporaryDirectory()
        try directory.write(
            "h.yaml",
            """
            turnstone: 1
            requests:
              a:
                get: http://127.0.0.1:9/
                mock: { status: 200, body: \(String(repeating: "a", count: 40))b }
                expect: { body: \(check) }

            """)
        let (told, exit) = try await run("run", "h.yaml", "--mocks", in: directory)
        #expect(exit == .status(1))
        #expect(told.contains("/^(a+)+$/ takes too many steps: a repetition in a repetition"), "\(told)")
    }
}
