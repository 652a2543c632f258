import Foundation
import TerminalTesting
import Testing

/// What `make run` and `make test` install, with programs that stand in for those of the system.
@Suite(.serialized) struct InstallPackagesTests {
    private static let script = URL(filePath: #filePath).appending(path: "../../../.ci/install-packages").standardized.path()

    /// - Returns: what was said, with the status at the end.
    private func told(
        user: String = "0", canSudo: Bool = false, answer: String? = nil, variables: [String: String] = [:], in home: Program.Home,
        line: String = "\(Self.script) there missing other"
    ) async throws -> String {
        let bin = home.path("bin")
        try FileManager.default.createDirectory(atPath: bin, withIntermediateDirectories: true)
        let programs = [
            "dpkg-query": "[ \"$3\" = there ] && echo installed", "id": "echo \(user)",
            "apt-get": "echo apt-get \"$@\" >> \(home.path("noted"))",
            "sudo": "[ \"$1\" != -n ] || exit \(canSudo ? 0 : 1); echo sudo >> \(home.path("noted")); exec \"$@\"",
        ]
        for (name, text) in programs {
            try "#!/bin/sh\n\(text)\n".write(toFile: "\(bin)/\(name)", atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(bin)/\(name)")
        }
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", "\(line); echo status=$?"],
            environment: ["PATH": "\(bin):/usr/bin:/bin", "YES": ""].merging(variables) { $1 }, directory: home.path)
        defer { terminal.stop() }
        if let answer {
            try await terminal.wait(for: "[Y/n]")
            terminal.type(answer)
        }
        try await terminal.wait(for: "status=")
        _ = try await terminal.waitForExit()
        return String(decoding: terminal.written, as: UTF8.self).replacing("\r\n", with: "\n")
    }

    private func noted(in home: Program.Home) -> [String] {
        (try? String(contentsOfFile: home.path("noted"), encoding: .utf8))?.split(separator: "\n").map(String.init) ?? []
    }

    @Test func `the packages are named first, and nothing is installed after a no`() async throws {
        let home = Program.Home()
        let told = try await told(answer: "n<enter>", in: home)
        #expect(told.contains("apt-get will install them with what they depend on:\n  missing other\nInstall them? [Y/n] "))
        #expect(told.contains("  apt-get install --no-install-recommends missing other\n") && told.contains("status=1"))
        #expect(noted(in: home) == [])
    }

    @Test func `Enter installs what is missing, and only that`() async throws {
        let home = Program.Home()
        #expect(try await told(answer: "<enter>", in: home).contains("status=0"))
        #expect(noted(in: home) == ["apt-get update -qq", "apt-get install -y -qq --no-install-recommends missing other"])
    }

    @Test func `YES=1 asks nothing, and neither does what has no terminal`() async throws {
        let cases: [(variables: [String: String], input: String)] = [(["YES": "1"], ""), ([:], " < /dev/null")]
        for (variables, input) in cases {
            let home = Program.Home()
            let told = try await told(variables: variables, in: home, line: "\(Self.script) missing\(input)")
            #expect(!told.contains("[Y/n]") && told.contains("  missing\n") && told.contains("status=0"))
            #expect(noted(in: home).count == 2)
        }
    }

    @Test func `who isn't root is told, or asked to use sudo`() async throws {
        let home = Program.Home()
        let told = try await told(user: "1000", in: home, line: "\(Self.script) missing < /dev/null")
        let command = "  sudo apt-get install --no-install-recommends missing\n"
        #expect(told.contains("installing them takes root. Run this, then try again:\n\(command)"))
        #expect(told.contains("status=1") && noted(in: home) == [])

        let asked = try await self.told(user: "1000", answer: "y<enter>", in: home)
        #expect(asked.contains("sudo apt-get will install them") && asked.contains("status=0"))
        #expect(noted(in: home).first == "sudo")
    }

    @Test func `nothing is said when nothing is missing`() async throws {
        let home = Program.Home()
        #expect(try await told(in: home, line: "\(Self.script) there") == "status=0\n")
    }
}
