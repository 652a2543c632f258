import DemoServer
import Foundation
import TerminalTesting
import Testing

/// Each line of the README's and the manual's blocks of `sh` is run by bash, offline, beside the files that it names, and must succeed.
@Suite(.serialized) struct ManualCommandsTests {
    /// What isn't run here, by how it begins, and why.
    private static let notRun = [
        "make ": "builds and installs; CI does `make test`, and InstallPackagesTests see what it asks",
        "turnstone demo-server": "ends when it is told to; TourTests start it",
        "turnstone shop.yaml": "opens the explorer, which ExplorerProgramTests do",
        "locust ": "is on PyPI only; `make test-locust` runs it",
    ]
    /// The same of whole blocks.
    private static let notRunBlocks = [
        "#!/bin/sh": "is a file; ManualExamplesTests run it",
        "turnstone demo-server --port 8080 & ": "is the tour; TourTests go it",
    ]
    /// What ends otherwise than with 0 where there is no terminal.
    private static let statuses = ["turnstone send -u ada ": "2"]
    /// What a line finds when it is run on its own.
    private static let before = [
        "turnstone import shop.postman": "rm shop.yaml",
        "turnstone import thunder-tests": "rm shop.yaml",
        "turnstone import openapi.yaml -o shop.yaml --update --dry-run": "rm shop.yaml; turnstone import openapi.yaml -o shop.yaml",
        "turnstone history": "turnstone run shop.yaml login",
        "turnstone send -C -": "head -c 10 /dev/zero > disk.iso",
        "cat messages.txt": "echo subscribe > messages.txt",
    ]

    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    private static let pages =
        ["README.md"]
        + ((try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? [])
        .filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }

    private static func text(_ page: String) throws -> String {
        try String(contentsOf: root.appending(path: page), encoding: .utf8)
    }

