import Foundation
import TerminalTesting
import TerminalUI
import Testing

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

    @Test func `where there is no collection, the explorer shows the demo, says so, and says how to begin one`() async throws {
        let home = Program.Home()
        let terminal = try PseudoTerminal(
            [Program.path], size: Size(columns: 120, rows: 40), environment: ["HOME": home.path, "XDG_STATE_HOME": ""],
            directory: home.path)
        defer { terminal.stop() }
        try await terminal.wait(for: "There is no collection here: this is the demo. `turnstone init` begins one of your own.")
        try await terminal.wait(for: "A first request")
        terminal.type("q")
        _ = try await terminal.waitForExit()
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path).contains("Collections") == false)
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

    @Test func `a collection is called by the host that it is for, and by nothing secret`() async throws {
        let home = Program.Home()
        let told = try await told(
            [
                "turnstone init https://api.example.com/orders",
                "turnstone init 'curl -u ada:s3cret https://shop.example.com:8443/'",
                "turnstone init 'https://ada:s3cret@birds.example.com/'", "turnstone init '127.0.0.1:8080/x'",
                "turnstone init 'http://[::1]/x'", "turnstone init 'https://{{host}}/x'",
            ], in: home)
        #expect(!told.contains("s3cret"))
        let files = try FileManager.default.contentsOfDirectory(atPath: home.path("Collections")).filter { $0.hasSuffix(".yaml") }
        #expect(
            files.sorted() == [
                "127-0-0-1.yaml", "api-example-com.yaml", "birds-example-com.yaml", "curl.yaml", "shop-example-com.yaml",
            ])
        let text = try String(contentsOfFile: home.path("Collections/api-example-com.yaml"), encoding: .utf8)
        #expect(text.contains("name: api.example.com\n"))
        #expect(told.hasPrefix("Wrote Collections/api-example-com.yaml.\n"))
        #expect(told.contains("Imported 1 request from curl.\n"))
        #expect(told.contains("Collections/curl.yaml is there already."))
    }

    @Test func `a command for curl and a URL are requests, and a secret stays outside`() async throws {
        let home = Program.Home()
        let told = try await told(
            [
                "turnstone init --name shop 'curl -H \"Authorization: Bearer s3cr3t\" -d qty=2 https://api.example.com/orders'",
                "turnstone init --name birds https://birds.example.com/turnstone", "turnstone list",
                "turnstone init nothing; echo status=$?", "turnstone init specs/openapi.yaml; echo status=$?",
            ], in: home)
        #expect(told.contains("POST") && told.contains("birds.example.com/turnstone"))
        #expect(told.contains("nothing is no file that is there, no URL and no command for curl.\nstatus=2"))
        #expect(told.contains("specs/openapi.yaml is no file that is there, no URL and no command for curl.\nstatus=2"))
        let text = try String(contentsOfFile: home.path("Collections/shop.yaml"), encoding: .utf8)
        #expect(text.contains("https://api.example.com") && text.contains("qty: "))
        #expect(!text.contains("s3cr3t"))
    }

    @Test func `what is begun with a file can be updated with a newer one`() async throws {
        let home = Program.Home()
        func document(_ operations: String) -> String {
            "{\"openapi\": \"3.0.0\", \"info\": {\"title\": \"Shop\"}, \"servers\": [{\"url\": \"http://h.test\"}], \"paths\": {\(operations)}}"
        }
        func get(_ path: String) -> String {
            "\"\(path)\": {\"get\": {\"operationId\": \"o\(path.dropFirst())\", \"responses\": {}}}"
        }
        try document(get("/a") + "," + get("/b")).write(toFile: home.path("old.json"), atomically: true, encoding: .utf8)
        try document(get("/a") + "," + get("/c")).write(toFile: home.path("new.json"), atomically: true, encoding: .utf8)
        let told = try await told(
            [
                "turnstone init old.json", "turnstone import new.json -o Collections/shop.yaml --update; echo status=$?",
                "turnstone init 'curl http://h.test/' && turnstone init https://h.test/x", "ls Collections",
            ], in: home)
        #expect(told.contains("from OpenAPI: 1 added, 1 removed.\n"), "\(told)")
        #expect(!told.contains("is missing"))
        let text = try String(contentsOfFile: home.path("Collections/shop.yaml"), encoding: .utf8)
        #expect(text.hasPrefix("# yaml-language-server: $schema=./turnstone.schema.json\n"))
        // What came from no file has none.
        let bases = try FileManager.default.contentsOfDirectory(atPath: home.path("Collections")).filter {
            $0.hasSuffix(".import.json")
        }
        #expect(bases == ["shop.import.json"])
    }
}
