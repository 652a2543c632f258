import DemoServer
import Foundation
import ServerTesting
import TerminalTesting
import TerminalUI
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

/// `turnstone init`, as a newcomer types it in an empty directory.
@Suite(.serialized) struct InitTests {
    private func told(_ lines: [String], in home: Program.Home) async throws -> String {
        let bin = URL(filePath: Program.path).deletingLastPathComponent().path()
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", (lines + ["echo the end"]).joined(separator: "\n")],
            environment: ["HOME": home.path, "XDG_STATE_HOME": "", "NO_COLOR": "1", "PATH": "\(bin):/usr/bin:/bin"],
            directory: home.path)
        defer { terminal.stop() }
        try await terminal.wait(for: "the end")
        _ = try await terminal.waitForExit()
        return String(decoding: terminal.written, as: UTF8.self).replacing("\r\n", with: "\n")
    }

    @Test func `where there is no collection, a file is sent, shared and converted, and F1 leads to the demo`()
        async throws
    {
        let server = try await DemoServer()
        let home = Program.Home()
        try Data("### Orders\nGET \(server.baseURL)/anything/orders\n".utf8).write(to: URL(filePath: home.path("orders.http")))
        let first = try Program([], home: home, directory: home.path)
        defer { first.terminal.stop() }
        try await first.terminal.wait(for: "a URL, a curl command, or a file to open")
        first.terminal.type("<enter>")
        try await first.terminal.wait(for: "orders.http as it is; w makes Collections/orders.yaml of it")
        first.terminal.type("s")
        try await first.terminal.wait(for: "✓ 200 OK")
        for (keys, file, parts) in [
            ("S<enter>", "Orders.html", ["class=\"waterfall\"", "GET \(server.baseURL)/anything/orders", "HTTP/1.1 200 OK"]),
            ("S<down><enter>", "Orders.md", ["### Orders", "<details><summary>times</summary>", "HTTP/1.1 200 OK"]),
        ] {
            first.terminal.type(keys)
            try await first.terminal.wait(for: "wrote \(file), its secrets masked")
            let text = try String(contentsOfFile: home.path(file), encoding: .utf8)
            for part in parts { #expect(text.contains(part), "\(file): \(part)") }
        }
        first.terminal.type("w")
        try await first.terminal.wait(for: "made the collection Collections/orders.yaml of orders.http")
        first.terminal.type("q")
        #expect(try await first.terminal.waitForExit() == .status(0))
        #expect(try String(contentsOfFile: home.path("Collections/orders.yaml"), encoding: .utf8).contains("/anything/orders"))

        let empty = Program.Home()
        let second = try Program([], home: empty, directory: empty.path)
        defer { second.terminal.stop() }
        try await second.terminal.wait(for: "F1")
        second.terminal.type("<f1>")
        try await second.terminal.wait(for: "A first request")
        second.terminal.type("q")
        #expect(try await second.terminal.waitForExit() == .status(0))
        #expect(second.isGivenBack)
        #expect(try FileManager.default.contentsOfDirectory(atPath: empty.path).contains("Collections") == false)
        await server.stop()
    }

    @Test func `a collection from nothing can be checked and listed, and isn't written twice`() async throws {
        let home = Program.Home()
        let told = try await told(
            ["turnstone init", "turnstone check && echo checked", "turnstone list", "turnstone init; echo status=$?"], in: home)
        #expect(told.contains("Wrote Collections/first.yaml."))
        #expect(told.contains("checked"))
        #expect(told.contains("hello"))
        #expect(told.contains("Collections/first.yaml is there already. --name gives the new collection another name.\nstatus=2"))
        let text = try String(contentsOfFile: home.path("Collections/first.yaml"), encoding: .utf8)
        #expect(text.hasPrefix("# yaml-language-server: $schema=./turnstone.schema.json\nturnstone: 1\n"))
        #expect(FileManager.default.fileExists(atPath: home.path("Collections/turnstone.schema.json")))
        #expect(try String(contentsOfFile: home.path("Collections/.gitignore"), encoding: .utf8).contains(".env\n"))
    }
}

/// The program does without the whole of Foundation, which the tests themselves bring with them: so only here it is seen what is missing.
@Suite struct HostNameTests {
    @Test func `a host beyond ASCII is looked up as it travels`() async throws {
        let home = Program.Home()
        try Data("turnstone: 1\nrequests: { a: { get: 'http://BÜCHER.localhost:1/' } }\n".utf8)
            .write(to: URL(filePath: home.path("shop.yaml")))
        let terminal = try PseudoTerminal(
            ["/bin/sh", "-c", "$T send http://bücher.localhost:1/; $T run shop.yaml"],
            environment: ["HOME": home.path, "XDG_STATE_HOME": "", "T": Program.path, "NO_COLOR": "1"], directory: home.path)
        defer { terminal.stop() }
        _ = try await terminal.waitForExit()
        let written = String(decoding: terminal.written, as: UTF8.self)
        #expect(written.ranges(of: "Nothing listens on xn--bcher-kva.localhost:1").count == 2, "\(written)")
    }
}