    private static func blocks(_ language: String, of page: String) throws -> [String] {
        try text(page).components(separatedBy: "```\(language)\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    }

    /// The lines of each block that can be run.
    private static func commands(of page: String) throws -> [[String]] {
        try blocks("sh", of: page).filter { block in !notRunBlocks.keys.contains { block.hasPrefix($0) } }
            .map { $0.split(separator: "\n").map(String.init).filter { line in !notRun.keys.contains { line.hasPrefix($0) } } }
    }

    @Test func `what isn't run is there`() throws {
        let blocks = try Self.pages.flatMap { try Self.blocks("sh", of: $0) }
        let lines = blocks.flatMap { $0.split(separator: "\n") }
        for begin in Array(Self.notRun.keys) + Self.before.keys + Self.statuses.keys {
            #expect(lines.contains { $0.hasPrefix(begin) }, "\(begin)")
        }
        for begin in Self.notRunBlocks.keys { #expect(blocks.contains { $0.hasPrefix(begin) }, "\(begin)") }
        #expect(lines.count > 100)
    }

    @Test(arguments: try pages.filter { try !commands(of: $0).joined().isEmpty })
    func `the commands succeed`(page: String) async throws {
        let server = try await DemoServer()
        for lines in try Self.commands(of: page) where !lines.isEmpty {
            let home = Program.Home()
            try write(for: page, port: server.port, in: home)
            let told = try await told(Self.preparation + lines.map { Self.script($0, port: server.port) }.joined(), in: home)
            let results = told.components(separatedBy: "@@ ").dropFirst()
            #expect(results.count == lines.count, "\(page): \(told)")
            for (line, result) in zip(lines, results) {
                let status = Self.statuses.first { line.hasPrefix($0.key) }?.value ?? "0"
                #expect(result.hasSuffix("\n@= \(status)\n"), "\(page): \(line)\n\(result)")
            }
        }
        await server.stop()
    }

    // MARK: The line

    private static func script(_ line: String, port: UInt16) -> String {
        let server = "http://127.0.0.1:\(port)"
        var url = "\(server)/anything"
        if line.contains("disk.iso") { url = "\(server)/bytes/1000" }
        if line.contains("--aws-sigv4") {
            let host = "s3.eu-central-1.amazonaws.com:\(port)"
            url = "http://\(host)/anything --resolve \(host):127.0.0.1"
        }
        var line = line.replacing(/\bURL\b/, with: url).replacing("http://127.0.0.1:8080", with: server)
            .replacing("ws://127.0.0.1:8080", with: "ws://127.0.0.1:\(port)")
            .replacing("wss://example.org/prices", with: "ws://127.0.0.1:\(port)/websocket/echo")
            .replacing(" :8080/", with: " :\(port)/").replacing(/https?:\/\/example\.(org\/|com\/orders)/, with: url)
            .replacing(/(show|replay) 17/) { "\($0.1) 1" }
        // Shorter, with the same meaning.
        line = line.replacing("--duration 30s", with: "--duration 1s").replacing("--repeat 500", with: "--repeat 50")
        let before = before.first { line.hasPrefix($0.key) }.map { "{ \($0.value); } > /dev/null\n" } ?? ""
        return "\(before)echo '@@ '\n\(line)\nstatus=$?; echo; echo @= $status\n"
    }

    private static let preparation = """
        exec < /dev/null 2>&1; set -o pipefail
        man() { cat; }; journalctl() { echo one; echo two; }
        { openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out me.pem -days 1 -subj /CN=me
          openssl pkcs12 -export -in me.pem -inkey key.pem -out me.p12 -passout pass:
          turnstone trust shop.yaml --yes; turnstone trust --yes; } > /dev/null 2>&1
        export SHOP_TRUST=$(turnstone trust --hash)

        """

    private func told(_ script: String, in home: Program.Home) async throws -> String {
        let bin = URL(filePath: Program.path).deletingLastPathComponent().path()
        try script.write(toFile: home.path("script"), atomically: true, encoding: .utf8)
        let terminal = try PseudoTerminal(
            // Without a terminal of its own, so that nothing asks there.
            ["/bin/sh", "-c", "setsid -w bash script > told < /dev/null 2>&1"],
            environment: [
                "HOME": home.path, "XDG_STATE_HOME": "", "NO_COLOR": "1", "PATH": "\(bin):/usr/bin:/bin", "SHOP_KEY": "k3y",
            ], directory: home.path, patience: .seconds(300))
        defer { terminal.stop() }
        _ = try await terminal.waitForExit()
        return try String(decoding: Data(contentsOf: URL(filePath: home.path("told"))), as: UTF8.self)
    }

    // MARK: The files

    private func write(for page: String, port: UInt16, in home: Program.Home) throws {
        let own = try Self.blocks("yaml", of: page).first { page == "README.md" && $0.hasPrefix("# shop.yaml") }
        // Where the page is about what a collection may do, it wants something.
        let key = page.hasSuffix("/trust.md") || page.hasSuffix("/collections.md") ? "{ secret: { env: SHOP_KEY } }" : "k3y"
        let shop =
            own?.replacing("8080", with: "\(port)")
            ?? Self.shop.replacing("SERVER", with: "http://127.0.0.1:\(port)").replacing("KEY", with: key)
        for folder in ["Collections", "thunder-tests"] {
            try FileManager.default.createDirectory(atPath: home.path(folder), withIntermediateDirectories: true)
        }
        let files = [
            "shop.yaml": shop, "Collections/shop.yaml": shop, "users.csv": "user\nada\ngrace\n", ".env": "SHOP_KEY=e\n",
            "stock.yaml": "turnstone: 1\nrequests: { stock: { get: \"http://127.0.0.1:\(port)/anything\" } }\n",
            "openapi.yaml": Self.openAPI, "shop.postman_collection.json": Self.postman, "options.txt": "--silent\n",
            "staging.postman_environment.json": #"{ "name": "staging", "values": [{ "key": "host", "value": "s" }] }"#,
            "thunder-tests/orders.json": Self.thunder, "hosts.txt": "",
        ]
        for (name, text) in files { try text.write(toFile: home.path(name), atomically: true, encoding: .utf8) }
    }

    private static let shop = """
        turnstone: 1
        variables: { host: "SERVER/anything", user: nobody, n: 1, skus: [], zip: "", key: KEY }
        environments: { staging: { n: 2 } }
        requests:
          login:
            post: "{{host}}/login"
            tags: [smoke]
            body: { json: { user: "{{user}}" } }
            capture: { token: .method }
          orders:
            requests:
              create:
                post: "{{host}}/orders"
                for-each: { sku: [A7, B9] }
                headers: { x-key: "{{key}}" }
                body: { json: { sku: "{{sku}}" } }
              read: { get: "{{host}}/orders/7", auth: { bearer: "{{token}}" }, tags: [smoke], expect: { status: 200 } }
          checkout: { post: "{{host}}/checkout", body: { json: { user: "{{user}}" } } }
          search: { get: "{{host}}/search", tags: [slow] }
          order: { get: "{{host}}/order", mock: { body: { id: A7 } } }

        """

    private static let openAPI = """
        openapi: 3.0.3
        info: { title: Birds, version: "1" }
        servers: [{ url: "https://birds.example.com" }]
        paths: { /birds: { get: { operationId: birds, responses: { "200": { description: all } } } } }

        """

    private static let postman = """
        { "info": { "name": "Shop", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
          "item": [{ "name": "orders", "request": { "method": "GET", "url": { "raw": "https://shop.example.com/orders" } } }] }
        """

    private static let thunder = """
        { "clientName": "Thunder Client", "collectionName": "Shop", "version": "1.2",
          "requests": [{ "name": "orders", "url": "https://shop.example.com/orders", "method": "GET", "headers": [], "params": [] }] }
        """
}
