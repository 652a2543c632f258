import DemoServer
import Foundation
import TerminalTesting
import Testing

/// What the manual shows, done as it says.
@Suite(.serialized) struct ManualExamplesTests {
    /// The blocks of a page in a language.
    private static func blocks(_ language: String, of page: String) throws -> [String] {
        let file = URL(filePath: #filePath).appending(path: "../../../docs/\(page)").standardized
        return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```\(language)\n").dropFirst()
            .map { $0.components(separatedBy: "```")[0] }
    }

    private func told(_ script: String, in home: Program.Home) async throws -> String {
        let bin = URL(filePath: Program.path).deletingLastPathComponent().path()
        let terminal = try PseudoTerminal(
            ["/bin/bash", "-c", script + "\necho the end"],
            environment: [
                "HOME": home.path, "XDG_STATE_HOME": "", "NO_COLOR": "1", "PATH": "\(bin):/usr/bin:/bin", "SHOP_KEY": "s3cr3t",
            ], directory: home.path)
        defer { terminal.stop() }
        try await terminal.wait(for: "the end")
        _ = try await terminal.waitForExit()
        return String(decoding: terminal.written, as: UTF8.self).replacing("\r\n", with: "\n")
    }

    @Test func `the first requests are answered`() async throws {
        let server = try await DemoServer()
        let home = Program.Home()
        let blocks = try Self.blocks("sh", of: "first-request.md")
        let block = try #require(blocks.first { $0.hasPrefix("turnstone send http://127.0.0.1:8080") })
        let lines = block.replacing("127.0.0.1:8080", with: "127.0.0.1:\(server.port)")
            .replacing(" :8080/", with: " :\(server.port)/").split(separator: "\n")
        #expect(lines.count == 5)
        let told = try await told(lines.map { "\($0)\necho exit=$?" }.joined(separator: "\n"), in: home)
        #expect(told.components(separatedBy: "exit=").dropFirst().map { $0.first } == Array(repeating: "0", count: lines.count))
        #expect(told.contains(#"\"sku\":\"A7\",\"qty\":2"#) && told.contains("X-Trace"))
        #expect(told.contains("connection 1 reused"))
        await server.stop()
    }

    @Test func `the script of hydrate signs a request`() async throws {
        let server = try await DemoServer()
        let home = Program.Home()
        let script = try #require(try Self.blocks("sh", of: "by-example.md").first { $0.hasPrefix("#!/bin/sh") })
        let collection = try #require(try Self.blocks("yaml", of: "by-example.md").first { $0.contains("hydrate: ") })
        try script.write(toFile: home.path("sign.sh"), atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.path("sign.sh"))
        let checked =
            collection.replacing("https://example.com/orders", with: "http://127.0.0.1:\(server.port)/anything")
            + "    expect: { body: { '/x-signature\\W+([0-9a-f]{64})/i': exists } }\n"
        try checked.write(toFile: home.path("shop.yaml"), atomically: true, encoding: .utf8)
        let lines = "turnstone run shop.yaml --no-input; echo status=$?\nturnstone run shop.yaml --trust; echo status=$?"
        let told = try await told(lines, in: home)
        #expect(told.contains("✓ signed  200 OK"))
        // Without leave nothing is sent.
        #expect(told.components(separatedBy: "status=").dropFirst().map { $0.prefix { $0.isNumber } } == ["27", "0"])
        await server.stop()
    }
}
