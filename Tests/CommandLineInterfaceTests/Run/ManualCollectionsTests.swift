import Foundation
import HTTPTypes
import NetworkLayer
import NetworkLayerTesting
import ServerTesting
import Testing

@testable import CommandLineInterface

/// Each collection that the README and the manual show is run, beside the files that it names, over a transport that agrees with
/// everything; and each of its requests passes, or stands below with the reason.
@Suite struct ManualCollectionsTests {
    /// What doesn't pass, by page and name.
    private static let notPassed = [
        "docs/by-example.md version": "wants HTTP/2, which no scripted answer has",
        "docs/by-example.md person": "a token by authorization-code needs a person who signs in",
        "docs/by-example.md device": "a token by device-code needs a person who signs in",
        "docs/by-example.md everything": "shows every expectation, and no one answer meets them all",
        "docs/by-example.md refused": "wants a certificate that isn't accepted",
        "docs/by-example.md fails": "has a mock that fails",
        "docs/collections.md session": "shows every step, and no one answer has JSON, a form and a title",
        "docs/collections.md tag": "wants TLS",
        "docs/graphql.md birds": "wants the answer of a graph",
        "docs/graphql.md sightings": "wants a peer that speaks WebSocket",
        "docs/recipes.md certificate": "wants TLS",
        "docs/websocket.md prices": "wants a peer that speaks WebSocket",
    ]

    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
    private static let pages =
        ["README.md"]
        + ((try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "docs").path)) ?? [])
        .filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }

    /// The collections of a page. One with defaults alone has nothing to run.
    private static func collections(of page: String) throws -> [String] {
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        return text.components(separatedBy: "```yaml\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
            .filter { $0.contains("\nrequests:\n") }
    }

    @Test(arguments: try pages.filter { try !collections(of: $0).isEmpty })
    func `pass`(page: String) async throws {
        var failed: [String: [String]] = [:]
        for text in try Self.collections(of: page) {
            let directory = try Self.directory(with: text)
            var words = text.contains("local:") ? ["--env", "local"] : []
            // Nobody is there to be asked.
            if text.contains("prompt:") { words += ["--var", "password=s3cret"] }
            let run = await CommandLineRun.run(
                ["run", directory.file("page.yaml"), "--trust", "--mocks", "--no-history", "--report", "json=-"] + words,
                transport: Self.agreeable(), environment: Self.environment(directory))
            let report = try? JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
            #expect(report?.runs.isEmpty == false, "\(page): \(run.errors)\n\(text)")
            for run in report?.runs ?? [] where !["passed", "skipped"].contains(run.verdict) {
                failed["\(page) \(run.request)", default: []] += ["\(run.verdict)"] + run.reasons
            }
        }
        let expected = Self.notPassed.keys.filter { $0.hasPrefix(page + " ") }
        #expect(Set(failed.keys) == Set(expected), "\(failed)")
    }

    private struct Report: Decodable {
        struct Run: Decodable {
            var request: String
            var verdict: String
            var reasons: [String]
        }
        var runs: [Run]
    }

    // MARK: What answers

    private static func agreeable() -> ScriptedTransport {
        ScriptedTransport(time: SystemTimeSource()) { transfer in
            let request = transfer.request
            let path = request.url.path()
            let status: HTTPResponse.Status =
                switch (request.method, path) {
                case (.post, "/orders"): .created
                case (.post, "/jobs"): .accepted
                case (_, "/old"): .found
                default: .ok
                }
            var headers: HTTPFields = [
                .contentType: "application/json", .location: "/orders/7", .eTag: "\"1\"",
                .setCookie: "sid=1; Path=/; HttpOnly; SameSite=Lax; Max-Age=7200",
            ]
            var body = json
            if path == "/users" { body = "[]" }
            if path == "/login", request.method == .get {
                body = "<html><head><meta name='csrf' content='x'></head></html>"
                headers[.contentType] = "text/html"
            }
            return .respond(status: status, headers: headers, body: Data(body.utf8))
        }
    }

    private static let json = """
        { "token": "e30.eyJzdWIiOiJhZGEifQ.e30", "access_token": "t", "token_type": "Bearer", "id": 7, "state": "done", "total": 9,
          "data": { "order": { "total": 5 } }, "items": [{ "id": 1, "price": 2, "total": 3, "sku": "A7" }], "receipt": "r",
          "device_code": "d", "user_code": "u", "verification_uri": "https://login.example.com", "interval": 1, "expires_in": 600,
          "next": null, "next_cursor": null, "authenticated": true }
        """

    // MARK: What is there

    private static func environment(_ directory: TemporaryDirectory) -> [String: String] {
        var variables = [
            "HOME": directory.path, "XDG_STATE_HOME": directory.file("state"), "PATH": "\(directory.path):/usr/bin:/bin",
        ]
        for name in ["SHOP_TOKEN", "SHOP_PASSWORD", "SHOP_SECRET", "PASSWORD", "AWS_SESSION_TOKEN"] { variables[name] = "s3cret" }
        return variables
    }

    private static func directory(with text: String) throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        let files = [
            "page.yaml": text.replacing("delay: 1s..3s", with: "delay: 1ms..3ms"), "ada.png": "PNG", "big.bin": "big",
            "key.txt": "k3y",
            "report.graphql": "query Totals { total }", "birds-of-a-place.graphql": "{ birds { name } }",
            "users.csv": "id,tenant,name\n1,shop,ada\n",
            "export.json": #"{ "data": { "orders": [{ "id": 1 }] } }"#, "order.json": #"{ "type": "object" }"#,
            "openapi.yaml": openAPI, ".netrc": "machine example.com login ada password s3cret\n",
            "shop.netrc": "machine example.com login ada password s3cret\n", "authorities.pem": "", "me.p12": "", "me.pem": "",
            "me.key": "", "revoked.pem": "", "skus.txt": "A7\nB9\n", "products.txt": "sku,name\nA7,feeder\n",
            "pass": "#!/bin/sh\necho s3cret\n", "sign.sh": "#!/bin/sh\necho '{ \"headers\": { \"x-signature\": \"s\" } }'\n",
        ]
        for (name, text) in files {
            try directory.write(name, text)
            let mode = text.hasPrefix("#!") ? 0o700 : 0o600
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory.file(name))
        }
        return directory
    }

    private static let openAPI = """
        openapi: 3.0.3
        info: { title: Shop, version: "1" }
        servers: [{ url: "https://api.example.com/v1" }, { url: "https://example.com" }]
        paths:
          /orders/{id}:
            get:
              parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
              responses: { "200": { description: one, content: { application/json: { schema: { type: object } } } } }

        """
}
