import Foundation
import ServerTesting
import Testing

@testable import CommandLineInterface

@Suite struct ManualPageTests {
    @Test func `every command and every option is in it`() {
        let page = ManualPage.text(.program, date: "May 1, 2024")
        for command in CommandDescription.program.subcommands {
            #expect(page.contains(".Sh TURNSTONE \(command.name.uppercased())\n"))
            for option in command.options {
                for name in option.names { #expect(page.contains("Fl \(ManualPage.escaped(String(name.dropFirst())))")) }
            }
        }
        for (status, _) in ExitStatus.meanings { #expect(page.contains(".It \(status.rawValue)\n")) }
        #expect(page.hasPrefix(".Dd May 1, 2024\n.Dt TURNSTONE 1\n.Os\n.Sh NAME\n.Nm turnstone\n.Nd "))
    }

    @Test func `what means something to roff is escaped`() {
        #expect(ManualPage.escaped(".a\\n-b") == "\\&.a\\en\\-b")
        #expect(ManualPage.escaped("'a") == "\\&'a")
        #expect(ManualPage.escaped("1 …") == "1 \\[u2026]")
    }

    private static let groff = try? ChildProcess.find("groff", package: "groff-base")

    @Test(.enabled(if: groff != nil, "needs groff")) func `groff reads it without a complaint`() async throws {
        let groff = try #require(Self.groff)
        let directory = try TemporaryDirectory()
        let page = try directory.write("turnstone.1", await CommandLineRun.run(["man"]).output)
        let text = try ChildProcess.run("/bin/sh", ["-c", "\"$0\" -mdoc -Tutf8 -P-cbou -ww \"$1\" 2>&1", groff, page])
        #expect(text.split(separator: "\n").filter { $0.contains("/turnstone.1:") } == [])
        #expect(text.contains("EXIT STATUS"))
    }

    @Test func `the program's own description has its commands, and send's is the table's`() {
        let program = CommandDescription.program
        #expect(Set(program.subcommands.map(\.name)).isSuperset(of: ["explore", "demo", "send", "list", "show"]))
        #expect(program.subcommands.first { $0.name == "send" } == .send)
        #expect(program.subcommands.first { $0.name == "show" }?.option(named: "--env")?.value == "NAME")
    }
}
