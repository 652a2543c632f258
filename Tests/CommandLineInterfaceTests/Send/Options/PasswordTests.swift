import DemoServer
import Glibc
import Synchronization
import TerminalTesting
import TerminalUI
import Testing

@testable import CommandLineInterface

@Suite struct PasswordTests {
    private func arguments(_ words: String..., ask: (String) throws -> String?) throws -> SendArguments {
        var arguments = try SendOptionParser.parse(words)
        try arguments.completePasswords(ask)
        return arguments
    }

    @Test func `a name without a password is asked for it, by name and host`() throws {
        var asked: [String] = []
        let arguments = try arguments("-u", "ada", "-U", "proxy", "https://user@h:8443/a?b") { question in
            asked.append(question)
            return "p:\(asked.count)"
        }
        #expect(asked == ["Password of ada for h: ", "Password of proxy for the proxy: "])
        #expect(arguments.user == "ada:p:1")
        #expect(arguments.proxyUser == "proxy:p:2")
    }

    @Test(arguments: [["-u", "ada:", "h"], ["-u", "ada:x", "h"], ["--negotiate", "-u", "ada", "h"], ["h"]])
    func `nobody is asked for what is there or isn't needed`(words: [String]) throws {
        var arguments = try SendOptionParser.parse(words)
        let before = arguments.user
        try arguments.completePasswords { _ in throw CommandFailure(status: .usage, message: "asked") }
        #expect(arguments.user == before)
    }

    @Test func `the server gets what was typed`() async throws {
        let server = try await DemoServer()
        let run = await CommandLineRun.run(
            ["send", "-f", "-u", "ada", "\(server.baseURL)/auth/basic"], askSecret: { _ in "lovelace" })
        await server.stop()
        #expect(run.status == .success)
        #expect(!run.output.contains("lovelace") && !run.errors.contains("lovelace"))
    }

    @Test func `without a terminal it says what to write`() async {
        let run = await CommandLineRun.run(["send", "-u", "ada", "http://127.0.0.1:1/"])
        #expect(run.status == .usage)
        #expect(
            run.errors == "turnstone: -u ada has no password, and nobody gave one at the terminal. "
                + "It takes USER:PASSWORD, or USER: for an empty one.\n")
    }

    @Test(arguments: ["sec ret\r", "x\u{7F}a\u{15}b\n", "\u{4}", "a\u{3}"])
    func `a terminal shows nothing of it, and is as it was afterwards`(typed: String) async throws {
        let terminal = try PseudoTerminal.open(Size(columns: 80, rows: 24))
        defer {
            close(terminal.control)
            close(terminal.slave)
        }
        let before = PseudoTerminal.settings(of: terminal.slave)
        let slave = terminal.slave
        let asking = Task.detached { () -> String? in
            do {
                return try TerminalSecret.ask("Password: ", on: slave).map { "typed \($0)" } ?? "nothing"
            } catch let failure as CommandFailure {
                return "\(failure.status.rawValue)"
            }
        }
        // The question comes when the terminal is silent already.
        var shown: [UInt8] = []
        while shown.count < "Password: ".utf8.count { shown += try Self.read(terminal.control) }
        _ = Array(typed.utf8).withUnsafeBytes { write(terminal.control, $0.baseAddress, $0.count) }
        let answer = try await asking.value
        while shown.last != 0x0A { shown += try Self.read(terminal.control) }
        #expect(
            answer == ["sec ret\r": "typed sec ret", "x\u{7F}a\u{15}b\n": "typed b", "\u{4}": "nothing", "a\u{3}": "130"][typed])
        #expect(String(decoding: shown, as: UTF8.self) == "Password: \r\n")
        #expect(PseudoTerminal.settings(of: terminal.slave) == before)
    }

    private static func read(_ descriptor: Int32) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        try #require(count > 0)
        return Array(bytes.prefix(count))
    }
}
