import Foundation
import ServerTesting
import TerminalTesting
import Testing

/// The first collection of the manual, with the lines that stand there.
@Suite(.serialized) struct TourTests {
    /// The commands of the page's first block.
    private func tour() throws -> [String] {
        let page = URL(filePath: #filePath).appending(path: "../../../docs/first-collection.md").standardized
        let text = try String(contentsOf: page, encoding: .utf8)
        let block = try #require(text.components(separatedBy: "```sh\n").dropFirst().first?.components(separatedBy: "```").first)
        return block.components(separatedBy: "\n")
    }

    @Test func `what the tour says happens`() async throws {
        let home = Program.Home()
        let port = try ListeningSocket.freePort()
        var lines: [String] = []
        for line in try tour() {
            lines.append(line.replacing("8080", with: "\(port)"))
            if line.hasPrefix("turnstone demo-server") {
                // A reader takes longer than a server to start.
                lines.append(
                    "turnstone send -s --retry 50 --retry-delay 0.1 --retry-connrefused -o /dev/null http://127.0.0.1:\(port)/")
            } else if line.hasPrefix("turnstone ") {
                lines.append("echo status=$?")
            }
        }
        lines += ["kill $!", "wait", "echo the end"]
        let bin = URL(filePath: Program.path).deletingLastPathComponent().path()
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", lines.joined(separator: "\n")],
            environment: ["HOME": home.path, "XDG_STATE_HOME": "", "NO_COLOR": "1", "PATH": "\(bin):/usr/bin:/bin"],
            directory: home.path)
        defer { terminal.stop() }
        try await terminal.wait(for: "the end")
        _ = try await terminal.waitForExit()

        let told = String(decoding: terminal.written, as: UTF8.self).replacing("\r\n", with: "\n")
        let parts = told.components(separatedBy: "status=")
        #expect(parts.dropFirst().map { $0.first } == ["1", "0", "0", "0"])
        try #require(parts.count == 5)
        #expect(parts[0].contains("✓ login  200 OK"))
        #expect(parts[0].contains("✗ account  200 OK"))
        #expect(parts[0].contains("    shop.yaml:12:36: expected body .authenticated to be false, and found true\n"))
        #expect(parts[0].contains("1 passed, 1 failed in "))
        #expect(parts[1].contains("✓ account  200 OK") && parts[1].contains("2 passed in "))
        #expect(parts[2].contains("2 passed in ") && !parts[2].contains("✓"))
        #expect(parts[3].components(separatedBy: "GET account  200").count == 4)
        #expect(parts[3].contains("  failed: expected body .authenticated to be false, and found true"))
        let report = try String(contentsOfFile: home.path("report.xml"), encoding: .utf8)
        #expect(report.contains(#"tests="2" failures="0" errors="0" skipped="0""#))
        let page = try String(contentsOfFile: home.path("report.html"), encoding: .utf8)
        #expect(page.hasPrefix("<!doctype html>") && page.contains("<b>2</b> passed"))
    }
}
